r"""
From equations to parameters: weights, prior, consistency, uncertainty.

Each joint's equations count by the variance that the model leaves there and by how many of them
are independent: residuals of a smooth signal repeat themselves, and naive standard errors would
claim far too much.  Both are found from the residual, and the fit is repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.identification.equations import Equations
from robot_dynamics.identification.layout import Layout, numbers_of
from robot_dynamics.identification.regressor_rows import Columns, STRIBECK_SPEEDS
from robot_dynamics.identification.solver import least_squares, solve_consistent

_ROUNDS = 4
_ROUNDS_STRIBECK = 8  # more, because the speeds are found in turn with all else
_FIRST_SPEED = 0.08  # rad/s or m/s
_SPEEDS = np.geomspace(STRIBECK_SPEEDS[0], STRIBECK_SPEEDS[-1], 81)
_FLOOR = 1e-3  # of the RMS torque: what no model explains better


@dataclass(frozen=True)
class Fit:
    """What was found."""

    theta: FloatArray  #: In the order of the layout
    covariance: FloatArray  #: Zero for what was held
    prior_covariance: FloatArray  #: Before anything was measured
    residual: FloatArray  #: (nv,), RMS of what the model leaves, low-passed, N m
    effective: FloatArray  #: (nv,), how many of the equations of a joint are independent
    stribeck_speed: FloatArray  #: (nv,), of the Stribeck term, rad/s
    free: NDArray[np.bool_]  #: What was identified


class Design:
    """
    Brings a joint's columns to the order of the layout.

    Parameters
    ----------
    stribeck_speed : (nv,) array
        Which of the Stribeck columns counts.
    """

    def __init__(self, layout: Layout, columns: Columns, stribeck_speed: FloatArray) -> None:
        self.layout = layout
        self.columns = columns
        self.stribeck_speed = stribeck_speed

    def matrix(self, joint: int, block: FloatArray) -> FloatArray:
        """Return the design (R, size) of a joint's columns (R, C)."""
        layout, columns = self.layout, self.columns
        out = np.zeros((len(block), layout.size))
        out[:, :columns.inertial] = block[:, :columns.inertial]
        if layout.payload is not None:
            carried = block[:, layout.body(layout.carrier)]
            out[:, columns.inertial:layout.inertial_size] = carried
        for term in layout.terms:
            out[:, layout.term(term).start + joint] = columns.of_term(
                block, term, float(self.stribeck_speed[joint]))
        return out

    def torque(self, theta: FloatArray, columns: FloatArray) -> FloatArray:
        """Return the torques (K, nv) of columns (K, nv, C)."""
        return np.stack([self.matrix(joint, columns[:, joint]) @ theta
                         for joint in range(columns.shape[1])], axis=1)


def fit(layout: Layout, equations: Equations, sigma: float, effort: FloatArray,
        free: NDArray[np.bool_], measured: NDArray[np.bool_]) -> Tuple[Fit, Design]:
    """
    Identify.

    Parameters
    ----------
    equations : Equations
        Those to learn from.
    sigma : float
        Relative spread of bodies in the prior.
    effort : (nv,) array
        Largest torque of each joint, N m.
    free : (size,) bool
        What is identified; all else is the description's.
    measured : (nv,) bool
        Joints whose effort was measured.
    """
    columns = equations.columns
    joints = numbers_of(measured)
    triangles = {joint: equations.triangle(joint) for joint in joints}
    prior = layout.prior(sigma, effort)
    torque_rms = np.array([_rms(triangles[j][:, -1], equations.count) if measured[j] else 1.0
                           for j in range(layout.model.nv)])
    floor = np.maximum(_FLOOR * torque_rms, 1e-9)
    weight, share = np.maximum(0.1 * torque_rms, floor), np.ones(layout.model.nv)
    design = Design(layout, columns, _first_speeds(layout))
    held = layout.described
    theta = held
    breaks_away = 'stribeck' in layout.terms and bool(free[layout.term('stribeck')].any())
    rounds = _ROUNDS_STRIBECK if breaks_away else _ROUNDS
    for turn in range(rounds):
        M, y = _system(design, triangles, weight, share, prior)
        # the constraints matter for the parameters, less for residuals: the last two obey them
        theta = solve_consistent(M, y, layout, held, free) if turn >= rounds - 2 else \
            _unconstrained(M, y, held, free)
        if breaks_away and turn < rounds - 1:
            design = _best_speeds(design, triangles, theta)
        weight, share = _residuals(design, equations, theta, floor)
        for joint in set(range(layout.model.nv)) - set(joints):
            share[joint] = 0.0
    M, _ = _system(design, triangles, weight, share, prior)
    return Fit(theta, _covariance(M, free), _covariance(prior[0], free), weight,
               share * equations.count, design.stribeck_speed, free), design


def described_with_friction(layout: Layout, design: Design, equations: Equations,
                            measured: NDArray[np.bool_]) -> FloatArray:
    """Return the description with friction and offset fitted joint by joint: the rival."""
    theta = layout.described.copy()
    terms = [term for term in layout.terms if term != 'rotor'] or []
    for joint in numbers_of(measured):
        if not terms:
            break
        block = equations.triangle(joint)
        index = [layout.term(term).start + joint for term in terms]
        rest = theta.copy()
        rest[index] = 0.0
        matrix = design.matrix(joint, block)
        theta[index] = np.linalg.lstsq(
            matrix[:, index], block[:, -1] - matrix @ rest, rcond=None)[0]
    return theta


