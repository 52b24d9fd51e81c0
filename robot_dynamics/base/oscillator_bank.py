"""
An adaptive filter for motions at sea: many signals, each a sum of oscillators.

A ship's motion within some seconds is a sum of sinusoids whose frequencies are dense and whose
amplitudes follow a spectrum.  Least squares over an exponential window, with the spectrum as
prior, is then the optimal (Wiener) filter for that spectrum: the same coefficients give the
signal, its derivatives and its future, each with a variance.  The spectrum is learned on the way
by the evidence of the data (MacKay, "Bayesian interpolation", Neural Computation 4, 1992): the
power of each oscillator becomes what its estimates show, corrected for what they cannot know.  The
noise is learned from third differences, of the innovations where samples are lost.  So there is
nothing to tune by sea state.

Samples are taken as if they were evenly spaced.  What a point of the grid would have told that had
no sample is subtracted again for the newest; older ones lie between samples and are filled with
what the filter found there.  (Filled at once they would confirm the filter's own predictions:
where most samples are lost, it would diverge.)

Between solutions every sample corrects the coefficients with fixed gains; the solutions themselves
come seldom and may be asked for when there is time (:meth:`OscillatorBank.maintain`).
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.base.bank_kernels import compiled
from robot_dynamics.base.channel_model import ChannelModel
from robot_dynamics.base.information import InformationGrid, points
from robot_dynamics.base.prediction_check import CHECKED, PredictionCheck
from robot_dynamics.base.sampling_grid import BEGIN_ANEW, SamplingGrid
from robot_dynamics.base.second_opinion import SecondOpinion

FloatArray = NDArray[np.float64]

VALUE, RATE = 0, 1
NARROW, BROAD = 0, 1

_MEMORY = 10.0           # s, of noise and innovation variances
_SOLVE_SHARE = 0.15      # a young filter is solved again when its age has grown by this share
_SHORTEST, _LONGEST = 0.05, 6.0  # s between solutions of a channel
_TRUSTED = 10.0          # s; younger predictions are not held against the filter
_LOOK, _OUTRUN = 0.5, 100.0  # s; innovation over noise, as variances, that cannot wait
_KEPT = 16384            # points whose loss is known: at 1 kHz, longer than between solutions
_BETWEEN, _MOST_UNFILLED = 2.0, 400  # s; points that are not filled, where samples were lost
_SETTLING = 5            # samples before the first solution
_SAME_INTERVAL = 5e-4    # share by which an interval may differ: over a window, 0.02 rad at most


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


class OscillatorBank:
    """
    Filter and predictor of several signals that share their instants.

    Parameters
    ----------
    channels : sequence of Channel, C
        The signals.
    window : float
        Time constant of the exponential window, s.
    regressed : int
        So many of the first channels are also predicted by a regression on their past, which is
        followed where it proves better.
    """

    def __init__(self, channels: Sequence[Channel], window: float = 4.0, regressed: int = 0
                 ) -> None:
        self.channels, self.window = tuple(channels), window
        self.frequency = frequency_grids(window)
        self.weight = self.frequency.copy()
        self.weight[:, 0] = 1.0  # the constant's second coefficient is the bias of the rate
        self._band = np.array([channel.band for channel in channels], dtype=np.int64)
        self._advance, self._evaluate = compiled()
        self._nothing = np.full((len(channels), 2), np.nan)
        self.models = [ChannelModel(channel.slope, channel.floor, channel.offset, channel.bias,
                                    self.frequency[channel.band]) for channel in channels]
        self.regressed = regressed
        self.second = SecondOpinion(regressed) if regressed else None
        self.grid = SamplingGrid()
        self.reset()

    def reset(self) -> None:
        """Forget everything, also the learned spectra."""
        for model in self.models:
            model.forget()
        self.noise = np.zeros((len(self.channels), 2))
        if self.second is not None:
            self.second.reset()
        self.restart()

    def restart(self, interval: float = 0.0) -> None:
        """Forget the samples, but keep the learned spectra; an interval, s, may be known."""
        count, size = len(self.channels), self.frequency.shape[1]
        self.x = np.zeros((count, 2, size))
        self._data = np.zeros((count, 2, 2, size))  # told by values and by rates of unit noise
        self._gains = np.zeros((count, 2, 2, size))
        self._surprise = np.zeros((count, 2))
        self._power = np.zeros((count, size))
        self._power_since = np.zeros(count, dtype=np.int64)
        self._history = np.zeros((count, 2, 2, 3))
        self._seen = np.zeros((count, 2, 3), dtype=np.int64)
        self._spread = np.zeros((count, 2, 3))
        self._turn = np.full((len(self.frequency), 2, size + 1), np.nan)
        self._used = np.zeros((count, 2))
        self._doubted = np.zeros((count, 2), dtype=np.int64)
        self._lost = np.zeros((count, 2, _KEPT), dtype=np.bool_)  # points without a sample
        self._newest = self._nothing
        self.check = PredictionCheck(count, self._evaluate_at)
        self.reported = np.zeros((count, 2), dtype=np.int64)
        self._began = np.full((count, 2), -1, dtype=np.int64)
        self._ended = np.full((count, 2), -1, dtype=np.int64)
        self._due = np.zeros(count)
        self._look = 0.0  # age at which to look for channels that cannot wait
        self._changed = np.zeros(count)  # age at which the measurements changed last
        self.samples, self.age = 0, 0.0
        self.grid.restart(interval)
        self._grids: list[Optional[tuple[InformationGrid, InformationGrid]]] = [None, None]
        self._result = np.zeros((count, 3))
        if self.second is not None:
            self.second.restart()

    def declare(self, reported: NDArray[np.bool_]) -> None:
        """
        Say which measurements the sensor reports from now on.

        What vanished keeps telling until the window has forgotten it, so that a fall to fewer
        measurements is smooth.

        Parameters
        ----------
        reported : ndarray of bool, (C, 2)
            Values and rates.
        """
        now, before = np.asarray(reported, dtype=bool), self.reported.astype(bool)
        new, gone = now & ~before, before & ~now
        self._data[new], self._lost[new] = 0.0, False
        self._began[new], self._ended[new] = self.samples, -1
        self._ended[gone] = self.samples
        self._gains[gone] = 0.0
        self._surprise[new] = 0.0
        self.reported[...] = now
        if self.second is not None and (new | gone)[:self.regressed].any():
            self.second.reset(has_rates=bool(now[:self.regressed, RATE].all()))
        if self.samples:
            changed = (new | gone).any(axis=1)
            self._due[changed], self._changed[changed] = 0.0, self.age

    def step(self, dt: float, y: FloatArray) -> bool:
        """
        Move on and take one sample.

        What the samples have told is summed as if they were evenly spaced, so they are brought
        onto an even grid: a sample between its points is moved by what the filter expects in
        between, a point without a sample is gone through, and a second sample of the same point
        is left out.

        Parameters
        ----------
        dt : float
            Since the last sample that was taken, s; of the first one without meaning.
        y : ndarray, (C, 2)
            Measured values and rates; NaN where this sample lacks one.  Afterwards it holds what
            was taken: brought onto the grid, and NaN in place of glitches.

        Returns
        -------
        bool
            False if the sample was left out and nothing has changed.
        """
        grid = self.grid
        count = grid.place(dt) if self.samples else 1
        if count == BEGIN_ANEW:
            reported = self.reported.astype(bool)
            self.restart(grid.interval)
            self.declare(reported)
            count = 1
        if count == 0:
            return False
        if self.samples == 0:
            self.x[:, 0, 0] = np.nan_to_num(y[:, VALUE])  # until there is a solution
        step = grid.step if self.samples else 0.0
        for _ in range(count - 1):
            self._take(step, self._nothing)
        self._take(step, y)
        self._newest = y
        return True

    @property
    def interval(self) -> float:
        """Time between two points of the grid, s."""
        return self.grid.interval

    def _take(self, dt: float, y: FloatArray) -> None:
        self._advance(self.x, self._data, self._gains, self.reported, self.weight,
                      self._band, self.frequency, dt, math.exp(-self.interval / self.window), y,
                      self._history, self._seen, self.noise, self._surprise, self._power,
                      self._spread, self._turn, self._used, self._doubted, self._lost,
                      self.samples % _KEPT, min(1.0, dt / _MEMORY), self.grid.lead)
        self.samples += 1
        self.age += dt
        if self.second is not None:
            self.second.take(y[:self.regressed])

    def maintain(self) -> bool:
        """
        Solve the one channel that has waited longest, if any is due; say whether one was.

        A solution costs a few hundred microseconds.
        """
        if self.samples < _SETTLING:
            return False
        self._check_predictions()
        if self.second is not None:
            self.second.work(self.interval, self._bank_at, self._bank_deviations)
        if self.age >= self._look:
            self._hurry()
        c = int(np.argmin(self._due))
        if self.age < self._due[c]:
            return False
        self._solve(c)
        young = _SOLVE_SHARE * (self.age - self._changed[c])
        self._due[c] = self.age + min(max(young, _SHORTEST), _LONGEST)
        return True

    def _hurry(self) -> None:
        """Do not let a channel wait for its turn whose samples contradict its last solution."""
        self._look = self.age + _LOOK
        outrun = (self._surprise > _OUTRUN * self._used) & (self.reported > 0) & (self._used > 0)
        old = self.age - self._changed > _TRUSTED
        self._due[outrun.any(axis=1) & old] = 0.0

    def _check_predictions(self) -> None:
        if self.check.waits_for(self.age):
            noise = np.array([model.noise for model in self.models])
            self.check.compare(self.age, self._newest, noise, self.x[:, 1, 0])
        if self.age > _TRUSTED and self.check.wants(self.age):
            stated = np.array([model.variances(CHECKED)[:, :2] for model in self.models])
            self.check.keep(self.age, self.x, stated.transpose(1, 0, 2))

    def _bank_at(self, ahead: FloatArray) -> FloatArray:
        """Return what the oscillators alone predict of the regressed channels, (C, K, 3)."""
        out, found = np.zeros((len(self.channels), 3)), np.zeros((self.regressed, len(ahead), 3))
        for k, s in enumerate(ahead.tolist()):
            self._evaluate(self.x, self._band, self.frequency, s, out)
            found[:, k] = out[:self.regressed]
        return found

    def _bank_deviations(self, ahead: FloatArray) -> FloatArray:
        return np.array([self.check.at(c, ahead) * np.sqrt(self.models[c].variances(ahead))
                         for c in range(self.regressed)])

    def _solve(self, c: int) -> None:
        model, live = self.models[c], self._began[c] >= 0
        spread = np.maximum(self._spread[c, :, 1] - self._spread[c, :, 0]**2, 0.0)
        variance = model.noise_variance(self.noise[c], spread)
        information, self._used[c] = np.where(live, 1.0 / variance, 0.0), variance
        grids = self._grid_pair(self._band[c])
        told = [self._told(c, grid, information) for grid in grids]
        for m in (VALUE, RATE):
            lost = self._fill_old(c, m)
            if len(lost):
                told[0] -= information[m] * grids[0].of_points(lost)[m]
        data = (self._data[c] * information[:, None, None]).sum(axis=0).ravel()
        count = self.samples - self._power_since[c]
        if count:
            model.learn(self._power[c] / count, count * self.interval, self.age, spread,
                        self._surprise[c] / variance, self.reported[c].astype(bool))
        self._power[c], self._power_since[c] = 0.0, self.samples
        coefficients, gains = model.solve(told[0], told[1], data)
        if coefficients is not None:
            self.x[c] = coefficients.reshape(2, -1)
        for m in (VALUE, RATE):
            self._gains[c, m] = gains[m].reshape(2, -1) * (information[m] * self.reported[c, m])

    def _fill_old(self, c: int, m: int) -> NDArray[np.int64]:
        """
        Fill old points without a sample, which lie between others, with what the filter found.

        Returns how many points ago, 0 is now, the newest ones are, which are left unfilled.
        """
        lost = self._lost[c, m]
        ago = np.sort((self.samples - 1 - np.flatnonzero(lost)) % _KEPT)
        newest = min(int(np.searchsorted(ago * self.interval, _BETWEEN)), _MOST_UNFILLED)
        old = ago[newest:]
        if len(old):
            weight = self.weight[self._band[c]]
            rows = points(self.frequency[self._band[c]], old, self.interval)
            if m == RATE:
                cosine, sine = np.split(rows, 2, axis=1)
                rows = np.concatenate([-weight * sine, weight * cosine], axis=1)
            found = math.exp(-self.interval / self.window)**old * (rows @ self.x[c].ravel())
            self._data[c, m] += (found @ rows).reshape(2, -1)
            lost[(self.samples - 1 - old) % _KEPT] = False
        return ago[:newest]

    def _told(self, c: int, grid: InformationGrid, information: FloatArray) -> FloatArray:
        """Sum what samples at all points would have told of a channel, (2 N, 2 N)."""
        size = 2 * self.frequency.shape[1]
        told = np.zeros((size, size))
        for m in (VALUE, RATE):
            if self._began[c, m] >= 0:
                told += information[m] * grid.of_last(self.samples - int(self._began[c, m]))[m]
                if self._ended[c, m] >= 0:
                    told -= information[m] * grid.of_last(
                        self.samples - int(self._ended[c, m]))[m]
        return told

    def _grid_pair(self, band: int) -> tuple[InformationGrid, InformationGrid]:
        """Information of the window and of its squared weights, for the sampling in use."""
        pair = self._grids[band]
        if pair is None or abs(pair[0].interval - self.interval) > _SAME_INTERVAL * self.interval:
            decay = math.exp(-self.interval / self.window)
            pair = self._grids[band] = (
                InformationGrid(self.frequency[band], self.weight[band], self.interval, decay),
                InformationGrid(self.frequency[band], self.weight[band], self.interval,
                                decay * decay))
        return pair

    def evaluate(self, ahead: float) -> FloatArray:
        """
        Return value, rate and acceleration of all channels, (C, 3).

        ``ahead`` is the time from the last sample that was taken, s.
        """
        ahead += self.grid.lead
        self._evaluate(self.x, self._band, self.frequency, ahead, self._result)
        if self.second is not None:
            self.second.blend(ahead, self._result)
        return self._result

    def _evaluate_at(self, coefficients: FloatArray, ahead: float, out: FloatArray) -> None:
        self._evaluate(coefficients, self._band, self.frequency, ahead, out)

    def covariance(self, c: int, ahead: float) -> FloatArray:
        """Return the covariance of value, rate and acceleration of one channel, (3, 3)."""
        ahead += self.grid.lead
        covariance = self._bank_covariance(c, ahead)
        if self.second is not None and c < self.regressed:
            factors = self.second.factors(c, ahead, np.sqrt(np.diagonal(covariance)))
            covariance *= np.multiply.outer(factors, factors)
        return covariance

    def _bank_covariance(self, c: int, ahead: float) -> FloatArray:
        scale = self.check.at(c, ahead)
        covariance: FloatArray = self.models[c].covariance(ahead) * np.multiply.outer(scale, scale)
        return covariance
