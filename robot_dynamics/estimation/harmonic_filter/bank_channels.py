"""The signals of an oscillator bank, and the frequencies of their oscillators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from robot_dynamics.core.gate import FloatArray


NARROW, BROAD = 0, 1


@dataclass(frozen=True)
class Channel:
    """
    One signal of the bank.

    Attributes
    ----------
    name : str
    slope : float
        Exponent of the first guess of the spectrum: power falls as frequency^-slope.
    floor : tuple of 2 float
        Least standard deviations of noise of value and rate, in the signal's unit.
    offset : float
        Standard deviation of a constant part, in the signal's unit.
    bias : float
        Standard deviation of a constant error of the measured rate.
    band : int
        ``NARROW`` for angles, whose spectrum falls steeply beyond the swell, ``BROAD`` for
        accelerations, which short waves reach as well.
    """

    name: str
    slope: float
    floor: tuple[float, float]
    offset: float
    bias: float = 0.0
    band: int = NARROW


def frequency_grids(window: float, low: float = 0.2, knees: tuple[float, float] = (2.5, 4.6),
                    high: float = 9.0) -> FloatArray:
    """
    Return the frequencies of both bands in rad/s, (2, N): 0 (the constant), then a grid.

    The narrow band is as dense as the window can tell apart, a quarter of 1 / window, up to its
    knee; the broad one has as many frequencies, evenly up to its own.  Beyond, both grow
    geometrically.
    """
    beyond = [knee * 1.08**np.arange(int(np.log(high / knee) / np.log(1.08)) + 1)
              for knee in knees]
    narrow = np.concatenate([[0.0], np.arange(low, knees[0], 0.25 / window), beyond[NARROW]])
    even = len(narrow) - 1 - len(beyond[BROAD])
    broad = np.concatenate([[0.0], np.linspace(low, knees[1], even, endpoint=False),
                            beyond[BROAD]])
    return np.stack([narrow, broad])
