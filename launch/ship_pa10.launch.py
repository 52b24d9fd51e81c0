"""A simulated PA10 on a moving ship; the feedforward closes the loop over DDS."""

from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.nodes.launch_description import launch_description


def generate_launch_description():
    return launch_description(ShipPa10)
