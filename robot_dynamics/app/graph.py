"""
The processes of a scenario as data.

Launch files and the demo read the same list, so that what is shown cannot drift apart from what
users start.  The scenarios themselves are in :mod:`.scenarios`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
import dataclasses
import time
from typing import Any, ClassVar, Dict, Mapping, Sequence, Tuple, Type, TypeVar, Union

from robot_dynamics.app.launch_arguments import (
    config_from_texts, launch_arguments, LaunchArgument)
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.resources import PACKAGE, resource_path
import yaml

ParameterValue = Union[bool, int, float, str, Sequence[float], Sequence[str]]
Parameters = Dict[str, ParameterValue]
AnyScenario = TypeVar('AnyScenario', bound='Scenario')

FRICTION_ERROR_PERCENT = 30.0  # dry friction is rarely known better
LEAD_TIME = 8.0  # s from the start of the launch to the epoch: what the nodes need to start
LOCKSTEP_EPOCH = 10.0  # s

# In lockstep time stands still until the first command, so nothing can settle before it.
LOCKSTEP: Parameters = {'lockstep_base_period': 0.01, 'watchdog.base_settling': 0.0}
STILL_DECK: Parameters = {
    'ship.mode': 'regular',
    'ship.roll.amplitude': [0.0], 'ship.pitch.amplitude': [0.0]}


@dataclasses.dataclass(frozen=True)
class NodeProcess:
    """One process with one node."""

    executable: str  #: Console script, and module in ``robot_dynamics.nodes``
    name: str  #: Name of the node
    parameters: Mapping[str, ParameterValue]  #: Beyond those of ``parameter_file``; they win
    remappings: Sequence[Tuple[str, str]] = ()  #: From topic to topic
    namespace: str = ''  #: Empty for none
    package: str = PACKAGE  #: Package of the executable
    parameter_file: str = ''  #: Path of a YAML file; empty for none
    arguments: Sequence[str] = ()  #: Words for the command line


@dataclasses.dataclass(frozen=True)
class CommandProcess:
    """One process that is no node: its name, and its command word by word."""

    name: str
    words: Sequence[str]


AnyProcess = Union[NodeProcess, CommandProcess]


class Scenario(Configuration, ABC):
    """What a launch file starts; its parameters are the launch file's arguments."""

    REQUIRED: ClassVar[Tuple[str, ...]] = ()  # arguments without a default

    @classmethod
    def arguments(cls) -> Tuple[LaunchArgument, ...]:
        """List the arguments of the launch file."""
        return launch_arguments(cls, cls.REQUIRED)

    @classmethod
    def from_texts(cls: Type[AnyScenario], texts: Mapping[str, str]) -> AnyScenario:
        """Return the scenario for the texts of the arguments."""
        return config_from_texts(cls, texts)

    def check(self) -> None:
        """Refuse what could not work, before anything is started."""

    @abstractmethod
    def processes(self) -> Tuple[AnyProcess, ...]:
        """Return the processes, in the order in which they are best started."""


