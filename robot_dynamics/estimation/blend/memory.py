"""What the blend keeps of its samples: arrays of a size that never changes."""

from __future__ import annotations

from typing import NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.blend import settings
from robot_dynamics.estimation.blend.design import Design

IntArray = NDArray[np.int64]

ANGLE, SIGNAL, DERIVATIVE = range(3)  # what is predicted


class Memory(NamedTuple):
    """
    State of C signals with B blocks, H horizons, K predictors; R = 3 H rows: angle, signal, rate.

    Attributes
    ----------
    count : ndarray of int, (C, 3)
        Points that were taken, the last that was learned, whether there is an answer.
    ring : ndarray, (C, 2 L)
        The last L points of the signal, twice.
    sums : ndarray, (C, B)
        Of the blocks.
    past : ndarray, (C, S, B + 2)
        Regressors: means of the blocks, the angle, 1.
    target : ndarray, (C, S, 5)
        What they are to predict: angle, signal in the band, derivative in each band.
    gram, cross, weight : ndarray, (C, B + 2, B + 2), (C, 5 H, B + 2), (C, 2)
        Sums of products of regressors, and with their targets; how many, and of their noise.
    metric : ndarray, (B + 2, B + 2)
        What is believed of its regressors, of the signal that is being solved.
    factor, scale : ndarray, (B + 2, B + 2), (B + 2,)
        Of the signal that is being solved.
    fir : ndarray, (C, K, R, B + 2)
        Weights of each predictor.
    mix : ndarray, (C, R, K)
        How they are blended.
    blend : ndarray, (C, R, B + 2)
        The weights that follow.
    angle : ndarray, (C,)
        The newest.
    answer : ndarray, (C, R)
        What they say now.
    errors : ndarray, (C, 2, R, K, K)
        Sums of products of the predictors' errors, in this stretch and in the last one.
    own : ndarray, (C, 2, R, 2)
        Sum of the squared errors of the blend, and count of all errors.
    variance : ndarray, (C, R)
        Of the blend, as stated.
    best : ndarray of int, (C, R)
        Which simple predictor has erred least.
    band : ndarray of int, (C,)
        In which the derivative is learned.
    outside : ndarray, (C, 3)
        Mean squares of what each band leaves out of the derivative.
    probe : ndarray, (C, P, 5)
        Resonators: two complex states and the mean power.
    raw : ndarray, (C, 5)
        The last two samples, how many there were, how many for each point of the grid, and the
        least variance that their noise has.
    noise : ndarray, (C, 4)
        Variance of the noise and of the vibration above the band, mean of angle and of signal.
    prior : ndarray of int, (C, 3)
        Whether there is an angle, and which weights of the predictor of seas are in use.
    peak : ndarray, (C, 2, 2)
        Largest signal and derivative, in this stretch and in the last one.
    """

    count: IntArray  # type: ignore[assignment]
    ring: FloatArray
    sums: FloatArray
    past: FloatArray
    target: FloatArray
    gram: FloatArray
    cross: FloatArray
    weight: FloatArray
    metric: FloatArray
    factor: FloatArray
    scale: FloatArray
    fir: FloatArray
    mix: FloatArray
    blend: FloatArray
    angle: FloatArray
    answer: FloatArray
    errors: FloatArray
    own: FloatArray
    variance: FloatArray
    best: IntArray
    band: IntArray
    outside: FloatArray
    probe: FloatArray
    raw: FloatArray
    noise: FloatArray
    prior: IntArray
    peak: FloatArray


def fresh(constants: Design, angles: Sequence[bool]) -> Memory:
    """Return the memory of a filter that has seen nothing, of signals with angles or without."""
    c, blocks, h = len(angles), len(constants.edges) - 1, len(constants.knots)
    every, reach = int(constants.scalars[1]), int(constants.scalars[2])
    n, rows, targets = blocks + 2, 3 * h, len(constants.filters)
    fixed = len(constants.fixed)
    k = fixed + len(settings.BELIEVED)
    slots = (int(constants.knots[-1]) + reach) // every + 4
    length = int(constants.edges[-1]) + 2 * reach + 2
    fir = np.zeros((c, k, rows, n))
    fir[:, :fixed] = constants.fixed.reshape(fixed, rows, n)
    mix = np.zeros((c, rows, k))
    mix[:, :, 0] = 1.0  # until more is known: hold
    peak = np.zeros((c, 2, 2))
    prior = np.full((c, 3), -1, dtype=np.int64)
    prior[:, 0] = angles
    return Memory(
        np.zeros((c, 3), dtype=np.int64), np.zeros((c, 2 * length)), np.zeros((c, blocks)),
        np.zeros((c, slots, n)), np.zeros((c, slots, targets)), np.zeros((c, n, n)),
        np.zeros((c, targets * h, n)), np.zeros((c, 2)), np.zeros((n, n)),
        np.zeros((n, n)), np.zeros(n), fir, mix,
        np.einsum('crk,ckrn->crn', mix, fir), np.zeros(c), np.zeros((c, rows)),
        np.zeros((c, 2, rows, k, k)), np.zeros((c, 2, rows, 2)), np.zeros((c, rows)),
        np.zeros((c, rows), dtype=np.int64), np.zeros(c, dtype=np.int64),
        np.zeros((c, targets - 2)),
        np.zeros((c, len(constants.probes), 5)), np.zeros((c, 5)), np.zeros((c, 4)),
        prior, peak)
