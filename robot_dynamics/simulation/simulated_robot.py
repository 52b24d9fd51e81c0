"""A simulated robot on a moving deck, with held commands, effort limits, stops and a brake."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.gate import as_vector, FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.per_joint import per_joint
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.dynamics.forward import ForwardDynamics
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.platform_motion import platform_motion
from robot_dynamics.dynamics.supports.protocol import Support
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.integration import runge_kutta_step
from robot_dynamics.simulation.simulated_friction import FrictionStep

LONGEST_SUBSTEP = 0.02  # s: a posture moves by 0.12 rad at the wrist of a PA10 at full speed


@dataclasses.dataclass(frozen=True)
class SimulatedRobotConfig(Configuration):
    """What the simulated arm is and does."""

    substep: float = parameter(
        0.0005, 'longest step of the integration', 's', 1e-6, 0.01, live=False)
    base_point: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'arm base in deck axes, from the rotation centre', 'm', -1e3, 1e3,
        live=False)
    initial_position: tuple[float, ...] = parameter(
        (0.0,), 'joint positions at the start, one value or one per joint', 'rad', -100.0, 100.0,
        live=False)
    friction: bool = parameter(False, 'with the friction of the description', live=False)
    friction_error_percent: float = parameter(
        0.0, 'the friction exceeds that of the description by this', '%', -100.0, 900.0,
        live=False)
    rotor_inertia: bool = parameter(False, 'with reflected rotor inertia', live=False)
    mass_error_percent: float = parameter(
        0.0, 'the masses and inertias exceed those of the description by this', '%', -90.0,
        900.0, live=False)
    effort_limits: bool = parameter(True, 'cut efforts at the limits of the description')
    position_limits: bool = parameter(True, 'stop joints at the limits of the description')
    brake: bool = parameter(True, 'hold the arm until the first valid command', live=False)
    position_noise: float = parameter(
        0.0, 'standard deviation of the reported positions', 'rad', 0.0, 0.1)
    velocity_noise: float = parameter(
        0.0, 'standard deviation of the reported velocities', 'rad/s', 0.0, 1.0)
    seed: int = parameter(1, 'of the noise', '', 0, 2**31 - 1, live=False)


@dataclasses.dataclass(frozen=True, eq=False)
class RobotState:
    """What a joint state message reports."""

    stamp_ns: int
    names: tuple[str, ...]  #: Order of the model
    position: FloatArray  #: (nv,), rad
    velocity: FloatArray  #: (nv,), rad/s
    #: (nv,), Nm, that a sensor at the joint reads: what acts, or while the brake is on, what the
    #: brake carries
    effort: FloatArray


class Odometry(NamedTuple):
    """What odometry of a platform reports."""

    stamp_ns: int
    pose: FloatArray  #: (3,), x, y [m], heading [rad] on the deck
    #: Speeds in the platform's axes, m/s
    forward: float
    left: float
    turning_rate: float  #: rad/s


class SimulatedRobot:
    """
    Forward dynamics of a robot on a ship, bolted down or on wheels, stepped from stamp to stamp.

    The equations of motion are integrated by the classical fourth-order Runge-Kutta method with
    the exact ship motion at every stage; each change of the command starts a new step.  Friction,
    which is too stiff for that, follows each step implicitly.

    Parameters
    ----------
    ship : ShipMotion or None
        Evaluated at ``config.base_point``, where the arm stands, or the origin of the deck's
        frame in which the platform drives; None: level and still.
    start_ns : int
        Stamp of the initial state, ns.
    epoch_ns : int
        Stamp at which the ship's time is zero, ns.
    backend : str
        Of the dynamics: ``numba`` or ``interpreted``.
    support : Support, optional
        What the robot stands on; by default it is bolted to its base.
    pose : array_like, (pose_size,), optional
        At the start: x, y [m], heading [rad] of a platform on the deck.

    Attributes
    ----------
    names : tuple of str
        Joints, in the order of the dynamics: wheels first.
    stamp_ns : int
        Of the present state.
    braked : bool
        Whether the brake still holds the arm.
    """

    def __init__(self, model: RobotModel, ship: Optional[ShipMotion],
                 config: Optional[SimulatedRobotConfig] = None, start_ns: int = 0,
                 epoch_ns: int = 0, backend: str = 'numba', support: Support = FixedMount(),
                 pose: Optional[ArrayLike] = None) -> None:
        self.config = config or SimulatedRobotConfig()
        self.stamp_ns = start_ns
        self.braked = self.config.brake
        self.support = support
        self._ship = ship
        self._epoch_ns = epoch_ns
        # (k M) qdd + k h = tau is M qdd + h = tau / k
        self._scale = 1.0 + self.config.mass_error_percent / 100.0
        rotor = self.config.rotor_inertia
        self._forward = ForwardDynamics(model, rotor_inertia=rotor, backend=backend,
                                        support=support)
        self._inverse = InverseDynamics(model, rotor_inertia=rotor, backend=backend,
                                        support=support)
        model = self._inverse.model
        self.names: tuple[str, ...] = tuple(model.joint_names)
        self._friction = FrictionStep(
            self._inverse, 1.0 + self.config.friction_error_percent / 100.0,
        ) if self.config.friction else None
        self._effort_limit = np.where(model.effort_limit > 0.0, model.effort_limit, np.inf)
        self._lower, self._upper = np.array(model.lower), np.array(model.upper)
        size = support.pose_size
        self._pose = np.zeros(size) if pose is None else as_vector('pose', pose, size)
        self._q = per_joint('initial_position', self.config.initial_position, self.names)
        self._qd = np.zeros(len(self.names))
        self._effort = np.zeros(len(self.names))
        self._scheduled: list[tuple[int, FloatArray]] = []
        self._random = np.random.default_rng(self.config.seed)

    def warm_up(self, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile ahead of time: an arm that compiles as its brake opens falls meanwhile."""
        kernels = ('torque', 'mass_matrix') if self._friction is not None else ('torque',)
        self._inverse.warm_up(*kernels, progress=progress)
        self._forward.warm_up(progress)

    # ------------------------------------------------------------------------------ commands

    def apply(self, effort: Any, at_ns: int, names: Optional[Sequence[str]] = None) -> bool:
        """
        Let a command act from ``at_ns`` on, held for ever.

        Commands act in the order in which they are given: none overtakes an earlier one.

        Parameters
        ----------
        effort : (n,) array, Nm
        at_ns : int
            Not before the present stamp; an earlier one acts at once.
        names : sequence of str, optional
            Joints of ``effort``; default: all, in the order of the model.  Others keep theirs.

        Returns
        -------
        bool
            False if the command was dropped: wrong length, unknown names, or not finite.
        """
        order = self.names if names is None else tuple(names)
        try:
            values = np.asarray(effort, dtype=np.float64)
        except (TypeError, ValueError):
            return False
        if values.shape != (len(order),) or not np.isfinite(values).all() or (
                not set(order) <= set(self.names)):
            return False
        full = (self._scheduled[-1][1] if self._scheduled else self._effort).copy()
        full[[self.names.index(name) for name in order]] = values
        if self.config.effort_limits:
            full = np.clip(full, -self._effort_limit, self._effort_limit)
        self._scheduled.append((max(int(at_ns), self.stamp_ns), full))
        return True

    # --------------------------------------------------------------------------- integration

    def catch_up(self, stamp_ns: int, substeps: int) -> None:
        """
        Integrate up to a stamp at a cost that does not depend on the time in between.

        A clock does not wait: if all that a busy machine has missed were made up for in steps of
        the usual length, each cycle could take longer than the one before, without end.  So there
        are ``substeps`` at most, and one for each command that acts meanwhile.  They get longer,
        up to :data:`LONGEST_SUBSTEP`; time beyond that passes without the robot.
        """
        late_ns = stamp_ns - self.stamp_ns
        self.stamp_ns += max(0, late_ns - to_ns(substeps * LONGEST_SUBSTEP))
        self.step_to(stamp_ns, max(self.config.substep, 1e-9 * late_ns / substeps))

    def step_to(self, stamp_ns: int, substep: Optional[float] = None) -> None:
        """Integrate up to a stamp; an earlier one changes nothing."""
        substep = self.config.substep if substep is None else substep
        while True:
            while self._scheduled and self._scheduled[0][0] <= self.stamp_ns:
                self._effort = self._scheduled.pop(0)[1]
                self.braked = False
            if self.stamp_ns >= stamp_ns:
                return
            until = stamp_ns
            if self._scheduled and self._scheduled[0][0] < until:
                until = self._scheduled[0][0]
            if not self.braked:
                self._integrate((until - self.stamp_ns) * 1e-9, substep)
            self.stamp_ns = until

    def _integrate(self, duration: float, substep: float) -> None:
        """Take equal substeps over a time in which the command does not change."""
        count = max(1, int(np.ceil(duration / substep - 1e-9)))
        step = duration / count
        bases = self._bases(duration, 2 * count + 1)
        effort = self._effort / self._scale
        for k in range(count):
            self._runge_kutta(step, effort, *bases[2 * k:2 * k + 3])
            if self._friction is not None:
                slowed = self._friction.apply(self._q, self._qd, step, self._scale)
                # constant deceleration over the step
                self._q = self._q + 0.5 * step * (slowed - self._qd)
                self._qd = slowed
            if self.config.position_limits:
                self._stop_at_limits()

    def _runge_kutta(self, step: float, effort: FloatArray, *bases: BaseMotion) -> None:
        """Advance the state by one step; the bases are those at its begin, middle and end."""
        size, nv, support = len(self._pose), len(self._q), self.support

        def rate(t: float, state: FloatArray) -> FloatArray:
            pose, q, qd = state[:size], state[size:size + nv], state[size + nv:]
            motion = bases[round(2.0 * t / step)]
            qdd = self._forward.acceleration(
                q, qd, effort, BaseState.of_one(motion, pose) if size else motion)
            if not size:
                return np.concatenate([qd, qdd])
            return np.concatenate([support.pose_rate(qd, pose), qd, qdd])

        state = runge_kutta_step(
            rate, 0.0, np.concatenate([self._pose, self._q, self._qd]), step)
        self._pose, self._q = state[:size], state[size:size + nv]
        self._qd = state[size + nv:]

    def _bases(self, duration: float, count: int) -> list[BaseMotion]:
        """Evaluate the base motion at equal distances over a time from now."""
        if self._ship is None:
            return [BaseMotion()] * count
        start = (self.stamp_ns - self._epoch_ns) * 1e-9
        spacing = duration / (count - 1) if count > 1 else 0.0
        at, point = self._ship.packed_at, self.config.base_point
        return [BaseMotion.from_packed(at(start + k * spacing, point)) for k in range(count)]

    def _stop_at_limits(self) -> None:
        """Let a joint that has reached a stop rest there; the stop takes up its momentum."""
        low, high = self._q < self._lower, self._q > self._upper
        if low.any() or high.any():
            self._q = np.clip(self._q, self._lower, self._upper)
            self._qd = np.where(low, np.maximum(self._qd, 0.0), self._qd)
            self._qd = np.where(high, np.minimum(self._qd, 0.0), self._qd)

    # --------------------------------------------------------------------------------- state

    def true_state(self) -> RobotState:
        """Return the state at :attr:`stamp_ns` without noise."""
        effort = self._effort.copy()
        if self.braked:
            zero = np.zeros(len(self.names))
            effort = self._scale * self._inverse.torque(self._q, zero, zero, self._base)
        return RobotState(self.stamp_ns, self.names, self._q.copy(), self._qd.copy(), effort)

    def joint_state(self) -> RobotState:
        """Return the state at :attr:`stamp_ns`, with noise if configured."""
        state = self.true_state()
        config = self.config
        if not (config.position_noise or config.velocity_noise):
            return state
        noise = self._random.standard_normal((2, len(self.names)))
        return dataclasses.replace(
            state, position=state.position + config.position_noise * noise[0],
            velocity=state.velocity + config.velocity_noise * noise[1])

    @property
    def pose(self) -> FloatArray:
        """Pose on the deck, (pose_size,): x, y [m], heading [rad]; empty for a fixed mount."""
        return self._pose.copy()

    def odometry(self) -> Odometry:
        """Return pose and twist of a platform at :attr:`stamp_ns`, without noise."""
        twist = self.support.pose_rate(self._qd, np.zeros(3))
        return Odometry(self.stamp_ns, self.pose, *twist.tolist())

    def base_link_motion(self) -> tuple[BaseMotion, FloatArray]:
        """
        Return what an IMU on the base link feels, exactly.

        Returns
        -------
        motion : BaseMotion
            Of the base link's frame.
        rotation : (3, 3) array
            R_WB of the base link in a world with z up.
        """
        rotation = np.eye(3)
        if self._ship is not None:
            time = (self.stamp_ns - self._epoch_ns) * 1e-9
            rotation = self._ship.rotation_at(time)
        base = self._base
        if isinstance(base, BaseMotion) or not isinstance(self.support, RollingPlatform):
            return self._bases(0.0, 1)[0], rotation
        qdd = np.zeros(len(self.names))
        if not self.braked:
            qdd = self._forward.acceleration(
                self._q, self._qd, self._effort / self._scale, base)
        motion = platform_motion(self.support, base, self._qd, qdd)
        c, s = np.cos(self._pose[2]), np.sin(self._pose[2])
        R_DO = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return motion, rotation @ R_DO @ self.support.R_BO.T

    @property
    def _base(self) -> Union[BaseMotion, BaseState]:
        """What the robot stands on now."""
        motion = self._bases(0.0, 1)[0]
        return BaseState(motion, self._pose) if len(self._pose) else motion
