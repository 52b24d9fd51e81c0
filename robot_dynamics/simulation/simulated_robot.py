"""A simulated arm on a moving deck, with held commands, effort limits, stops and a brake."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Optional, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import check_parameters, parameter
from robot_dynamics.core.per_joint import per_joint
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.protocol import Support
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.simulation.simulated_friction import FrictionStep


@dataclasses.dataclass(frozen=True)
class SimulatedRobotConfig:
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

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass(frozen=True, eq=False)
class RobotState:
    """
    What a joint state message reports.

    Attributes
    ----------
    stamp_ns : int
    names : tuple of str
        Order of the model.
    position, velocity, effort : (nv,) array, rad, rad/s, Nm
        The effort is the one that a sensor at the joint reads: what acts, or while the brake is
        on, what the brake carries.
    """

    stamp_ns: int
    names: tuple[str, ...]
    position: FloatArray
    velocity: FloatArray
    effort: FloatArray


class SimulatedRobot:
    """
    Forward dynamics of an arm on a ship, stepped from stamp to stamp.

    The equations of motion are integrated by the classical fourth-order Runge-Kutta method with
    the exact ship motion at every stage; each change of the command starts a new step.  Friction,
    which is too stiff for that, follows each step implicitly.

    Parameters
    ----------
    model : RobotModel
    ship : ShipMotion or None
        Evaluated at ``config.base_point``; None: level and still.
    config : SimulatedRobotConfig, optional
    start_ns : int
        Stamp of the initial state, ns.
    epoch_ns : int
        Stamp at which the ship's time is zero, ns.
    backend : str
        Of the dynamics: ``numba`` or ``interpreted``.
    support : Support, optional
        What the robot stands on; by default it is bolted to its base.

    Attributes
    ----------
    names : tuple of str
        Joints, in the order of the model.
    stamp_ns : int
        Of the present state.
    braked : bool
        Whether the brake still holds the arm.
    """

    def __init__(self, model: Any, ship: Any, config: Optional[SimulatedRobotConfig] = None,
                 start_ns: int = 0, epoch_ns: int = 0, backend: str = 'numba',
                 support: Support = FixedMount()) -> None:
        from robot_dynamics.dynamics.forward import ForwardDynamics
        from robot_dynamics.dynamics.inverse import InverseDynamics
        self.config = config or SimulatedRobotConfig()
        self.names: tuple[str, ...] = tuple(model.joint_names)
        self.stamp_ns = start_ns
        self.braked = self.config.brake
        self._ship = ship
        self._epoch_ns = epoch_ns
        self._still = BaseMotion()
        # (k M) qdd + k h = tau is M qdd + h = tau / k
        self._scale = 1.0 + self.config.mass_error_percent / 100.0
        rotor = self.config.rotor_inertia
        self._forward = ForwardDynamics(model, rotor_inertia=rotor, backend=backend,
                                        support=support)
        self._inverse: Any = InverseDynamics(model, rotor_inertia=rotor, backend=backend,
                                             support=support)
        self._friction = FrictionStep(
            model, self._inverse, 1.0 + self.config.friction_error_percent / 100.0,
        ) if self.config.friction else None
        self._effort_limit = np.where(model.effort_limit > 0.0, model.effort_limit, np.inf)
        self._lower, self._upper = np.array(model.lower), np.array(model.upper)
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

    def step_to(self, stamp_ns: int) -> None:
        """Integrate up to a stamp; an earlier one changes nothing."""
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
                self._integrate((until - self.stamp_ns) * 1e-9)
            self.stamp_ns = until

    def _integrate(self, duration: float) -> None:
        """Take equal substeps over a time in which the command does not change."""
        count = max(1, int(np.ceil(duration / self.config.substep - 1e-9)))
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

    def _runge_kutta(self, step: float, effort: FloatArray, first: BaseMotion,
                     middle: BaseMotion, last: BaseMotion) -> None:
        """Advance the state by one classical fourth-order step."""
        acceleration = self._forward.acceleration
        q, v1, half = self._q, self._qd, 0.5 * step
        a1 = acceleration(q, v1, effort, first)
        v2 = v1 + half * a1
        a2 = acceleration(q + half * v1, v2, effort, middle)
        v3 = v1 + half * a2
        a3 = acceleration(q + half * v2, v3, effort, middle)
        v4 = v1 + step * a3
        a4 = acceleration(q + step * v3, v4, effort, last)
        self._q = q + (step / 6.0) * (v1 + 2.0 * (v2 + v3) + v4)
        self._qd = v1 + (step / 6.0) * (a1 + 2.0 * (a2 + a3) + a4)

    def _bases(self, duration: float, count: int) -> list[BaseMotion]:
        """Evaluate the base motion at equal distances over a time from now."""
        if self._ship is None:
            return [self._still] * count
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
            effort = self._scale * self._inverse.torque(
                self._q, zero, zero, self._bases(0.0, 1)[0])
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