@dataclasses.dataclass(frozen=True)
class Simulation(Scenario):
    """
    A simulated robot, with the feedforward closing the loop over DDS.

    A subclass says which robot, and what else its nodes need.
    """

    CONFIGURATION: ClassVar[str]
    DESCRIPTION: ClassVar[str]
    RVIZ_CONFIGURATION: ClassVar[str] = ''

    method: str = parameter('newton_euler', 'formulation of the dynamics',
                            choices=('newton_euler', 'lagrange_euler'))
    mass_error_percent: float = parameter(
        0.0, 'by how much the simulated robot is heavier than the feedforward believes', '%',
        -90.0, 900.0)
    lockstep: bool = parameter(
        False, 'whether the simulation owns /clock and waits for every command, so that a run is '
        'the same on any machine')
    epoch: float = parameter(
        0.0, 'ROS time at which ship and reference begin; 0: the ship some seconds after the '
        'start, and the reference once the feedforward is active', 's', 0.0, 1e11)
    duration: float = parameter(
        0.0, 'how long after the epoch the simulated robot ends; 0: never', 's', 0.0, 1e9)
    namespace: str = parameter('', 'namespace of all nodes, for a second robot')
    lead_in: float = 2.0  #: In lockstep: how long before the epoch the simulation starts, s
    trace_file: str = ''  #: Where the simulated robot writes its states; empty: nowhere

    @classmethod
    def configuration(cls, node: str) -> Dict[str, Any]:
        """Return the parameters that the configuration file gives a node."""
        text = resource_path(cls.CONFIGURATION).read_text(encoding='utf-8')
        values = yaml.safe_load(text)
        return {name: value for key in ('/**', f'/**/{node}')
                for name, value in values.get(key, {}).get('ros__parameters', {}).items()}

    def feedforward_parameters(self) -> Dict[str, Any]:
        """Return the feedforward's parameters: of the configuration file, and of this scenario."""
        return {**self.configuration('feedforward'), **self._feedforward()}

    def processes(self) -> Tuple[NodeProcess, ...]:
        """Return the processes, in the order in which they are best started."""
        description = str(resource_path(self.DESCRIPTION))
        epoch = self.epoch or (
            LOCKSTEP_EPOCH if self.lockstep else round(time.time() + LEAD_TIME, 3))
        clock: Parameters = {'epoch': epoch, 'use_sim_time': self.lockstep}
        waits = not self.epoch and not self.lockstep
        return (
            *([self._node('ship_motion_publisher', 'ship_motion_publisher', clock, self._ship(),
                          self._ship_publisher())] if self._has_ship_publisher() else []),
            self._node('reference_trajectory_node', 'reference_trajectory', clock,
                       {'start_after': 'feedforward/state' if waits else ''},
                       self._reference()),
            self._node(
                'feedforward_node', 'feedforward', {
                    'robot_description': description, 'use_sim_time': self.lockstep,
                    'method': self.method, 'wait_for_reference': not waits,
                    **(LOCKSTEP if self.lockstep else {})}, self._feedforward(),
                remappings=[('~/commands_stamped', 'effort_controller/commands_stamped'),
                            *self._command_topics()]),
            *([self._node('effort_guard_node', 'effort_guard',
                          {'robot_description': description}, self._guard())]
              if self._is_guarded() else []),
            self._node(
                'simulated_robot_node', 'simulated_robot', clock, self._ship(), {
                    'use_sim_time': False, 'robot_description': description,
                    'lockstep': self.lockstep, 'start_time': epoch - self.lead_in,
                    'end_time': epoch + self.duration if self.duration else 0.0,
                    'arm.mass_error_percent': self.mass_error_percent,
                    'trace_file': self.trace_file}, self._robot()),
            *self._viewers())

    def _ship(self) -> Parameters:
        """Return how the ship moves, for the nodes that need to know."""
        return {}

    def _has_ship_publisher(self) -> bool:
        return True

    def _ship_publisher(self) -> Parameters:
        return {}

    def _reference(self) -> Parameters:
        return {}

    def _feedforward(self) -> Parameters:
        return {}

    def _command_topics(self) -> Sequence[Tuple[str, str]]:
        """Return where the feedforward's commands go."""
        return ()

    def _is_guarded(self) -> bool:
        return False

    def _guard(self) -> Parameters:
        return {}

    def _robot(self) -> Parameters:
        return {}

    def _has_rviz(self) -> bool:
        return False

    def _node(self, executable: str, name: str, *parameters: Mapping[str, ParameterValue],
              remappings: Sequence[Tuple[str, str]] = ()) -> NodeProcess:
        merged = {key: value for part in parameters for key, value in part.items()}
        return NodeProcess(executable, name, merged, remappings, self.namespace,
                           parameter_file=str(resource_path(self.CONFIGURATION)))

    def _viewers(self) -> Tuple[NodeProcess, ...]:
        """Return what only a ROS 2 installation has."""
        publisher = NodeProcess(
            'robot_state_publisher', 'robot_state_publisher',
            {'robot_description': resource_path(self.DESCRIPTION).read_text(encoding='utf-8'),
             'use_sim_time': self.lockstep},
            package='robot_state_publisher', namespace=self.namespace)
        if not self._has_rviz():
            return (publisher,)
        return publisher, NodeProcess(
            'rviz2', 'rviz2', {'use_sim_time': self.lockstep}, package='rviz2',
            namespace=self.namespace,
            arguments=['-d', str(resource_path(self.RVIZ_CONFIGURATION))])
