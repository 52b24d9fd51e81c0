"""What the predictor keeps of its samples: arrays of a size that never changes."""

from __future__ import annotations

from typing import NamedTuple, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.adaptive import settings
from robot_dynamics.estimation.adaptive.design import Design, IntArray


class Memory(NamedTuple):
    """State of C signals: B blocks, H horizons, K predictors, R = 3 H rows, S of the past."""

    # points taken, the last that was learned, whether there is an answer, (C, 3)
    count: IntArray  # type: ignore[assignment]
    ring: FloatArray      # the last L points of the signal, twice, (C, 2 L)
    sums: FloatArray      # of the blocks, (C, B)
    past: FloatArray      # regressors: means of the blocks, the angle, 1, (C, S, B + 2)
    target: FloatArray    # angle, signal in the band, derivative in each band, (C, S, 5)
    gram: FloatArray      # sums of products of regressors, (C, B + 2, B + 2),
    cross: FloatArray     # and with their targets, (C, 5 H, B + 2)
    weight: FloatArray    # how many, and of their noise, (C, 2)
    metric: FloatArray    # what is believed of regressors, of the signal being solved, (B + 2)^2
    asked: FloatArray     # cross of that signal as it was then, without noise, (5 H, B + 2)
    factor: FloatArray    # Cholesky factor of that signal, (B + 2, B + 2),
    scale: FloatArray     # and its scale, (B + 2,)
    fir: FloatArray       # weights of each predictor, (C, K, R, B + 2)
    mix: FloatArray       # how they are blended, (C, R, K),
    blend: FloatArray     # and the weights that follow, (C, R, B + 2)
    angle: FloatArray     # the newest, (C,)
    answer: FloatArray    # what the blend says now, (C, R)
    errors: FloatArray    # sums of products of errors, this stretch and the last, (C, 2, R, K, K)
    own: FloatArray  # squared errors of the blend, how many, squares from a cubic, (C, 2, R, 3)
    variance: FloatArray  # of the blend, as stated, (C, R)
    best: IntArray        # which simple predictor has erred least, (C, R)
    band: IntArray        # in which the derivative is learned, (C,)
    outside: FloatArray   # mean squares of what each band leaves out of the wider one, (C, 3)
    probe: FloatArray     # resonators: two complex states and the mean power, (C, P, 5)
    # the last two samples, how many, how many for each point, least variance of noise, (C, 5)
    raw: FloatArray
    # variance of noise and of what lies above the band, mean of angle and signal, variance of the
    # derivative above the band, noise as it is, (C, 6)
    noise: FloatArray
    early: FloatArray     # squared errors of simple predictors on a young signal; how many, (C, F)
    prior: IntArray       # whether there is an angle, which weights of seas are in use, (C, 3)
    # largest signal, derivative, angle and negative angle, this stretch and the last, (C, 2, 4)
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
    peak = np.zeros((c, 2, 4))
    peak[:, :, 2:] = -1e9  # no angle was seen
    prior = np.full((c, 3), -1, dtype=np.int64)
    prior[:, 0] = angles
    return Memory(
        np.zeros((c, 3), dtype=np.int64), np.zeros((c, 2 * length)), np.zeros((c, blocks)),
        np.zeros((c, slots, n)), np.zeros((c, slots, targets)), np.zeros((c, n, n)),
        np.zeros((c, targets * h, n)), np.zeros((c, 2)), np.zeros((n, n)),
        np.zeros((targets * h, n)), np.zeros((n, n)), np.zeros(n), fir, mix,
        np.einsum('crk,ckrn->crn', mix, fir), np.zeros(c), np.zeros((c, rows)),
        np.zeros((c, 2, rows, k, k)), np.zeros((c, 2, rows, 3)), np.zeros((c, rows)),
        np.zeros((c, rows), dtype=np.int64), np.zeros(c, dtype=np.int64),
        np.zeros((c, targets - 2)), np.zeros((c, len(constants.probes), 5)), np.zeros((c, 5)),
        np.zeros((c, 6)), np.zeros((c, fixed)), prior, peak)
