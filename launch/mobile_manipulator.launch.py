"""A simulated arm on a differential drive; the feedforward of both closes the loop over DDS."""

from robot_dynamics.app.scenarios import MobileScenario
from robot_dynamics.nodes.launch_description import launch_description


def generate_launch_description():
    return launch_description(MobileScenario)
