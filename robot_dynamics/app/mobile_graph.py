"""The processes of the mobile manipulator's scenario as data; see :mod:`.graph`."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Tuple

from robot_dynamics.app.graph import LOCKSTEP, NodeProcess, ParameterValue, STILL_DECK
from robot_dynamics.core.resources import resource_path

CONFIGURATION = 'config/mobile_manipulator.yaml'
DESCRIPTION = 'urdf/mobile_manipulator.urdf'

ODOMETRY_PERIOD = 0.02  # s, also in the configuration file


@dataclasses.dataclass(frozen=True)
class MobileScenario:
    """
    A simulated arm on a simulated differential drive, with the feedforward closing the loop.

    Attributes
    ----------
    method : str
        ``newton_euler`` or ``lagrange_euler``.
    feedforward : str
        ``coupled``, ``uncoupled`` (platform and arm computed separately), or ``none``: joint
        feedback alone.
    deck : bool
        On the deck of a ship that moves, instead of level ground.
    imu_on : str
        ``deck`` or ``platform``: what the IMU is bolted to.
    mass_error_percent : float
        The simulated robot is heavier than the feedforward believes.
    epoch : float
        ROS time at which ship and reference begin, s.
    lockstep : bool
        The simulation waits for each command, instead of running in real time.
    lead_in : float
        In lockstep: how long before the epoch the simulation starts, s.
    duration : float
        The simulated robot's process ends that long after the epoch, s; 0: never.
    trace_file : str
        Where the simulated robot writes its states; empty: nowhere.
    namespace : str
        For a second robot in the same graph.
    """

    method: str = 'newton_euler'
    feedforward: str = 'coupled'
    deck: bool = False
    imu_on: str = 'deck'
    mass_error_percent: float = 0.0
    epoch: float = 10.0
    lockstep: bool = False
    lead_in: float = 2.0
    duration: float = 0.0
    trace_file: str = ''
    namespace: str = ''

    def processes(self) -> Tuple[NodeProcess, ...]:
        """Return the processes, in the order in which they are best started."""
        common: Dict[str, Any] = {
            'namespace': self.namespace, 'parameter_file': str(resource_path(CONFIGURATION))}
        time: Dict[str, ParameterValue] = {'epoch': self.epoch, 'use_sim_time': self.lockstep}
        deck = {} if self.deck else STILL_DECK
        on_platform = self.imu_on == 'platform'
        description = str(resource_path(DESCRIPTION))
        return (
            *([] if on_platform else [NodeProcess(
                'ship_motion_publisher', 'ship_motion_publisher', {**time, **deck}, **common)]),
            NodeProcess('reference_trajectory_node', 'reference_trajectory', time, **common),
            NodeProcess(
                'feedforward_node', 'feedforward', {
                    'robot_description': description, 'use_sim_time': self.lockstep,
                    'method': self.method, 'feedforward': self.feedforward != 'none',
                    'mobile.imu_on': self.imu_on,
                    'mobile.coupled': self.feedforward != 'uncoupled',
                    'mobile.separate_commands': not self.lockstep,
                    'base_motion': 'moving' if self.deck else 'fixed',
                    'wait_for_reference': True,
                    **(LOCKSTEP if self.lockstep else {}),
                    'lockstep_odometry_period': ODOMETRY_PERIOD if self.lockstep else 0.0},
                [('~/wheel_commands', 'wheel_controller/commands'),
                 ('~/arm_commands', 'arm_controller/commands'),
                 ('~/commands_stamped', 'effort_controller/commands_stamped')], **common),
            NodeProcess(
                'simulated_robot_node', 'simulated_robot', {
                    **time, **deck, 'use_sim_time': False, 'robot_description': description,
                    'lockstep': self.lockstep, 'start_time': self.epoch - self.lead_in,
                    'end_time': self.epoch + self.duration if self.duration else 0.0,
                    'mobile.separate_commands': not self.lockstep,
                    'platform_imu': on_platform,
                    'arm.mass_error_percent': self.mass_error_percent,
                    'trace_file': self.trace_file}, **common),
            NodeProcess(
                'robot_state_publisher', 'robot_state_publisher',
                {'robot_description': resource_path(DESCRIPTION).read_text(encoding='utf-8'),
                 'use_sim_time': self.lockstep},
                package='robot_state_publisher', namespace=self.namespace))
