"""Let a mobile manipulator move under given torques: Runge-Kutta with exact rolling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_scalar, as_vector, FloatArray
from robot_dynamics.dynamics.mobile_manipulator import MobileManipulator
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.series_time import increasing_time

TorqueLaw = Callable[[float, FloatArray, FloatArray, FloatArray], Any]
DeckMotion = Callable[[float], BaseMotion]


@dataclass(frozen=True, eq=False)
class MobileMotion:
    """
    A motion of platform and arm.

    Attributes
    ----------
    time : ndarray, (T,)
        In s.
    q, qd : ndarray, (T, nv)
        Right wheel, left wheel, joints: rad or m, and per s.
    pose : ndarray, (T, 3)
        x, y [m], heading [rad] on the deck.
    """

    time: FloatArray
    q: FloatArray
    qd: FloatArray
    pose: FloatArray


def runge_kutta_step(robot: MobileManipulator, state: FloatArray, tau: FloatArray, step: float,
                     decks: tuple[BaseMotion, BaseMotion, BaseMotion]) -> FloatArray:
    """
    Advance [pose (3), q, qd] by one classical fourth-order step under constant torques.

    Parameters
    ----------
    robot : MobileManipulator
    state : ndarray, (3 + 2 nv,)
    tau : ndarray, (nv,)
    step : float
        In s.
    decks : three BaseMotion
        The deck's motion at the beginning, the middle and the end.

    Notes
    -----
    The state is the reduced one, whose rates are R qd: rolling holds at every stage by
    construction, A(q) R qd = 0, and needs no stabilisation.
    """
    first, middle, last = decks
    half = 0.5 * step
    k1 = _rates(robot, state, tau, first)
    k2 = _rates(robot, state + half * k1, tau, middle)
    k3 = _rates(robot, state + half * k2, tau, middle)
    k4 = _rates(robot, state + step * k3, tau, last)
    return np.asarray(state + (step / 6.0) * (k1 + 2.0 * (k2 + k3) + k4))


def simulate(robot: MobileManipulator, time: ArrayLike, q: ArrayLike, qd: ArrayLike,
             torque: Any, pose: ArrayLike = (0.0, 0.0, 0.0),
             deck: Optional[DeckMotion] = None, substep: float = 1e-3) -> MobileMotion:
    """
    Integrate the motion by the classical fourth-order Runge-Kutta method.

    Parameters
    ----------
    robot : MobileManipulator
    time : array_like, (T,)
        Where the motion is wanted [s].
    q, qd : array_like, (nv,)
        At the first instant.
    torque : array_like (nv,) or callable
        Constant torques [N m], or a function (t, q, qd, pose) -> (nv,), held over each substep.
    pose : array_like, (3,)
        At the first instant.
    deck : callable, optional
        Motion of the deck at its origin as a function of time; None is level ground.
    substep : float
        Longest step of the integration [s].
    """
    instants = increasing_time('time', time)
    longest = as_scalar('substep', substep, minimum=1e-9, unit='s')
    nv = robot.model.nv
    state = np.concatenate([as_vector('pose', pose, 3, 'm, m, rad'),
                            as_vector('q', q, nv, 'rad or m'), as_vector('qd', qd, nv)])
    law: TorqueLaw
    if callable(torque):
        law = torque
    else:
        constant = as_vector('torque', torque, nv, 'N m')

        def law(t: float, q: FloatArray, qd: FloatArray, pose: FloatArray) -> FloatArray:
            return constant
    level = BaseMotion.still()
    rows = [state]
    for begin, end in zip(instants, instants[1:]):
        count = max(1, int(np.ceil((end - begin) / longest - 1e-9)))
        step = (end - begin) / count
        for k in range(count):
            t = begin + k * step
            tau = as_vector('torque', law(t, state[3:3 + nv], state[3 + nv:], state[:3]), nv)
            decks = (level,) * 3 if deck is None else (
                deck(t), deck(t + 0.5 * step), deck(t + step))
            state = runge_kutta_step(robot, state, tau, step, (decks[0], decks[1], decks[2]))
        if not np.isfinite(state).all():
            raise InputError('torque', f'lets the motion grow without bound at {end:g} s')
        rows.append(state)
    table = np.array(rows)
    return MobileMotion(instants, table[:, 3:3 + nv], table[:, 3 + nv:], table[:, :3])


def _rates(robot: MobileManipulator, state: FloatArray, tau: FloatArray, deck: BaseMotion
           ) -> FloatArray:
    nv = robot.model.nv
    return robot.state_rate(state[:3], state[3:3 + nv], state[3 + nv:], tau, deck)
