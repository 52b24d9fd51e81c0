r"""
Slow adaptation: what friction, rotors and a load really are, learned while the arm works.

For each joint :math:`\tau - \hat\tau = \Delta F_v v + \Delta F_c s(v) + \Delta F_0 + \Delta I_a
\ddot q + Y \Delta p` with the effort commanded, the torque :math:`\hat\tau` that the model finds
for the measured motion, and the regressor Y of the ten inertial parameters of one body.  Both
sides pass the same low pass, then recursive least squares with a bounded covariance: what is
forgotten goes back to the spread from before anything was learned and no further.

The spreads are shares of the effort limits, never of what the model believes: a description
without friction is no reason to be sure that there is none.

Contact is told by what the equations do not explain.  Somebody who pushes makes an error far
beyond those of the last seconds and of what is uncertain, and while that lasts nothing is learned.
"""

from __future__ import annotations

from collections import deque
import dataclasses
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.control.adaptation_config import AdaptationBounds
from robot_dynamics.control.protocols import RobotDynamics
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import smooth_sign
from robot_dynamics.dynamics.samples import AnyBase
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel

_OWN = 4  # of a joint: viscous, Coulomb, offset, rotor
_LOW_PASS = 0.05  # s
_UPDATE = 0.05  # s
_SLOWEST = 0.02  # rad/s (m/s): below, friction is whatever holds the joint
_ROTOR_SPREAD = 1e-3  # kg m^2 for each N m of the effort limit
_FIRST_NOISE = 0.04  # of the effort limit
_LEAST_NOISE = 0.005
_NOISE_TIME = 2.0  # s
_CONTACT = 4.0  # standard deviations
_CONTACT_HOLD = 1.0  # s
_SMOOTH = 0.3  # s, in which what was learned goes over into the commands


@dataclasses.dataclass(frozen=True, eq=False)
class Correction:
    """What was learned, as torque; it does not change."""

    own: FloatArray  #: (nv, 4), changes of viscous and Coulomb friction, offset and rotor inertia
    load: FloatArray  #: (10,), changes of the inertial parameters of one body
    columns: slice  #: Of these in the dynamics' regressor
    bound: FloatArray  #: (nv,), Nm

    def torque(self, dynamics: RobotDynamics, q: FloatArray, qd: FloatArray, qdd: FloatArray,
               base: AnyBase, desired_velocity: FloatArray) -> FloatArray:
        """Return what it adds to the torque of a motion, (nv,), Nm."""
        rows = _rows(dynamics, self.columns, q, qd, qdd, base, desired_velocity)
        added = (rows[:, :_OWN] * self.own).sum(axis=1) + rows[:, _OWN:] @ self.load
        result: FloatArray = np.clip(added, -self.bound, self.bound)
        return result


