"""How well each model explains motion that it was not made from, and how far it may be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import smooth_sign
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.identification.equations import Equations
from robot_dynamics.identification.fit import Design, Fit
from robot_dynamics.identification.layout import Layout
from robot_dynamics.identification.regressor_rows import loss_column
from robot_dynamics.motion.base_motion import BaseMotion

MODELS = ('described', 'with_friction', 'identified')
"""The description; with friction and offset fitted to it; identified."""

_ANYWHERE = 300  # states that the trust is stated for
_REACH = np.pi  # rad: how far a joint without limits is taken to turn


@dataclass(frozen=True)
class Validation:
    """Torques of the part that is held back, low-passed."""

    time: FloatArray  #: (K,), s since the recording's first stamp
    measured: FloatArray  #: (K, nv), N m (N)
    torque: Dict[str, FloatArray]  #: (K, nv), by each of :data:`MODELS`
    #: (K, nv), one standard deviation of the identified torque, from the parameters' uncertainty
    deviation: FloatArray
    #: (nv,), RMS of what the identified model left of the part that it was made from
    noise: FloatArray
    velocity: FloatArray  #: (K, nv), rad/s (m/s)
    joints: NDArray[np.bool_]  #: (nv,), those with a measured effort

    def error(self, model: str) -> FloatArray:
        """Return each joint's RMS error, (nv,), N m."""
        return _rms(self.measured - self.torque[model])

    def relative(self, model: str) -> float:
        """Return RMS error over RMS torque, all measured joints together."""
        error = (self.measured - self.torque[model])[:, self.joints]
        return float(np.sqrt(np.sum(error**2) / max(np.sum(
            self.measured[:, self.joints]**2), 1e-300)))

    def coverage(self) -> float:
        """Return the share of errors within two standard deviations, noise included."""
        error = np.abs(self.measured - self.torque['identified'])
        inside = error <= 2.0 * np.sqrt(self.deviation**2 + self.noise**2)
        return float(inside[:, self.joints].mean())


def validate(layout: Layout, design: Design, fit: Fit, with_friction: FloatArray,
             equations: Equations, measured: NDArray[np.bool_]) -> Validation:
    """Evaluate all models on equations that none was made from."""
    columns = equations.columns
    parts: Dict[str, list] = {name: [] for name in ('time', 'measured', 'deviation', 'velocity',
                                                    *MODELS)}
    thetas = dict(zip(MODELS, (layout.described, with_friction, fit.theta)))
    root = _root(fit.covariance)
    for rows in equations.rows():
        parts['time'].append(rows.time)
        parts['measured'].append(rows.columns[:, :, columns.torque])
        parts['velocity'].append(rows.columns[:, :, columns.velocity])
        designs = [design.matrix(j, rows.columns[:, j]) for j in range(layout.model.nv)]
        for name, theta in thetas.items():
            parts[name].append(np.stack([matrix @ theta for matrix in designs], axis=1))
        parts['deviation'].append(np.stack(
            [np.linalg.norm(matrix @ root, axis=1) for matrix in designs], axis=1))
    nv = layout.model.nv
    whole = {name: np.concatenate(values) if values else np.zeros((0, nv))
             for name, values in parts.items()}
    return Validation(whole['time'], whole['measured'], {name: whole[name] for name in MODELS},
                      whole['deviation'], fit.residual, whole['velocity'], measured)


def trust_anywhere(layout: Layout, fit: Fit, backend: str = 'numba'
                   ) -> Tuple[FloatArray, FloatArray]:
    """
    Return RMS standard deviation of the torque, and RMS torque, (nv,) each, all over the range.

    States are drawn from the joints' ranges, at up to 30 % of their speed, on a level base: what
    a motion has not taught shows there and not on that motion itself.
    """
    model, rng = layout.model, np.random.default_rng(1)
    low, high = np.maximum(model.lower, -_REACH), np.minimum(model.upper, _REACH)
    fastest = 0.3 * np.where(np.isfinite(model.velocity_limit) & (model.velocity_limit > 0),
                             model.velocity_limit, 1.0)
    shape = (_ANYWHERE, model.nv)
    q = low + (high - low) * rng.random(shape)
    qd, qdd = fastest * (2 * rng.random(shape) - 1), fastest * (2 * rng.random(shape) - 1)
    deviation, torque = torque_deviation(layout, fit, q, qd, qdd, None, backend)
    return _rms(deviation), _rms(torque)


def torque_deviation(layout: Layout, fit: Fit, q: FloatArray, qd: FloatArray, qdd: FloatArray,
                     base: Optional[BaseMotion] = None, backend: str = 'interpreted'
                     ) -> Tuple[FloatArray, FloatArray]:
    """Return one standard deviation of the torque of a motion, and the torque, (T, nv) each."""
    Y = InverseDynamics(layout.model, backend=backend).regressor(q, qd, qdd, base)
    sign = smooth_sign(qd)
    root = _root(fit.covariance)
    deviation, torque = np.empty(q.shape), np.empty(q.shape)
    for joint in range(layout.model.nv):
        matrix = np.zeros((len(q), layout.size))
        matrix[:, :Y.shape[2]] = Y[:, joint]
        if layout.payload is not None:
            matrix[:, Y.shape[2]:layout.inertial_size] = Y[:, joint, layout.body(layout.carrier)]
        for term in layout.terms:
            matrix[:, layout.term(term).start + joint] = loss_column(
                term, float(fit.stribeck_speed[joint]), qd, qdd, sign)[:, joint]
        deviation[:, joint] = np.linalg.norm(matrix @ root, axis=1)
        torque[:, joint] = matrix @ fit.theta
    return deviation, torque


def _root(covariance: FloatArray) -> FloatArray:
    values, vectors = np.linalg.eigh(covariance)
    root: FloatArray = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def _rms(values: FloatArray) -> FloatArray:
    return np.sqrt(np.mean(values**2, axis=0)) if len(values) else np.full(
        values.shape[1], np.nan)
