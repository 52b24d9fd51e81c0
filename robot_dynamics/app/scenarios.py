"""The scenarios: a PA10 on a ship, an arm on wheels, a recording played into the feedforward."""

from __future__ import annotations

import dataclasses
from pathlib import Path
import shutil
from typing import ClassVar, Sequence, Tuple

from robot_dynamics.app.graph import (
    AnyProcess, CommandProcess, FRICTION_ERROR_PERCENT, NodeProcess, Parameters, Scenario,
    Simulation, STILL_DECK)
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import parameter
from robot_dynamics.core.resources import resource_path
from robot_dynamics.simulation.demo_feedforward import DEMO_DRIVES

PLAYER = 'ros2'
ODOMETRY_PERIOD = 0.02  # s, also in the configuration file
# 1/s: more than the PA10's friction changes by where a wrist turns round: 70 in the demo's motion,
# 130 at the pace of the paper
TURNING_RATE = 300.0


@dataclasses.dataclass(frozen=True)
class ShipPa10(Simulation):
    """A simulated PA10 on a moving ship."""

    CONFIGURATION: ClassVar[str] = 'config/ship_pa10.yaml'
    DESCRIPTION: ClassVar[str] = 'urdf/pa10.urdf'
    RVIZ_CONFIGURATION: ClassVar[str] = 'config/ship_pa10.rviz'

    base_motion: str = parameter(
        'moving', 'what of the ship the feedforward knows; none: joint feedback alone',
        choices=('moving', 'gravity_only', 'fixed', 'none'))
    still_deck: bool = parameter(False, 'whether the ship lies still')
    sea_state: int = parameter(
        0, 'WMO sea state of an irregular sea, 1 to 8; 0: the sinusoids of the paper', '', 0, 8)
    wave_direction_deg: float = parameter(
        90.0, 'where the waves travel to, from the bow: 0 following, 90 beam, 180 head sea',
        'deg', -360.0, 360.0)
    sea_seed: int = parameter(0, 'seed of the irregular sea', '', 0, 2**31 - 1)
    base_distance: float = parameter(
        0.0, 'how far ahead of the rotation centre of the ship the arm stands', 'm', -200.0,
        200.0)
    estimator: str = parameter('adaptive', 'estimator of the base motion',
                               choices=('adaptive', 'savitzky_golay'))
    friction: bool = parameter(
        False, f'whether the arm has rotors, and friction that is {FRICTION_ERROR_PERCENT:g} % '
        'more than the feedforward believes')
    identified: str = parameter(
        '', 'file of identified parameters of the arm that the feedforward believes; empty: its '
        'description')
    reference_file: str = parameter(
        '', 'trajectory that the arm follows, as robot-dynamics excite writes it; empty: the '
        "paper's sinusoids, slowed to the arm's limits")
    guard: bool = parameter(
        True, 'whether an effort guard stands between feedforward and arm (not in lockstep, '
        'where the arm waits for the feedforward anyway)')
    rviz: bool = parameter(False, 'whether to show the arm in rviz (needs ROS 2 installed)')

    def _ship(self) -> Parameters:
        if self.still_deck:
            return STILL_DECK
        if not self.sea_state:
            return {}
        return {'ship.mode': 'irregular', 'ship.sea_state': self.sea_state,
                'ship.wave_direction_deg': self.wave_direction_deg, 'ship.seed': self.sea_seed}

    def _ship_publisher(self) -> Parameters:
        return {'base_point': [self.base_distance, 0.0, 0.0]}

    def _feedforward(self) -> Parameters:
        feedback_only = self.base_motion == 'none'
        return {'friction': self.friction, 'rotor_inertia': self.friction,
                **({'feedback_inertia_ratio': DEMO_DRIVES.feedback_inertia_ratio}
                   if self.friction else {}),
                **({'model.identified': self.identified} if self.identified else {}),
                'estimator': self.estimator, 'feedforward': not feedback_only,
                'base_motion': 'fixed' if feedback_only else self.base_motion}

    def _guard(self) -> Parameters:
        return {'limits.rate_of_limit': TURNING_RATE} if self.friction else {}

    def _reference(self) -> Parameters:
        return {'motion': 'file', 'file': self.reference_file} if self.reference_file else {}

    def _command_topics(self) -> Sequence[Tuple[str, str]]:
        return () if self._is_guarded() else [('~/commands', 'effort_controller/commands')]

    def _is_guarded(self) -> bool:
        return self.guard and not self.lockstep

    def _robot(self) -> Parameters:
        return {'arm.base_point': [self.base_distance, 0.0, 0.0],
                'arm.friction': self.friction, 'arm.rotor_inertia': self.friction,
                'arm.friction_error_percent': FRICTION_ERROR_PERCENT}

    def _has_rviz(self) -> bool:
        return self.rviz


