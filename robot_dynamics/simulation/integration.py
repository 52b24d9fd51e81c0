"""Simulate a robot on a moving base: integrate its forward dynamics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Protocol, Union

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError, InputError
from robot_dynamics.core.gate import as_scalar, as_vector, FloatArray
from robot_dynamics.dynamics.forward import ForwardDynamics
from robot_dynamics.dynamics.inverse import InverseDynamics, RotorInertia
from robot_dynamics.dynamics.joint_losses import checked_model, friction_law
from robot_dynamics.dynamics.loads import ExternalWrenches
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.protocol import checked_support, Support
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState

RK4_STABLE = 2.785
"""Largest step times decay rate that RK4 damps (Hairer & Wanner II, Section IV.2)."""

METHODS = ('RK4', 'RK45', 'DOP853', 'Radau', 'BDF', 'LSODA')

MOST_STEPS = 5_000_000

TorqueLaw = Callable[..., ArrayLike]
Rate = Callable[[float, FloatArray], FloatArray]


class MovingBase(Protocol):
    """Anything that knows its base motion at a time, for example a ShipMotion."""

    def at(self, t: float) -> BaseMotion:
        """Return the motion at a time [s]."""


@dataclass(frozen=True)
class Simulation:
    """A simulated motion, T samples."""

    time: FloatArray  #: (T,), in s
    #: (T, nv), of the joints, rad or m, and per s, s^2
    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    torque: FloatArray  #: (T, nv), what the law gave, N m or N
    #: (T,), of the robot as seen from the base, with the base's gravity, in J
    kinetic_energy: FloatArray
    potential_energy: FloatArray
    #: (T, pose_size), on the ground, as the support has it; (T, 0) for a fixed mount
    pose: FloatArray

    @property
    def energy_drift(self) -> float:
        """
        Largest change of kinetic plus potential energy less the work of the torques [J].

        Zero for an exact integration on a base at rest without friction and external forces.
        """
        power = np.einsum('ti,ti->t', self.torque, self.velocity)
        work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1])
                                                * np.diff(self.time))])
        balance = self.kinetic_energy + self.potential_energy - work
        return float(np.abs(balance - balance[0]).max())


def simulate(model: RobotModel, q0: ArrayLike, qd0: ArrayLike,
             torque: Union[None, ArrayLike, TorqueLaw] = None,
             base: Union[None, BaseMotion, MovingBase] = None, duration: float = 1.0, *,
             step: float = 1e-3, integrator: str = 'RK4', friction: bool = False,
             external_wrenches: Optional[ExternalWrenches] = None, tolerance: float = 1e-9,
             backend: str = 'numba', method: str = 'newton_euler',
             rotor_inertia: RotorInertia = True, support: Support = FixedMount(),
             pose0: Optional[ArrayLike] = None) -> Simulation:
    """
    Integrate the motion that torques and the moving base cause.

    Parameters
    ----------
    q0, qd0 : array_like, (nv,)
        Initial positions and velocities, in the order of the dynamics: wheels first.
    torque : array_like (nv,), callable or None
        Constant, or a law of (t, q, qd), on wheels of (t, q, qd, pose); None lets the joints
        swing freely.
    base : BaseMotion, ShipMotion or None
        Constant base motion, or anything with ``at(t)``; None is level and still.
    duration : float, s
    step : float
        Of the output, and of the integration by RK4 [s].
    integrator : str
        'RK4' (classical fourth-order Runge-Kutta, fixed step, as in Leohchi & Merticaru) or a
        method of ``scipy.integrate.solve_ivp``: RK45, DOP853, Radau, BDF, LSODA.
    friction : bool
        Include the model's joint friction.
    rotor_inertia, support
        As for ``InverseDynamics``.
    pose0 : array_like, (pose_size,), optional
        Initial pose on the ground; the origin by default.
    external_wrenches : mapping, optional
        Constant force and moment by link, as for ``InverseDynamics.torque``.
    tolerance : float
        Relative and absolute, for scipy's methods.
    backend, method
        As for ``InverseDynamics``.

    Notes
    -----
    The state is pose, q and qd.  On wheels its rates are R qd: rolling holds at every stage by
    construction, A R qd = 0, and needs no stabilisation.

    Raises
    ------
    InputError
        If an initial value is wrong, the step is too long for RK4 to follow the friction, or the
        motion grows beyond all bounds: then the step is too long, or a torque law unstable.
    ConfigurationError
        If the integrator does not exist.
    """
    if integrator not in METHODS:
        raise ConfigurationError(f'integrator {integrator!r} does not exist; choose one of '
                                 + ', '.join(METHODS))
    nv, pose_size = checked_model(model).nv, checked_support(support).pose_size
    start = np.concatenate([
        np.zeros(pose_size) if pose0 is None else as_vector('pose0', pose0, pose_size),
        as_vector('q0', q0, nv), as_vector('qd0', qd0, nv)])
    duration = as_scalar('duration', duration, minimum=0.0, unit='s')
    step = as_scalar('step', step, minimum=1e-9, unit='s')
    if duration > MOST_STEPS * step:
        raise InputError('duration', f'{duration:g} s takes more than {MOST_STEPS:,} steps of '
                                     f'{step:g} s; shorten it, or lengthen the step')
    tolerance = as_scalar('tolerance', tolerance, 1e-13, 1.0)
    forward = ForwardDynamics(model, method=method, friction=friction,
                              rotor_inertia=rotor_inertia, backend=backend, support=support)
    plain = InverseDynamics(model, rotor_inertia=rotor_inertia, backend='interpreted',
                            support=support)
    law = _torque_law(torque, nv, bool(pose_size))
    base_at = _base_law(base)

    def placed(t: float, pose: FloatArray) -> Union[BaseMotion, BaseState]:
        return BaseState(base_at(t), pose) if pose_size else base_at(t)

    def rate(t: float, state: FloatArray) -> FloatArray:
        pose, q, qd = np.split(state, [pose_size, pose_size + nv])
        qdd = forward.acceleration(q, qd, law(t, q, qd, pose), placed(t, pose),
                                   external_wrenches)
        return np.concatenate([support.pose_rate(qd, pose), qd, qdd])

    if friction and integrator == 'RK4':
        _check_friction_step(plain, start[pose_size:pose_size + nv], step)
    count = max(1, int(np.ceil(duration / step - 1e-9)))
    time = np.linspace(0.0, duration, count + 1)
    states = (_runge_kutta(rate, time, start) if integrator == 'RK4'
              else _scipy(rate, time, start, integrator, tolerance))
    pose, q, qd = (np.ascontiguousarray(part) for part in np.split(
        states, [pose_size, pose_size + nv], axis=1))
    qdd = np.array([rate(t, state)[pose_size + nv:] for t, state in zip(time, states)])
    tau = np.array([law(t, *row) for t, *row in zip(time, q, qd, pose)])
    motion = BaseMotion.from_packed(np.array([base_at(t).packed for t in time]))
    kinetic, potential = plain.energy(q, qd, BaseState(motion, pose) if pose_size else motion)
    return Simulation(time, q, qd, qdd, tau, kinetic, potential, pose)


def runge_kutta_step(rate: Rate, t: float, state: FloatArray, step: float) -> FloatArray:
    """
    Advance a state by one step of the classical fourth-order rule.

    Parameters
    ----------
    rate : callable
        Time derivative of the state, of (t, state); asked at t, twice at t + step / 2, and at
        t + step.
    t : float, s
    state : ndarray, (n,)
    step : float, s
    """
    half = 0.5 * step
    k1 = rate(t, state)
    k2 = rate(t + half, state + half * k1)
    k3 = rate(t + half, state + half * k2)
    k4 = rate(t + step, state + step * k3)
    return np.asarray(state + (step / 6.0) * (k1 + 2.0 * (k2 + k3) + k4))


def _check_friction_step(dynamics: InverseDynamics, q: FloatArray, step: float) -> None:
    """Refuse a step with which RK4 cannot bring a joint to rest against its friction."""
    model = dynamics.model
    slope = np.maximum(friction_law(model).slope(np.zeros(model.nv)), 0.0)
    if not slope.any():
        return
    root = np.sqrt(slope)
    try:
        inverse = np.linalg.inv(dynamics.mass_matrix(q))
    except np.linalg.LinAlgError:
        return  # the forward dynamics say what is wrong
    fastest = float(np.linalg.eigvalsh(root[:, None] * inverse * root)[-1])  # 1/s
    if step * fastest > RK4_STABLE:
        raise InputError(
            'step', f'{step:g} s is too long for RK4 to follow the friction of {model.name}, '
            f'which brings a joint to rest within {1 / fastest:.1e} s; shorten it to '
            f'{RK4_STABLE / fastest:.1e} s, or take the integrator Radau or BDF')


def _torque_law(torque: Union[None, ArrayLike, TorqueLaw], nv: int, with_pose: bool
                ) -> Callable[..., FloatArray]:
    """Law of (t, q, qd, pose), whatever the given one asks for."""
    if callable(torque):
        given: TorqueLaw = torque

        def law(t: float, q: FloatArray, qd: FloatArray, pose: FloatArray) -> FloatArray:
            value: Any = given(t, q, qd, pose) if with_pose else given(t, q, qd)
            return as_vector('torque', value, nv, 'N m or N')
        return law
    constant = np.zeros(nv) if torque is None else as_vector('torque', torque, nv, 'N m or N')
    return lambda t, q, qd, pose: constant


def _base_law(base: Union[None, BaseMotion, MovingBase]) -> Callable[[float], BaseMotion]:
    if base is None or isinstance(base, BaseMotion):
        constant = base or BaseMotion()
        if constant.packed.ndim != 1:
            raise InputError('base', 'is a series; give one motion, or an object with at(t)')
        return lambda t: constant
    if not callable(getattr(base, 'at', None)):
        raise InputError('base', f'is a {type(base).__name__}, expected a BaseMotion or an '
                                 'object with at(t), such as a ShipMotion')
    return base.at


def _runge_kutta(rate: Rate, time: FloatArray, start: FloatArray) -> FloatArray:
    """Integrate with the classical fourth-order rule."""
    states = np.empty((len(time), len(start)))
    states[0] = state = start
    for k in range(len(time) - 1):
        state = runge_kutta_step(rate, time[k], state, time[k + 1] - time[k])
        if not np.isfinite(state).all() or np.abs(state).max() > 1e6:
            raise InputError('step', f'the motion grew beyond all bounds at t = '
                             f'{time[k + 1]:.4g} s; shorten the step, or look at the torques')
        states[k + 1] = state
    return states


def _scipy(rate: Rate, time: FloatArray, start: FloatArray, integrator: str,
           tolerance: float) -> FloatArray:
    from scipy.integrate import solve_ivp
    solution = solve_ivp(rate, (0.0, time[-1]), start, integrator, time, rtol=tolerance,
                         atol=tolerance)
    if not solution.success:
        raise InputError('integrator', f'{integrator} stopped: {solution.message}')
    return np.ascontiguousarray(solution.y.T)
