"""
Two predictors of the same motion, and who of them is right.

An autoregression is far better than a sum of oscillators where the sensor is almost free of noise,
and worse where it is not.  So both are asked: twice a second their predictions are put aside, and
compared with what came.  Where the regression was clearly better (by channel, by horizon, and for
value, rate and acceleration each) it is followed, by and by, and never further from the
oscillators' answer than six of their stated standard deviations: one bad sample, to which
a regression on clean data reacts violently, does no harm.
"""

from __future__ import annotations

from collections import deque
import math
from typing import Callable, NamedTuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.harmonic_filter.autoregression import Autoregression, NODES


_PERIOD = 0.5        # s between predictions put aside
_FEWEST, _MEMORY = 20, 60  # predictions that are judged together
_BETTER, _FAR_BETTER = 1.5, 4.0  # mean square error of the bank over ours: first and full share
_CLEAR = 4.0         # mean square error of the bank over that of what it is compared with
_RISE, _FALL = 0.05, 0.5  # most by which a share changes from one comparison to the next
_BELIEVED = 6.0      # standard deviations
_CORRELATED = 4      # neighbouring predictions err alike: so many count as one
_LEAST = 0.1         # of the noise's variance: a smaller error cannot be told from none
_TINY = 1e-24        # least variance
_SAME = 1e-18        # mean square errors below that do not differ


class _Kept(NamedTuple):
    """Predictions of one instant, (C, K, 3) each."""

    end: int
    ours: FloatArray
    banks: FloatArray


class SecondOpinion:
    """
    Autoregression of the first channels of a bank, followed where it was right.

    Parameters
    ----------
    channels : int
        C, how many channels.

    Attributes
    ----------
    share : ndarray, (C, K, 3)
        How much the regression is followed at its instants: 0 not, 1 wholly.
    """

    def __init__(self, channels: int) -> None:
        self.regression = Autoregression(channels)
        self._blend = self.regression.kernels.blend
        self.reset()

    def reset(self, has_rates: bool = True) -> None:
        """Forget everything; without rates, the regression is on values alone."""
        self.regression.reset(has_rates)
        self._begin()

    def _begin(self) -> None:
        shape = (self.regression.channels, len(NODES), 3)
        self._squares: deque[FloatArray] = deque()  # of the errors of both, (2, C, K, 3)
        self._compared = 0
        self.share, self._limit = np.zeros(shape), np.zeros(shape)
        self._logarithm = np.full(shape, math.log(_TINY))
        self._forget_samples()

    def restart(self) -> None:
        """Forget the samples, but keep what was learned from them."""
        self.regression.restart()
        self._forget_samples()

    def _forget_samples(self) -> None:
        self._kept: deque[_Kept] = deque()
        self._next, self._wake = 0, -1  # samples at which there is something to do
        self.followed = bool(self.share.any())

    def take(self, y: FloatArray) -> None:
        """Take the sample of the next instant of an even grid, (C, 2); NaN where it lacks one."""
        self.regression.take(y)

    def work(self, interval: float, bank: Callable[[FloatArray], FloatArray],
             deviations: Callable[[FloatArray], FloatArray]) -> None:
        """
        Learn from what came, and compare; some hundred microseconds now and then.

        Parameters
        ----------
        interval : float
            Between samples, s.
        bank, deviations : callable
            Of seconds ahead, (K,): what the oscillators predict and its standard deviations,
            (C, K, 3).
        """
        regression = self.regression
        if regression.newest < self._wake:
            return
        if not regression.suits(interval):
            self._begin()
            return
        self._wake = regression.newest + max(1, regression.spacing // 2)
        regression.learn()
        while self._kept and self._kept[0].end <= regression.known:
            kept = self._kept.popleft()
            if kept.end >= regression.oldest:
                self._compare(kept)
        if regression.newest >= self._next and not np.isnan(regression.weights[0, 0, 0]):
            self._next = regression.newest + max(1, round(_PERIOD / interval))
            self._kept.append(_Kept(regression.newest, regression.predict(),
                                    bank(regression.times)))
            self._limit = _BELIEVED * deviations(regression.times)

    def _compare(self, kept: _Kept) -> None:
        came = self.regression.came(kept.end)
        errors = np.array([kept.ours - came, kept.banks - came])
        if np.isnan(errors).any():
            return  # a gap
        self._squares.append(errors * errors)
        # who is learning is judged by the last quarter of his life
        self._compared += 1
        count = max(_FEWEST, min(self._compared // 4, _MEMORY))
        while len(self._squares) > count:
            self._squares.popleft()
        if self._compared < _FEWEST:
            return
        ours, banks = np.mean(self._squares, axis=0)
        noise = self.regression.noise()
        ratio = np.maximum(banks, _SAME) / np.maximum(ours, _SAME)
        wish = np.clip(np.log(ratio / _BETTER) / math.log(_FAR_BETTER / _BETTER), 0.0, 1.0)
        wish[banks < _CLEAR * noise[:, None, :]] = 0.0
        self.share += np.clip(wish - self.share, -_FALL, _RISE)
        # a measured value is its own best prediction of now, which proves nothing
        self.share[:, 0, 0] = self.share[:, 1, 0]
        self.followed = bool(self.share.any())
        ours = ours * (1.0 + 2.0 * _CORRELATED / len(self._squares))  # so few know no better
        variance = np.maximum(ours - noise[:, None, :], _LEAST * noise[:, None, :])
        variance[:, 0, 0] = noise[:, 0]
        self._logarithm = np.log(np.maximum(variance, _TINY))

    def blend(self, ahead: float, state: FloatArray) -> None:
        """
        Move the bank's state at ``ahead`` s towards the regression's, in place.

        Parameters
        ----------
        ahead : float
            From the newest sample, s; not before it by more than a sampling interval and not
            beyond the last instant that is predicted, or nothing is done.
        state : ndarray, (at least C, 3)
            Value, rate and acceleration of each channel.
        """
        regression = self.regression
        if self.followed and regression.newest >= 0 and self._is_asked(ahead):
            self._blend(regression.weights, regression.regressors(), regression.times, ahead,
                        self.share, self._limit, state)

    def _is_asked(self, ahead: float) -> bool:
        regression = self.regression
        return -regression.interval <= ahead <= float(regression.times[-1])

    def factors(self, c: int, ahead: float, stated: FloatArray) -> FloatArray:
        """
        Return by what the standard deviations of the bank's answer change, (3,).

        Parameters
        ----------
        c : int
            Channel.
        ahead : float
            In s.
        stated : ndarray, (3,)
            Standard deviations that the bank states for value, rate and acceleration.
        """
        regression = self.regression
        if (not self.followed or not self._is_asked(ahead)
                or np.isnan(regression.regressors()[c]).any()):
            return np.ones(3)
        share, own = (np.array([np.interp(ahead, regression.times, table[c, :, k])
                                for k in range(3)]) for table in (self.share, self._logarithm))
        return 1.0 - share + share * np.exp(0.5 * own) / np.maximum(stated, 1e-12)
