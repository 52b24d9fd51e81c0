"""
The processes of a scenario as data.

Launch files and the demo read the same list, so that what is shown cannot drift apart from what
users start.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Mapping, Sequence, Tuple, Union

from robot_dynamics.core.resources import PACKAGE, resource_path

ParameterValue = Union[bool, int, float, str, Sequence[float], Sequence[str]]

CONFIGURATION = 'config/ship_pa10.yaml'
DESCRIPTION = 'urdf/pa10.urdf'
RVIZ_CONFIGURATION = 'config/ship_pa10.rviz'

FRICTION_ERROR_PERCENT = 30.0  # dry friction is rarely known better

# In lockstep time stands still until the first command, so nothing can settle before it.
LOCKSTEP: Dict[str, ParameterValue] = {
    'lockstep_base_period': 0.01, 'watchdog.base_settling': 0.0}
STILL_DECK: Dict[str, ParameterValue] = {
    'ship.mode': 'regular',
    'ship.roll.amplitude': [0.0], 'ship.pitch.amplitude': [0.0]}


@dataclasses.dataclass(frozen=True)
class NodeProcess:
    """
    One process with one node.

    Attributes
    ----------
    executable : str
        Console script, and module in ``robot_dynamics.nodes``.
    name : str
        Name of the node.
    parameters : mapping
        Beyond those of ``parameter_file``; they win.
    remappings : sequence of (str, str)
        From topic to topic.
    namespace : str
        Empty for none.
    package : str
        Package of the executable.
    parameter_file : str
        Path of a YAML file; empty for none.
    arguments : sequence of str
        Words for the command line.
    """

    executable: str
    name: str
    parameters: Mapping[str, ParameterValue]
    remappings: Sequence[Tuple[str, str]] = ()
    namespace: str = ''
    package: str = PACKAGE
    parameter_file: str = ''
    arguments: Sequence[str] = ()


@dataclasses.dataclass(frozen=True)
class ShipPa10:
    """
    A simulated PA10 on a moving ship, with the feedforward closing the loop.

    Attributes
    ----------
    method : str
        ``newton_euler`` or ``lagrange_euler``.
    base_motion : str
        ``moving``, ``fixed``, ``gravity_only``, or ``none``: joint feedback alone.
    still_deck : bool
        The ship does not move.
    sea_state : int
        The ship moves in an irregular sea of this state; 0: in the sinusoids of the paper.
    wave_direction_deg : float
        Where the waves travel to, from the bow, deg: 90 is a beam sea, 180 a head sea.
    sea_seed : int
        Of the waves.
    base_distance : float
        The arm's base lies so far ahead of the ship's rotation centre, m.
    estimator : str
        Of the base motion, ``adaptive`` or ``savitzky_golay``.
    friction : bool
        The arm has drives: friction, 30 % more than the feedforward believes, and rotors.
    mass_error_percent : float
        The simulated arm is heavier than the feedforward believes.
    epoch : float
        ROS time at which ship and reference begin, s.
    lockstep : bool
        The simulation waits for each command, instead of running in real time.
    lead_in : float
        In lockstep: how long before the epoch the simulation starts, s.
    duration : float
        The simulated arm's process ends that long after the epoch, s; 0: never.
    trace_file : str
        Where the simulated arm writes its states; empty: nowhere.
    guard : bool
        An effort guard stands between feedforward and arm; not in lockstep, where the arm
        waits for the feedforward anyway.
    namespace : str
        For a second robot in the same graph.
    rviz : bool
        With rviz; needs ROS 2 installed.
    """

    method: str = 'newton_euler'
    base_motion: str = 'moving'
    still_deck: bool = False
    sea_state: int = 0
    wave_direction_deg: float = 90.0
    sea_seed: int = 0
    base_distance: float = 0.0
    estimator: str = 'adaptive'
    friction: bool = False
    mass_error_percent: float = 0.0
    epoch: float = 10.0
    lockstep: bool = False
    lead_in: float = 2.0
    duration: float = 0.0
    trace_file: str = ''
    guard: bool = False
    namespace: str = ''
    rviz: bool = False

    @property
    def guarded(self) -> bool:
        """Whether there is a guard."""
        return self.guard and not self.lockstep

    def processes(self) -> Tuple[NodeProcess, ...]:
        """Return the processes, in the order in which they are best started."""
        common: Dict[str, Any] = {
            'namespace': self.namespace, 'parameter_file': str(resource_path(CONFIGURATION))}
        time: Dict[str, ParameterValue] = {'epoch': self.epoch, 'use_sim_time': self.lockstep}
        ship, place = self._ship(), [self.base_distance, 0.0, 0.0]
        description = str(resource_path(DESCRIPTION))
        return (
            NodeProcess('ship_motion_publisher', 'ship_motion_publisher',
                        {**time, **ship, 'base_point': place}, **common),
            NodeProcess('reference_trajectory_node', 'reference_trajectory', time, **common),
            NodeProcess(
                'feedforward_node', 'feedforward', {
                    'robot_description': description, 'use_sim_time': self.lockstep,
                    'friction': self.friction, 'rotor_inertia': self.friction,
                    'method': self.method, 'estimator': self.estimator,
                    'feedforward': self.base_motion != 'none',
                    'base_motion': 'fixed' if self.base_motion == 'none' else self.base_motion,
                    'wait_for_reference': True, **(LOCKSTEP if self.lockstep else {})},
                [('~/commands_stamped', 'effort_controller/commands_stamped'),
                 *([] if self.guarded else [('~/commands', 'effort_controller/commands')])],
                **common),
            *([NodeProcess('effort_guard_node', 'effort_guard',
                           {'robot_description': description}, **common)]
              if self.guarded else []),
            NodeProcess(
                'simulated_robot_node', 'simulated_robot', {
                    **time, **ship, 'use_sim_time': False, 'arm.base_point': place,
                    'robot_description': description,
                    'lockstep': self.lockstep, 'start_time': self.epoch - self.lead_in,
                    'end_time': self.epoch + self.duration if self.duration else 0.0,
                    'arm.friction': self.friction, 'arm.rotor_inertia': self.friction,
                    'arm.friction_error_percent': FRICTION_ERROR_PERCENT,
                    'arm.mass_error_percent': self.mass_error_percent,
                    'trace_file': self.trace_file}, **common),
            *self._viewers())

    def _ship(self) -> Dict[str, ParameterValue]:
        """Return how the ship moves, for the nodes that need to know."""
        if self.still_deck:
            return STILL_DECK
        if not self.sea_state:
            return {}
        return {'ship.mode': 'irregular', 'ship.sea_state': self.sea_state,
                'ship.wave_direction_deg': self.wave_direction_deg, 'ship.seed': self.sea_seed}

    def _viewers(self) -> Tuple[NodeProcess, ...]:
        """Return what only a ROS 2 installation has."""
        publisher = NodeProcess(
            'robot_state_publisher', 'robot_state_publisher',
            {'robot_description': resource_path(DESCRIPTION).read_text(encoding='utf-8'),
             'use_sim_time': self.lockstep},
            package='robot_state_publisher', namespace=self.namespace)
        rviz = NodeProcess(
            'rviz2', 'rviz2', {'use_sim_time': self.lockstep}, package='rviz2',
            namespace=self.namespace, arguments=['-d', str(resource_path(RVIZ_CONFIGURATION))])
        return (publisher, rviz) if self.rviz else (publisher,)
