"""The processes of a live replay as data: a bag played into the feedforward."""

from __future__ import annotations

import dataclasses
from typing import Dict, Mapping, Tuple

from robot_dynamics.app.graph import CONFIGURATION, NodeProcess, ParameterValue
from robot_dynamics.app.launch_arguments import LaunchArgument
from robot_dynamics.core.resources import resource_path

REPLAY_ARGUMENTS = (
    LaunchArgument('bag', '', 'The recording to play: directory or file.'),
    LaunchArgument('robot', '', 'URDF of the robot; empty: the one in the recording.'),
    LaunchArgument('parameters', '', 'Parameter file of the feedforward; empty: that of the '
                   'PA10 on a ship.'),
    LaunchArgument('rate', '1.0', 'How fast to play, 1 is as recorded.'),
    LaunchArgument('base_motion', 'moving', 'What of the base the feedforward knows.',
                   ('moving', 'gravity_only', 'fixed')),
    LaunchArgument('reference_topic', '/reference', 'JointTrajectory in the recording.'),
)


@dataclasses.dataclass(frozen=True)
class Replay:
    """
    A recording played into ``feedforward_node``, on the recording's clock.

    Attributes
    ----------
    bag : str
        The recording.
    robot : str
        URDF; empty: the node takes the recording's ``robot_description``.
    parameters : str
        Parameter file of the feedforward; empty: that of the PA10 on a ship.
    rate : str
        Speed of playing.
    base_motion : str
        As in the feedforward.
    reference_topic : str
        Where the recording has its reference.
    """

    bag: str
    robot: str = ''
    parameters: str = ''
    rate: str = '1.0'
    base_motion: str = 'moving'
    reference_topic: str = '/reference'

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Replay:
        """Return the scenario for the texts of the launch arguments."""
        return cls(**{argument.name: texts[argument.name] for argument in REPLAY_ARGUMENTS})

    def player(self) -> Tuple[str, ...]:
        """Return the command that plays the bag and its clock, after the node is up."""
        return ('ros2', 'bag', 'play', self.bag, '--clock', '100', '--rate', self.rate,
                '--delay', '5.0')

    def feedforward(self) -> NodeProcess:
        """Return the node that the recording is played into."""
        values: Dict[str, ParameterValue] = {
            'use_sim_time': True, 'base_motion': self.base_motion, 'wait_for_reference': True}
        if self.robot:
            values['robot_description'] = self.robot
        return NodeProcess(
            'feedforward_node', 'feedforward', values,
            [('reference', self.reference_topic), ('~/commands', 'replay/commands'),
             ('~/commands_stamped', 'replay/commands_stamped')],
            parameter_file=self.parameters or str(resource_path(CONFIGURATION)))
