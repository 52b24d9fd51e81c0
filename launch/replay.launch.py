"""Play a recording into the feedforward: it commands as if it were there."""

from robot_dynamics.app.scenarios import Replay
from robot_dynamics.nodes.launch_description import launch_description


def generate_launch_description():
    return launch_description(Replay)