@dataclasses.dataclass(frozen=True)
class MobileScenario(Simulation):
    """A simulated arm on a simulated differential drive."""

    CONFIGURATION: ClassVar[str] = 'config/mobile_manipulator.yaml'
    DESCRIPTION: ClassVar[str] = 'urdf/mobile_manipulator.urdf'

    feedforward: str = parameter(
        'coupled', 'whether wheels and arm are computed together; none: joint feedback alone',
        choices=('coupled', 'uncoupled', 'none'))
    deck: bool = parameter(
        False, 'whether the robot stands on the deck of a ship that moves, instead of level '
        'ground')
    imu_on: str = parameter(
        'deck', 'what the IMU is bolted to; on the platform it feels the wheels, too',
        choices=('deck', 'platform'))

    def _ship(self) -> Parameters:
        return {} if self.deck else STILL_DECK

    def _has_ship_publisher(self) -> bool:
        return self.imu_on == 'deck'

    def _feedforward(self) -> Parameters:
        return {'feedforward': self.feedforward != 'none',
                'base_motion': 'moving' if self.deck else 'fixed',
                'mobile.imu_on': self.imu_on,
                'mobile.coupled': self.feedforward != 'uncoupled',
                'mobile.separate_commands': not self.lockstep,
                'lockstep_odometry_period': ODOMETRY_PERIOD if self.lockstep else 0.0}

    def _command_topics(self) -> Sequence[Tuple[str, str]]:
        return [('~/wheel_commands', 'wheel_controller/commands'),
                ('~/arm_commands', 'arm_controller/commands')]

    def _robot(self) -> Parameters:
        return {'mobile.separate_commands': not self.lockstep,
                'platform_imu': self.imu_on == 'platform'}


@dataclasses.dataclass(frozen=True)
class Replay(Scenario):
    """A recording played into ``feedforward_node``, on the recording's clock."""

    REQUIRED: ClassVar[Tuple[str, ...]] = ('bag',)

    bag: str = parameter('', 'the recording to play: directory or file')
    robot: str = parameter('', 'URDF of the robot; empty: the one in the recording')
    parameters: str = parameter(
        '', 'parameter file of the feedforward; empty: that of the PA10 on a ship')
    rate: float = parameter(1.0, 'how fast to play, 1 is as recorded', '', 1e-3, 1e3)
    base_motion: str = parameter('moving', 'what of the base the feedforward knows',
                                 choices=('moving', 'gravity_only', 'fixed'))
    reference_topic: str = parameter('/reference', 'JointTrajectory in the recording')

    def check(self) -> None:
        """Refuse files that are not there, and a player that is not installed."""
        for name in ('bag', 'robot', 'parameters'):
            path = getattr(self, name)
            if path and not path.lstrip().startswith('<') and not Path(path).exists():
                raise ConfigurationError(f'{name}:={path}: there is no such file or directory')
        if shutil.which(PLAYER) is None:
            raise ConfigurationError(f'{PLAYER} is not on PATH: source a ROS installation; '
                                     '"ros2 bag play" plays the recording')

    def processes(self) -> Tuple[AnyProcess, ...]:
        """Return the feedforward, and the player that starts after the node is up."""
        description: Parameters = {'robot_description': self.robot} if self.robot else {}
        return (
            NodeProcess(
                'feedforward_node', 'feedforward', {
                    'use_sim_time': True, 'base_motion': self.base_motion,
                    'wait_for_reference': True, **description},
                [('reference', self.reference_topic), ('~/commands', 'replay/commands'),
                 ('~/commands_stamped', 'replay/commands_stamped')],
                parameter_file=self.parameters or str(resource_path(ShipPa10.CONFIGURATION))),
            CommandProcess('player', (
                PLAYER, 'bag', 'play', self.bag, '--clock', '100', '--rate', f'{self.rate:g}',
                '--delay', '5.0')))
