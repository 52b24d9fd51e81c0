"""
The loops over oscillators, compiled by numba when the first filter is built.

Arrays: x (C, 2, N) holds the coefficients of C channels on N frequencies: the signal is the sum
over k of a_k cos(w_k s) + b_k sin(w_k s) with s the time from now, a = x[c, 0], b = x[c, 1].  The
frequencies of channel c are row grid[c] of frequency (G, N).
Every channel may be measured in two ways: its value (measurement 0) and its rate (1); NaN marks a
measurement that is absent from a sample.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import numpy as np

from robot_dynamics.estimation.harmonic_filter.compiling import compile_kernel

# Third differences of white noise have 1 + 9 + 9 + 1 times its variance
_THIRD_DIFFERENCE = 20.0

_GATE = 12.0         # standard deviations; what is further off is not a measurement
_GATE_OPENS = 100    # samples before anything is doubted
_MOST_DOUBTED = 10   # in a row; after them the world is believed to have changed


@functools.lru_cache(maxsize=1)
def compiled() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Compile ``advance`` and ``evaluate`` (about two seconds, once a process)."""
    return compile_kernel(_advance), compile_kernel(_evaluate)


def _advance(  # type: ignore[no-untyped-def]
        x, z, gains, reported, weight, grid, frequency, dt, decay, y, moved, history, seen, noise,
        surprise, power, spread, turn, used, doubted, memory, lead, points, bridging):
    """
    Move every channel on by dt and take one sample.

    z (C, 2, 2, N): what values and what rates told, of unit noise; gains (C, 2, 2, N): of each
    measurement on a and b; reported (C, 2): which measurements exist; weight (G, N): what b_k
    adds to a measured rate; decay: of the data within dt; y (C, 2), in which a glitch becomes NaN;
    moved (C, 2): receives y as it was ``lead`` s before, NaN for a glitch; history (C, 2, 2, 3):
    last values, so moved, and innovations, newest first; seen (C, 2, 3): how many values without a
    gap, how many innovations, and how many times the noise was learned; noise, surprise (C, 2):
    running variances of the noise and of the innovation; power (C, N): running sum of
    (a^2 + b^2) / 2; spread (C, 2, 3): running mean, mean square and number of the measurements;
    turn (G, 2, N + 1): cosines and sines of the last step, which is kept in turn[0, 0, N]; used
    (C, 2): variances of the noise that the gains count with; doubted (C, 2): samples taken for
    glitches in a row; memory: share of the newest sample in the variances; points: of an even
    grid since the last sample, 0 for a sample beside it; bridging: whether the sample comes after
    a pause and may surprise.

    A glitch tells what was expected: the information of the sample counts without a gap.
    """
    channels, _, count = x.shape
    if turn[0, 0, count] != dt:
        turn[0, 0, count] = dt
        for g in range(len(frequency)):
            for k in range(count):
                turn[g, 0, k] = np.cos(frequency[g, k] * dt)
                turn[g, 1, k] = np.sin(frequency[g, k] * dt)
    for c in range(channels):
        g = grid[c]
        value = 0.0
        rate = 0.0
        for k in range(count):
            cosine = turn[g, 0, k]
            sine = turn[g, 1, k]
            a = x[c, 0, k] * cosine + x[c, 1, k] * sine
            b = x[c, 1, k] * cosine - x[c, 0, k] * sine
            x[c, 0, k] = a
            x[c, 1, k] = b
            value += a
            rate += weight[g, k] * b
        for m in range(2):
            if reported[c, m] == 0 and z[c, m, m, 0] == 0.0 and z[c, m, m, 1] == 0.0:
                continue  # it never told anything
            for k in range(count):
                a = z[c, m, 0, k] * turn[g, 0, k] + z[c, m, 1, k] * turn[g, 1, k]
                b = z[c, m, 1, k] * turn[g, 0, k] - z[c, m, 0, k] * turn[g, 1, k]
                z[c, m, 0, k] = decay * a
                z[c, m, 1, k] = decay * b
        acceleration = 0.0
        jerk = 0.0
        if abs(lead) > 1e-9:
            for k in range(count):
                square = frequency[g, k] * frequency[g, k]
                acceleration -= square * x[c, 0, k]
                jerk -= square * frequency[g, k] * x[c, 1, k]
        moved[c, 0] = y[c, 0] - lead * ((rate - x[c, 1, 0]) + 0.5 * lead * acceleration)
        moved[c, 1] = y[c, 1] - lead * (acceleration + 0.5 * lead * jerk)
        for m in range(2):
            if points > 1 or reported[c, m] == 0:
                seen[c, m, 0] = 0
            if reported[c, m] == 0:
                continue
            predicted = value if m == 0 else rate
            measured = y[c, m]
            error = measured - predicted
            glitch = np.isnan(measured)
            if doubted[c, m] < _MOST_DOUBTED:  # many in a row would be the truth
                off = error
                expected = max(surprise[c, m], used[c, m])
                if bridging or seen[c, m, 1] <= _GATE_OPENS:  # what was measured before says more
                    off = measured - spread[c, m, 0]
                    expected = spread[c, m, 1] - spread[c, m, 0]**2 + noise[c, m]
                if max(seen[c, m, 1], spread[c, m, 2]) > _GATE_OPENS and (
                        off * off > _GATE**2 * expected):
                    glitch = True
                    doubted[c, m] += 1
            if glitch:
                y[c, m] = np.nan
                moved[c, m] = np.nan
                seen[c, m, 0] = 0
                for k in range(count):
                    if m == 0:
                        z[c, 0, 0, k] += predicted
                    else:
                        z[c, 1, 1, k] += weight[g, k] * predicted
                continue
            doubted[c, m] = 0
            share = max(memory, 1.0 / (1.0 + spread[c, m, 2]))
            spread[c, m, 0] += share * (measured - spread[c, m, 0])
            spread[c, m, 1] += share * (measured * measured - spread[c, m, 1])
            spread[c, m, 2] += 1.0
            # where samples are lost, the innovations alone tell what is noise
            kind = 0 if seen[c, m, 0] >= 3 and points == 1 else 1
            newest = moved[c, m] if kind == 0 else error
            if seen[c, m, kind] >= 3:
                d = newest - 3 * history[c, m, kind, 0] + 3 * history[c, m, kind, 1] - (
                    history[c, m, kind, 2])
                share = max(memory, 1.0 / (seen[c, m, 2] + 1))
                noise[c, m] += share * (d * d / _THIRD_DIFFERENCE - noise[c, m])
                seen[c, m, 2] += 1
            if not bridging:
                surprise[c, m] += max(20 * memory, 1.0 / (seen[c, m, 1] + 1)) * (
                    error * error - surprise[c, m])
            for kind in range(2):
                if kind == 0 and points == 0:
                    continue
                history[c, m, kind, 2] = history[c, m, kind, 1]
                history[c, m, kind, 1] = history[c, m, kind, 0]
                history[c, m, kind, 0] = moved[c, m] if kind == 0 else error
                seen[c, m, kind] += 1
            for k in range(count):
                x[c, 0, k] += gains[c, m, 0, k] * error
                x[c, 1, k] += gains[c, m, 1, k] * error
            if m == 0:
                for k in range(count):
                    z[c, 0, 0, k] += measured
            else:
                for k in range(count):
                    z[c, 1, 1, k] += weight[g, k] * measured
        for k in range(count):
            power[c, k] += 0.5 * (x[c, 0, k] * x[c, 0, k] + x[c, 1, k] * x[c, 1, k])


def _evaluate(x, grid, frequency, ahead, out):  # type: ignore[no-untyped-def]
    """Write value, first and second derivative of every channel at ``ahead`` s, (C, 3)."""
    channels, _, count = x.shape
    for c in range(channels):
        out[c, 0] = 0.0
        out[c, 1] = 0.0
        out[c, 2] = 0.0
    for g in range(len(frequency)):
        for k in range(count):
            w = frequency[g, k]
            cosine = np.cos(w * ahead)
            sine = np.sin(w * ahead)
            for c in range(channels):
                if grid[c] == g:
                    value = x[c, 0, k] * cosine + x[c, 1, k] * sine
                    out[c, 0] += value
                    out[c, 1] += w * (x[c, 1, k] * cosine - x[c, 0, k] * sine)
                    out[c, 2] -= w * w * value
