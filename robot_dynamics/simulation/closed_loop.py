"""
Ship, IMU, simulated robot and feedforward in one loop, without ROS: the demo's figures in seconds.

Everything that is random has a seed, so that a run repeats bit for bit.
"""

from __future__ import annotations

from collections import deque
import dataclasses
from typing import Callable, Optional

import numpy as np

from robot_dynamics.control.command import Command
from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.reference import JointTrajectory, Reference
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.estimation.estimators import ADAPTIVE, make_estimator
from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.plausibility import plausibility_checks
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.demo_feedforward import DEMO_FEEDFORWARD
from robot_dynamics.simulation.motions import demo_sinusoid
from robot_dynamics.simulation.simulated_robot import (
    RobotState, SimulatedRobot, SimulatedRobotConfig)

DEMO_IMU = ImuConfig(
    rate=100.0, orientation_noise=float(np.deg2rad(0.05)), gyro_noise=float(np.deg2rad(0.02)),
    accelerometer_noise=0.02, seed=1)


Controller = Callable[[FeedforwardCore, RobotState, int], Optional[FloatArray]]


@dataclasses.dataclass(frozen=True)
class ClosedLoop:
    """What is run."""

    feedforward: FeedforwardConfig = DEMO_FEEDFORWARD
    robot: SimulatedRobotConfig = SimulatedRobotConfig()
    imu: ImuConfig = DEMO_IMU
    reference_start: float = 1.5  #: When the reference starts, s; until then the arm is held
    duration: float = 12.5  #: Of the run, s
    driving: DrivingConfig = DrivingConfig()  #: Names the wheels of a robot that has some
    odometry_period: float = 0.02  #: s
    #: Where a platform starts on the deck: x, y [m], heading [rad]
    pose: tuple[float, float, float] = (0.0, 0.0, 0.0)
    #: Whether the robot starts where its reference does, instead of where ``robot`` says
    begins_at_reference: bool = False
    #: A command acts this long after the joint state that it answers, uniformly, s
    jitter: tuple[float, float] = (0.001, 0.003)
    #: A joint state tells where the robot was so long before its stamp, s, as those of a
    #: controller manager do
    state_age: float = 0.0
    #: When each joint state was measured and is answered, ns from the beginning, such as a run
    #: elsewhere had them; empty: every period, and ``state_age`` before
    cycles: tuple[tuple[int, int], ...] = ()
    start_ns: int = 1_000_000_000  #: Stamp of the beginning
    ship_epoch: float = 0.0  #: When the ship's time is zero, s from the beginning
    seed: int = 1  #: Of the jitter
    estimator: str = ADAPTIVE  #: Name of the estimator of the base motion

    @property
    def epoch_ns(self) -> int:
        """When the ship's time is zero, ns."""
        return self.start_ns + to_ns(self.ship_epoch)

    def instants_ns(self) -> list[tuple[int, int]]:
        """Return when each joint state is measured and answered, ns."""
        period_ns, age_ns = to_ns(self.feedforward.command_period), to_ns(self.state_age)
        return [(self.start_ns + max(measured, 0), self.start_ns + answered)
                for measured, answered in self.cycles or (
                    (k * period_ns - age_ns, k * period_ns)
                    for k in range(to_ns(self.duration) // period_ns))]


@dataclasses.dataclass(frozen=True, eq=False)
class ClosedLoopResult:
    """What happened, at every joint state."""

    names: tuple[str, ...]
    time: FloatArray  #: (T,), s from the beginning
    position: FloatArray  #: (T, n), rad, true state
    velocity: FloatArray  #: (T, n), rad/s, true state
    desired: FloatArray  #: (T, n), rad, reference at the same instants
    #: (T, n), Nm, command given then, and its feedback part; NaN before the first command
    effort: FloatArray
    feedback: FloatArray
    #: (T, pose_size), true pose of a platform on the deck: x, y [m], heading [rad]; (T, 0) for an
    #: arm
    pose: FloatArray

    def error_rms(self, begin: float, end: float) -> FloatArray:
        """Return the RMS of desired minus true position per joint (n,), rad, from ... to (s)."""
        span = (self.time >= begin) & (self.time < end)
        rms: FloatArray = np.sqrt(((self.desired - self.position)[span]**2).mean(axis=0))
        return rms

    def feedback_share(self, begin: float, end: float) -> float:
        """Return RMS of the feedback over RMS of the effort, all joints."""
        span = (self.time >= begin) & (self.time < end)
        return float(np.sqrt((self.feedback[span]**2).mean() / (self.effort[span]**2).mean()))


def run_closed_loop(model: RobotModel, ship: Optional[ShipMotion], loop: ClosedLoop = ClosedLoop(),
                    reference: Optional[Reference] = None, backend: str = 'numba',
                    watch: Optional[Callable[[Command], None]] = None,
                    estimator: Optional[BaseMotionSource] = None,
                    believed: Optional[RobotModel] = None,
                    push: Optional[Callable[[float], FloatArray]] = None,
                    controller: Optional[Controller] = None) -> ClosedLoopResult:
    """
    Run one mode.

    Parameters
    ----------
    ship : ShipMotion or None
        What the robot stands on and the IMU measures; None: a deck that is level and still.
    reference : Reference, optional
        Of all joints; default: the demo's sinusoids.
    backend : str
        Of the dynamics: ``numba`` or ``interpreted``.
    watch : callable, optional
        Is given every command.
    estimator : BaseMotionSource, optional
        Instead of the one that ``loop`` names.
    believed : RobotModel, optional
        What the feedforward computes with, where that is not the arm itself.
    push : callable, optional
        ``push(time)`` returns what somebody else does to the joints, (n,), Nm.
    controller : callable, optional
        ``controller(core, state, now_ns)`` returns the effort (n,) in Nm that answers a joint
        state instead of the core's command, or None.
    """
    desired = demo_sinusoid(model.joint_names) if reference is None else reference
    support = loop.driving.support(model)
    core = _core(model if believed is None else believed, loop, backend, estimator)
    config = loop.robot if not loop.begins_at_reference else dataclasses.replace(
        loop.robot, initial_position=_beginning(desired, core.model))
    robot = SimulatedRobot(model, ship, config, loop.start_ns, loop.epoch_ns, backend, support,
                           loop.pose if support.pose_size else None)
    imu = _Imu(loop, ship, robot)
    jitter = np.random.default_rng(loop.seed)
    reference_ns = loop.start_ns + to_ns(loop.reference_start)
    length = min(desired.duration, max(1.0, loop.duration - loop.reference_start + 1.0))
    trajectory = JointTrajectory.from_reference(desired, length, start_ns=reference_ns)
    instants_ns = loop.instants_ns()
    to_measure, states = deque(measured for measured, _ in instants_ns), deque[RobotState]()
    count = len(instants_ns)
    shape = (count, len(core.names))
    position, velocity = np.empty(shape), np.empty(shape)
    effort, feedback = np.full(shape, np.nan), np.full(shape, np.nan)
    pose = np.empty((count, support.pose_size))
    odometry_every = max(
        1, to_ns(loop.odometry_period) // to_ns(loop.feedforward.command_period))
    columns = [core.model.index(name) for name in core.names]
    core.on_reference(trajectory, loop.start_ns)
    for k, (_, now_ns) in enumerate(instants_ns):
        while to_measure and to_measure[0] <= now_ns:
            robot.step_to(to_measure.popleft())
            states.append(robot.joint_state())
        state = states.popleft()
        robot.step_to(now_ns)
        pose[k] = robot.pose
        if support.pose_size and k % odometry_every == 0:
            core.on_odometry(now_ns, now_ns, pose[k].tolist())
        true = robot.true_state()
        core.on_joint_state(now_ns, now_ns, state.names, state.position, state.velocity,
                            state.effort)
        imu.deliver(core, now_ns)
        command = core.command(now_ns) if controller is None else None
        answer = controller(core, state, now_ns) if controller is not None else None
        if command is not None:
            answer, feedback[k] = command.effort, command.feedback
            if watch is not None:
                watch(command)
        if answer is not None:
            effort[k] = answer
            acts = answer if push is None else answer + push((now_ns - loop.start_ns) * 1e-9)
            robot.apply(acts, now_ns + to_ns(jitter.uniform(*loop.jitter)), core.names)
        position[k], velocity[k] = true.position[columns], true.velocity[columns]
    time = np.array([1e-9 * (now_ns - loop.start_ns) for _, now_ns in instants_ns])
    wanted = trajectory.for_joints(core.names).sample(time - loop.reference_start)
    return ClosedLoopResult(
        core.names, time, position, velocity, wanted.position, effort, feedback, pose)


def _beginning(reference: Reference, model: RobotModel) -> tuple[float, ...]:
    by_name = dict(zip(reference.names, reference.sample(0.0).position.tolist()))
    return tuple(by_name[name] for name in model.joint_names)


def _core(model: RobotModel, loop: ClosedLoop, backend: str,
          estimator: Optional[BaseMotionSource]) -> FeedforwardCore:
    config, imu = loop.feedforward, loop.imu
    dynamics = loop.driving.dynamics(model, config.method, config.rotor_inertia, backend)
    on_platform = loop.driving.imu_on == 'platform'
    gate = ImuGate(ImuMounting(matrix_from_rpy(imu.mounting_rpy), imu.mounting_xyz),
                   plausibility=plausibility_checks(config.gravity))
    if estimator is None:
        estimator = make_estimator(
            loop.estimator, ImuMounting(ned=False) if on_platform else gate.mounting_behind,
            config.gravity)
    return FeedforwardCore(config, dynamics, estimator, gate=gate, driving=loop.driving)


class _Imu:
    """Delivers the samples of an IMU on the deck or the platform to a core, as they come."""

    def __init__(self, loop: ClosedLoop, ship: Optional[ShipMotion], robot: SimulatedRobot
                 ) -> None:
        still = ShipMotion.regular(
            roll=None, pitch=None, gravity_magnitude=loop.feedforward.gravity)
        self._ship = still if ship is None else ship
        self._robot = robot if loop.driving.imu_on == 'platform' else None
        self._sensor = ImuModel(loop.imu)
        self._point = loop.robot.base_point
        self._epoch_ns, self._next_ns = loop.epoch_ns, loop.start_ns
        self._period_ns = to_ns(1.0 / loop.imu.rate)
        self._under_way: list[tuple[int, ImuSample]] = []

    def deliver(self, core: FeedforwardCore, now_ns: int) -> None:
        """Measure what is due, and hand over what has arrived."""
        while self._next_ns <= now_ns:
            if self._robot is not None:
                sample = self._sensor.measure(now_ns, *self._robot.base_link_motion())
            else:
                sample = self._sensor.measure_ship(
                    self._next_ns, self._ship, (self._next_ns - self._epoch_ns) * 1e-9,
                    self._point)
            if sample is not None:
                self._under_way.append((self._sensor.arrival_ns(sample), sample))
            self._next_ns += self._period_ns
        arrived = [pair for pair in self._under_way if pair[0] <= now_ns]
        self._under_way = [pair for pair in self._under_way if pair[0] > now_ns]
        for arrival_ns, sample in arrived:
            core.on_base_sample(sample, arrival_ns)