class Adaptation:
    """
    Learns from equations of the arm's motion; knows no clock.

    Parameters
    ----------
    joints : (n,) array of int
        Those that are commanded, in the order of the model.
    effort_limit : (n,) array, Nm
        Theirs.
    friction : bool
        Whether the torque that the model explains has the friction of the description.

    Attributes
    ----------
    correction : Correction
        What was learned so far.
    frozen : str
        Why nothing is learned now; empty while it is.
    """

    def __init__(self, bounds: AdaptationBounds, dynamics: RobotDynamics,
                 joints: NDArray[np.intp], effort_limit: FloatArray, friction: bool) -> None:
        self._bounds, self._joints = bounds, joints
        self._columns = _columns(dynamics, bounds.payload_link)
        model, self._nv = dynamics.model, dynamics.model.nv
        self._limit = effort_limit
        most = bounds.friction * effort_limit
        rotor = 3.0 * _ROTOR_SPREAD * effort_limit
        mass, reach = bounds.payload_mass, bounds.payload_reach
        self._largest = np.concatenate([
            np.stack([most, most, 0.5 * most, rotor], axis=1).ravel(),
            mass * np.repeat([1.0, reach, reach**2], [1, 3, 6])])
        # friction and rotor in all cannot be negative
        self._lowest = -self._largest
        own = np.stack([friction * model.damping, friction * model.friction,
                        np.full(model.nv, np.inf), dynamics.rotor_inertia], axis=1)[joints].ravel()
        self._lowest[:own.size] = np.maximum(self._lowest[:own.size], -own)
        self.frozen = ''
        self._bound = np.zeros(self._nv)
        self._bound[joints] = bounds.torque * effort_limit
        self.restart()

    def restart(self) -> None:
        """Forget what was learned."""
        self._spread = self._largest / 3.0
        self._P = np.diag(self._spread**2)
        self._x = np.zeros(self._largest.size)
        self._used = np.zeros(self._largest.size)
        self._noise = (_FIRST_NOISE * self._limit)**2
        self._contact = 0.0
        self._recent: deque[Any] = deque(maxlen=6)
        self.interrupt('')
        self._publish()

    def interrupt(self, why: str) -> None:
        """Learn nothing, and begin to filter anew afterwards."""
        self.frozen = why
        self._filtered: Optional[FloatArray] = None
        self._age = self._due = 0.0

    def add(self, duration: float, q: FloatArray, qd: FloatArray, qdd: FloatArray, base: AnyBase,
            unexplained: FloatArray, dynamics: RobotDynamics) -> None:
        """
        Take an equation of all joints that holds for a time.

        Parameters
        ----------
        duration : float, s
        q, qd, qdd : (nv,) array
            Measured motion.
        unexplained : (nv,) array, Nm
            Commanded effort minus the model's torque for that motion.
        """
        rows = _rows(dynamics, self._columns, q, qd, qdd, base, qd)
        equations = np.column_stack([rows, unexplained])[self._joints]
        if self._filtered is None:
            self._filtered = equations
        else:
            self._filtered += duration / (_LOW_PASS + duration) * (equations - self._filtered)
        self._age += duration
        self._due += duration
        if self._age > 3.0 * _LOW_PASS and self._due >= _UPDATE:
            self._update(self._due, self._filtered)
            self._due = 0.0
        self._used += duration / (_SMOOTH + duration) * (self._x - self._used)
        self._publish()

    def status(self) -> dict[str, Any]:
        """Return what was learned, for diagnostics."""
        own = self._used[:-10].reshape(-1, _OWN)
        return {'adaptation': f'frozen: {self.frozen}' if self.frozen else 'learning',
                'learned_viscous': tuple(own[:, 0].tolist()),
                'learned_coulomb': tuple(own[:, 1].tolist()),
                'learned_offset': tuple(own[:, 2].tolist()),
                'learned_rotor': tuple(own[:, 3].tolist()),
                'learned_mass': float(self._used[-10]),
                'learned_moment': tuple(self._used[-9:-6].tolist())}

    # -------------------------------------------------------------------------------- parts

    def _update(self, elapsed: float, equations: FloatArray) -> None:
        moving = np.abs(equations[:, 0]) > _SLOWEST
        self._contact = max(0.0, self._contact - elapsed)
        rows = []
        for i in np.flatnonzero(moving):
            row = np.zeros(self._x.size)
            row[_OWN * i:_OWN * (i + 1)] = equations[i, :_OWN]
            row[-10:] = equations[i, _OWN:-1]
            error = equations[i, -1] - row @ self._x
            rows.append((i, row, error))
            if error**2 > _CONTACT**2 * (self._noise[i] + row @ self._P @ row):
                if not self._contact and len(self._recent):  # it began before it was told
                    self._x, self._P, self._noise = self._recent[0]
                self._contact = _CONTACT_HOLD
        self.frozen = 'contact' if self._contact else ''
        if self._contact:
            self._recent.clear()
            return
        self._recent.append((self._x.copy(), self._P.copy(), self._noise.copy()))
        self._forget(elapsed, moving)
        share = elapsed / _NOISE_TIME
        for i, row, _ in rows:
            error = equations[i, -1] - row @ self._x
            gain = self._P @ row
            variance = self._noise[i] + row @ gain
            self._noise[i] = max(
                (_LEAST_NOISE * self._limit[i])**2,
                self._noise[i] + share * (min(error**2, 4 * variance) - self._noise[i]))
            self._x = self._x + gain * (error / variance)
            self._P = self._P - np.outer(gain, gain) / variance
        self._x = np.clip(self._x, self._lowest, self._largest)

    def _forget(self, elapsed: float, moving: NDArray[np.bool_]) -> None:
        """Let what moves grow uncertain again, up to where it began."""
        growth = np.full(self._x.size, np.exp(0.5 * elapsed / self._bounds.memory))
        growth[:-10][np.repeat(~moving, _OWN)] = 1.0
        growth = np.minimum(growth, np.maximum(1.0, self._spread / np.maximum(
            np.sqrt(self._P.diagonal()), 1e-300)))
        self._P = growth[:, None] * self._P * growth
        self._P = 0.5 * (self._P + self._P.T)

    def _publish(self) -> None:
        own = np.zeros((self._nv, _OWN))
        own[self._joints] = self._used[:-10].reshape(-1, _OWN)
        self.correction = Correction(own, self._used[-10:].copy(), self._columns, self._bound)


def _rows(dynamics: RobotDynamics, columns: slice, q: FloatArray, qd: FloatArray,
          qdd: FloatArray, base: AnyBase, friction_velocity: FloatArray) -> FloatArray:
    """Return what one unit of each number adds to each joint's torque, (nv, 4 + 10)."""
    rows = np.empty((len(q), _OWN + 10))
    rows[:, 0] = friction_velocity
    rows[:, 1] = smooth_sign(friction_velocity)
    rows[:, 2] = 1.0
    rows[:, 3] = qdd
    rows[:, _OWN:] = dynamics.regressor(q, qd, qdd, base)[:, columns]
    return rows


def _columns(dynamics: RobotDynamics, link: str) -> slice:
    """Return where the body that carries the load stands in the regressor."""
    model: RobotModel = dynamics.model
    body = len(model.bodies) - 1 if not link else model.frame(link).body
    if link and body == BASE:
        raise ConfigurationError(
            f'adaptation_bounds.payload_link: {link!r} does not move with a joint')
    zero = np.zeros(model.nv)
    width = dynamics.regressor(zero, zero, zero).shape[1]  # compiles it, too
    start = width - 10 * (len(model.bodies) - body)
    return slice(start, start + 10)