def _system(design: Design, triangles: Dict[int, FloatArray], weight: FloatArray,
            share: FloatArray, prior: Tuple[FloatArray, FloatArray]
            ) -> Tuple[FloatArray, FloatArray]:
    rows: List[FloatArray] = [prior[0]]
    right: List[FloatArray] = [prior[1]]
    for joint, block in triangles.items():
        factor = np.sqrt(share[joint]) / weight[joint]
        rows.append(factor * design.matrix(joint, block))
        right.append(factor * block[:, -1])
    return np.vstack(rows), np.concatenate(right)


def _unconstrained(M: FloatArray, y: FloatArray, held: FloatArray, free: NDArray[np.bool_]
                   ) -> FloatArray:
    theta = held.copy()
    theta[free] = least_squares(M[:, free], y - M[:, ~free] @ held[~free])
    return theta


def _first_speeds(layout: Layout) -> FloatArray:
    """Return the Stribeck speeds to begin with: those that are known."""
    low, high = STRIBECK_SPEEDS[0], STRIBECK_SPEEDS[-1]
    model = layout.model
    for joint in numbers_of((model.stribeck != 0.0) & (
            (model.stribeck_speed < low) | (model.stribeck_speed > high))):
        raise ConfigurationError(
            f'{model.joint_names[joint]}: its stribeck_speed is '
            f'{model.stribeck_speed[joint]:g}, expected {low:.3g} to {high:.3g}')
    return np.where(model.stribeck != 0.0, model.stribeck_speed, _FIRST_SPEED)


def _best_speeds(design: Design, triangles: Dict[int, FloatArray], theta: FloatArray) -> Design:
    """Choose each joint's Stribeck speed by what its friction then leaves."""
    layout = design.layout
    speeds = design.stribeck_speed.copy()
    terms = [term for term in layout.terms if term != 'rotor']
    for joint, block in triangles.items():
        index = [layout.term(term).start + joint for term in terms]
        rest = theta.copy()
        rest[index] = 0.0
        left = block[:, -1] - design.matrix(joint, block) @ rest
        costs = []
        for speed in _SPEEDS.tolist():
            A = np.stack([design.columns.of_term(block, term, speed) for term in terms], axis=1)
            beta = np.linalg.lstsq(A, left, rcond=None)[0]
            costs.append(float(np.sum((left - A @ beta)**2)))
        speeds[joint] = _lowest(np.log(_SPEEDS), np.array(costs))
    return Design(layout, design.columns, speeds)


def _lowest(log_speed: FloatArray, cost: FloatArray) -> float:
    """Return the speed of least cost, by the parabola through it and its neighbours."""
    k = int(np.argmin(cost))
    if 0 < k < len(cost) - 1:
        before, here, after = cost[k - 1:k + 2]
        bend = before - 2.0 * here + after
        if bend > 0.0:
            step = log_speed[1] - log_speed[0]
            return float(np.exp(log_speed[k] + 0.5 * step * (before - after) / bend))
    return float(np.exp(log_speed[k]))


def _residuals(design: Design, equations: Equations, theta: FloatArray, floor: FloatArray
               ) -> Tuple[FloatArray, FloatArray]:
    """Return RMS of the residual and share of independent equations, both (nv,)."""
    parts = [rows.columns[:, :, -1] - design.torque(theta, rows.columns)
             for rows in equations.rows()]
    residual = np.concatenate(parts)
    rms = np.maximum(np.sqrt(np.mean(residual**2, axis=0)), floor)
    share = np.array([1.0 / correlation_time(residual[:, j]) for j in range(len(rms))])
    return rms, share


def correlation_time(series: FloatArray, longest: int = 500) -> float:
    """Return how many samples in a row count as one: the integrated autocorrelation."""
    centred = series - series.mean()
    if len(centred) < 4 or not centred.any():
        return 1.0
    spectrum = np.fft.rfft(centred, 2 * len(centred))
    correlation = np.fft.irfft(spectrum * np.conj(spectrum))[:min(longest, len(centred))]
    correlation /= correlation[0]
    below = np.flatnonzero(correlation < 0.05)
    stop = int(below[0]) if len(below) else len(correlation)
    return max(1.0, float(1.0 + 2.0 * correlation[1:stop].sum()))


def _covariance(M: FloatArray, free: NDArray[np.bool_]) -> FloatArray:
    covariance = np.zeros((M.shape[1], M.shape[1]))
    A = M[:, free]
    scale = np.maximum(np.linalg.norm(A, axis=0), 1e-300)
    inverse = np.linalg.pinv((A / scale).T @ (A / scale), hermitian=True)
    covariance[np.ix_(free, free)] = inverse / np.outer(scale, scale)
    return covariance


def _rms(column: FloatArray, count: int) -> float:
    return float(np.sqrt(np.sum(column**2) / max(count, 1)))
