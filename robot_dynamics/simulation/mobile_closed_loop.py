"""
Ship, IMU, simulated mobile manipulator and feedforward in one loop, without ROS.

Everything that is random has a seed, so that a run repeats bit for bit.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

import numpy as np

from robot_dynamics.control.mobile_config import MobileConfig
from robot_dynamics.control.mobile_feedforward import MobileFeedforwardCore
from robot_dynamics.control.reference import JointTrajectory, Reference
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.estimation.estimators import make_estimator, SAVITZKY_GOLAY
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sensor_model import ImuModel
from robot_dynamics.motion import rotations
from robot_dynamics.simulation.closed_loop import ClosedLoop, ClosedLoopResult
from robot_dynamics.simulation.mobile_motions import table_3_motion
from robot_dynamics.simulation.simulated_mobile_robot import SimulatedMobileRobot

COUPLED, UNCOUPLED, FEEDBACK_ONLY = 'coupled', 'uncoupled', 'feedback_only'
MODES = (FEEDBACK_ONLY, UNCOUPLED, COUPLED)
SETTLING = 1.5  # s before the reference starts
AFTER = 0.5     # s after it has ended
WHEELS = MobileConfig(left_wheel='left_wheel_joint', right_wheel='right_wheel_joint')


@dataclasses.dataclass(frozen=True)
class MobileLoop:
    """
    What is run.

    Attributes
    ----------
    loop : ClosedLoop
        Feedforward, IMU, simulated arm, jitter; start, duration and initial position follow
        from the reference.
    mobile : MobileConfig
    odometry_period : float
        s.
    pose : tuple of 3 float
        Where the platform starts on the deck: x, y [m], heading [rad].
    """

    loop: ClosedLoop = ClosedLoop(estimator=SAVITZKY_GOLAY)
    mobile: MobileConfig = WHEELS
    odometry_period: float = 0.02
    pose: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def in_mode(self, mode: str, moving_deck: bool) -> MobileLoop:
        """Return the same loop with the feedforward of a mode."""
        feedforward = dataclasses.replace(
            self.loop.feedforward, feedforward=mode != FEEDBACK_ONLY,
            base_motion='moving' if moving_deck else 'fixed')
        return dataclasses.replace(
            self, loop=dataclasses.replace(self.loop, feedforward=feedforward),
            mobile=dataclasses.replace(self.mobile, coupled=mode == COUPLED))


@dataclasses.dataclass(frozen=True, eq=False)
class MobileLoopResult(ClosedLoopResult):
    """
    What happened, at every joint state; wheels and arm in rad.

    Attributes
    ----------
    pose : (T, 3) array
        True pose on the deck: x, y [m], heading [rad].
    start, end : float
        When the reference starts and ends, s from the beginning.
    """

    pose: FloatArray
    start: float
    end: float

    @property
    def rms(self) -> FloatArray:
        """RMS of desired minus true position per joint while the reference moves, (n,) rad."""
        return self.error_rms(self.start, self.end)

    @property
    def overall(self) -> float:
        """The same over all joints, rad."""
        return float(np.sqrt((self.rms**2).mean()))


def run_mobile_loop(model: Any, ship: Any = None, mode: str = COUPLED,
                    loop: MobileLoop = MobileLoop(), reference: Optional[Reference] = None,
                    backend: str = 'numba') -> MobileLoopResult:
    """
    Run one mode.

    Parameters
    ----------
    model : RobotModel
    ship : ShipMotion or None
        What moves the deck and is measured by the IMU; None: level ground that is known to be.
    mode : str
        'coupled', 'uncoupled' (platform and arm computed separately) or 'feedback_only'.
    loop : MobileLoop
    reference : Reference, optional
        Of all joints; default: Table 3 of the paper.
    backend : str
        Of the dynamics.
    """
    desired = table_3_motion() if reference is None else reference
    loop = loop.in_mode(mode, ship is not None)
    plain = loop.loop
    start_ns, period_ns = plain.start_ns, to_ns(plain.feedforward.command_period)
    believed = loop.mobile.robot(model, plain.feedforward.method, backend=backend)
    true = loop.mobile.robot(model, backend=backend)
    simulated = SimulatedMobileRobot(
        true, ship, dataclasses.replace(plain.robot, initial_position=_start(desired, true)),
        loop.pose, start_ns, start_ns)
    sensor = _Sensor(loop, simulated, ship)
    core = MobileFeedforwardCore(
        plain.feedforward, believed, make_estimator(
            plain.estimator, gravity_magnitude=plain.feedforward.gravity,
            window=plain.estimator_window), loop.mobile, sensor.mounting)
    trajectory = JointTrajectory.from_reference(desired, start_ns=start_ns + to_ns(SETTLING))
    duration = SETTLING + desired.duration + AFTER
    count = to_ns(duration) // period_ns
    position, velocity = np.empty((2, count, len(core.names)))
    effort, feedback = np.full((2, count, len(core.names)), np.nan)
    pose = np.empty((count, 3))
    jitter = np.random.default_rng(plain.seed)
    every = max(1, to_ns(loop.odometry_period) // period_ns)
    core.on_reference(trajectory, start_ns)
    for k in range(count):
        now_ns = start_ns + k * period_ns
        simulated.step_to(now_ns)
        odometry = simulated.odometry()
        if k % every == 0:
            core.on_odometry(now_ns, now_ns, odometry.pose.tolist())
        state, exact = simulated.joint_state(), simulated.true_state()
        core.on_joint_state(now_ns, now_ns, state.names, state.position, state.velocity,
                            state.effort)
        sensor.deliver(core, now_ns)
        command = core.command(now_ns)
        if command is not None:
            simulated.apply(command.effort, now_ns + to_ns(jitter.uniform(*plain.jitter)),
                            command.names)
            effort[k], feedback[k] = command.effort, command.feedback
        position[k], velocity[k], pose[k] = exact.position, exact.velocity, odometry.pose
    time = np.arange(count, dtype=np.float64)
    time *= period_ns * 1e-9
    wanted = trajectory.for_joints(core.names).sample(time - SETTLING).position
    return MobileLoopResult(core.names, time, position, velocity, wanted, effort, feedback, pose,
                            SETTLING, SETTLING + desired.duration)


def _start(reference: Reference, robot: Any) -> tuple[float, ...]:
    by_name = dict(zip(reference.names, reference.sample(0.0).position))
    return tuple(float(by_name[name]) for name in robot.model.joint_names)


class _Sensor:
    """An IMU on the deck or on the platform, whose samples come as they are measured."""

    def __init__(self, loop: MobileLoop, robot: SimulatedMobileRobot, ship: Any) -> None:
        self._on_platform = loop.mobile.imu_on == 'platform'
        self._robot, self._ship = robot, ship
        config = loop.loop.imu
        self._model = ImuModel(config)
        self._point = loop.loop.robot.base_point
        self._epoch_ns = self._next_ns = loop.loop.start_ns
        self._period_ns = to_ns(1.0 / config.rate)
        self.mounting = ImuMounting(rotations.matrix_from_rpy(config.mounting_rpy),
                                    config.mounting_xyz) if self._on_platform else None

    def deliver(self, core: MobileFeedforwardCore, now_ns: int) -> None:
        """Measure what is due now, and hand it over."""
        if self._ship is None or now_ns < self._next_ns:
            return
        self._next_ns += self._period_ns
        if self._on_platform:
            sample = self._model.measure(now_ns, *self._robot.platform_motion())
        else:
            sample = self._model.measure_ship(
                now_ns, self._ship, (now_ns - self._epoch_ns) * 1e-9, self._point)
        if sample is not None:
            core.on_base_sample(sample, now_ns)
