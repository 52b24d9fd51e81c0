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

Samples may come when they like, and every one tells what it tells at its own instant.  Between
solutions each corrects the coefficients with fixed gains, those of as many samples that come
evenly: gains of the first samples after a pause, used again and again, would make the coefficients
grow without bound.  The solutions themselves come seldom and may be asked for when there is time
(:meth:`OscillatorBank.maintain`).
"""

from __future__ import annotations

import math
from typing import Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.harmonic_filter.bank_channels import Channel, frequency_grids
from robot_dynamics.estimation.harmonic_filter.bank_kernels import compiled
from robot_dynamics.estimation.harmonic_filter.prediction_check import CHECKED, PredictionCheck
from robot_dynamics.estimation.harmonic_filter.sample_information import SampleInformation
from robot_dynamics.estimation.harmonic_filter.sampling_grid import BEGIN_ANEW, SamplingGrid
from robot_dynamics.estimation.harmonic_filter.second_opinion import SecondOpinion
from robot_dynamics.estimation.harmonic_filter.signal_model import ChannelModel


VALUE, RATE = 0, 1

_MEMORY = 10.0           # s, of noise and innovation variances
_SOLVE_SHARE = 0.15      # a young filter is solved again when its age has grown by this share
_SHORTEST, _LONGEST = 0.05, 6.0  # s between solutions of a channel
_TRUSTED = 10.0          # s; younger predictions are not held against the filter
_LOOK, _OUTRUN = 0.5, 100.0  # s; innovation over noise, as variances, that cannot wait
_CLOSEST = 2.5e-4        # s; a sample that follows sooner is left out
_PAUSE, _STEPS = 0.1, 2.5  # s, and usual intervals; after a longer pause all is solved anew
_ABSENT = 1.0            # s; of a measurement that comes back later the noise is learned anew
_FADING = 5.0            # windows
_COLLECTED = 3.0         # s of samples, before their spread is what limits the powers
_NOISE_SEEN = 2          # third differences at least
_STEADY = 0.3            # s; before, solutions alone correct the coefficients
_SETTLING = 5            # samples before the first solution


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
        self.grid = SamplingGrid()  # for what needs even samples: regression, third differences
        self.information = SampleInformation(self.frequency, self.weight, self._band, window)
        self.reset()

    def reset(self) -> None:
        """Forget everything, also the learned spectra."""
        for model in self.models:
            model.forget()
        self.noise = np.zeros((len(self.channels), 2))
        self._spread = np.zeros((len(self.channels), 2, 3))
        if self.second is not None:
            self.second.reset()
        self.restart()

    def restart(self) -> None:
        """Forget the samples, but keep the learned spectra."""
        count, size = len(self.channels), self.frequency.shape[1]
        self.x = np.zeros((count, 2, size))
        self._data = np.zeros((count, 2, 2, size))  # told by values and by rates of unit noise
        self._gains = np.zeros((count, 2, 2, size))
        self._surprise = np.zeros((count, 2))
        self._power = np.zeros((count, size))
        self._power_since = np.zeros((count, 2))  # samples and age
        self._history = np.zeros((count, 2, 2, 3))
        self._seen = np.zeros((count, 2, 3), dtype=np.int64)
        self._turn = np.full((len(self.frequency), 2, size + 1), np.nan)
        self._used = np.zeros((count, 2))
        self._doubted = np.zeros((count, 2), dtype=np.int64)
        self._absent = np.full((count, 2), -np.inf)  # age at which a measurement ended
        self._newest = self._nothing
        self._moved = np.full((count, 2), np.nan)  # the newest sample as of its point of the grid
        self.check = PredictionCheck(count, self._evaluate_at)
        self.reported = np.zeros((count, 2), dtype=np.int64)
        self._due = np.zeros(count)
        self._look = 0.0  # age at which to look for channels that cannot wait
        self._changed = np.zeros(count)  # age since which samples come as they do
        self._step = 0.0  # s before the last sample
        self._solved = np.full(count, np.nan)  # age of the last solution
        self._bridging = 0.0  # age until which samples may surprise, after a pause
        self.samples, self.age = 0, 0.0
        self._placed = self._point = 0.0  # age of the last sample on the grid, and of its point
        self.grid.restart()
        self.information.restart()
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
        self.information.declare(now)
        self._gains[gone], self._absent[gone] = 0.0, self.age
        unknown = new & (self.age - self._absent > _ABSENT)
        self._seen[unknown], self._surprise[unknown] = 0, 0.0
        self.reported[...] = now
        if self.second is not None and (new | gone)[:self.regressed].any():
            self.second.reset(has_rates=bool(now[:self.regressed, RATE].all()))
        if self.samples:
            changed = (new | gone).any(axis=1)
            self._due[changed] = np.minimum(self._due[changed], self.age)
            self._changed[changed] = self.age

    def doubt(self, c: int, value: float) -> None:
        """
        Count with so much noise of values at least, from now on.

        Parameters
        ----------
        c : int
            The channel.
        value : float
            Standard deviation, in the signal's unit.
        """
        self.models[c].doubt[VALUE] = value**2

    def step(self, dt: float, y: FloatArray) -> bool:
        """
        Move on and take one sample.

        Parameters
        ----------
        dt : float
            Since the last sample that was taken, s; of the first one without meaning.
        y : ndarray, (C, 2)
            Measured values and rates; NaN where none was declared.  Afterwards also NaN in place
            of glitches.

        Returns
        -------
        bool
            False if the sample was left out and nothing has changed.
        """
        if self.samples == 0:
            self.x[:, 0, 0] = np.nan_to_num(y[:, VALUE])  # until there is a solution
            dt, points = 0.0, 1
        elif dt < _CLOSEST:
            return False
        else:
            points = self._place(dt)
            if dt > _PAUSE and dt > _STEPS * max(self._step, self.information.interval):
                self._bridge(dt)
        self._step = dt
        self.information.take(dt)
        self.age += dt
        self._advance(self.x, self._data, self._gains, self.reported, self.weight,
                      self._band, self.frequency, dt, math.exp(-dt / self.window), y,
                      self._moved, self._history, self._seen, self.noise, self._surprise,
                      self._power, self._spread, self._turn, self._used, self._doubted,
                      min(1.0, dt / _MEMORY), self.grid.lead, points, self.age < self._bridging)
        self.samples += 1
        self._newest = y
        if self.second is not None and points:
            for _ in range(points - 1):
                self.second.take(self._nothing[:self.regressed])
            self.second.take(self._moved[:self.regressed])
        return True

    def _place(self, dt: float) -> int:
        """Place a sample on the even grid; returns by how many points that goes on."""
        points = self.grid.place(self.age + dt - self._placed)
        if points == BEGIN_ANEW:
            self.grid.restart(self.grid.interval)
            if self.second is not None:
                self.second.restart()
            points = 1
        if points:
            self._placed = self.age + dt
            self._point = self._placed - self.grid.lead
        return points

    def _bridge(self, pause: float) -> None:
        """Solve all channels anew after a pause, s, and do not be surprised for as long again."""
        after = self.age + pause
        self._due, self._changed[:] = np.minimum(self._due, after), after
        self._bridging = after + pause
        self._gains[...] = 0.0

    @property
    def interval(self) -> float:
        """Time between two points of the grid, s."""
        return self.grid.interval

    def maintain(self) -> bool:
        """
        Do the next piece of the slow work, if any is due; say whether there was one.

        That is to solve the channel that has waited longest: a few hundred microseconds.
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
            return self.information.tidy()
        self._solve(c)
        young = _SOLVE_SHARE * (self.age - self._changed[c])
        gone = self._absent[c, self.reported[c] == 0]
        if self.age - gone.max(initial=-math.inf) < _FADING * self.window:
            young = 0.0  # what is reported no more fades, in small steps
        self._due[c] = self.age + min(max(young, _SHORTEST), _LONGEST)
        return True

    def _hurry(self) -> None:
        """Do not let a channel wait for its turn whose samples contradict its last solution."""
        self._look = self.age + _LOOK
        outrun = (self._surprise > _OUTRUN * self._used) & (self.reported > 0) & (self._used > 0)
        old = self.age - self._changed > _TRUSTED
        waits = outrun.any(axis=1) & old
        self._due[waits] = np.minimum(self._due[waits], self.age)

    def _check_predictions(self) -> None:
        if self.check.waits_for(self.age):
            noise = np.array([model.noise for model in self.models])
            self.check.compare(self.age, self._newest, noise, self.x[:, 1, 0])
        if self.age > _TRUSTED and self.check.wants(self.age):
            stated = np.array([model.variances(CHECKED)[:, :2] for model in self.models])
            self.check.keep(self.age, self.x, stated.transpose(1, 0, 2))

    def _bank_at(self, ahead: FloatArray) -> FloatArray:
        """Predict regressed channels by oscillators alone, from the newest point of the grid."""
        out, found = np.zeros((len(self.channels), 3)), np.zeros((self.regressed, len(ahead), 3))
        for k, s in enumerate(ahead.tolist()):
            self._evaluate_at(self.x, s - self._from_point(0.0), out)
            found[:, k] = out[:self.regressed]
        return found

    def _bank_deviations(self, ahead: FloatArray) -> FloatArray:
        return np.array([self.check.at(c, ahead) * np.sqrt(self.models[c].variances(ahead))
                         for c in range(self.regressed)])

    def _solve(self, c: int) -> None:
        model, reported = self.models[c], self.reported[c].astype(bool)
        spread = np.maximum(self._spread[c, :, 1] - self._spread[c, :, 0]**2, 0.0)
        variance = self._used[c] = model.noise_variance(self.noise[c], spread)
        # without any idea of its noise a measurement tells nothing
        new = reported & (self._seen[c, :, 2] < _NOISE_SEEN) & np.isinf(self._absent[c])
        information = np.where(self.information.live(c) & ~new, 1.0 / variance, 0.0)
        if not information.any():
            return
        told = self.information.told(c, information)
        data = (self._data[c] * information[:, None, None]).sum(axis=0).ravel()
        count, span = (self.samples, self.age) - self._power_since[c]
        if count and reported.any():
            collected = self._spread[c, :, 2] * self.information.interval
            model.learn(self._power[c] / count, span, min(self.age, collected[reported].max()),
                        spread, self._surprise[c] / variance, reported,
                        reported & (collected > _COLLECTED))
        self._power[c], self._power_since[c] = 0.0, (self.samples, self.age)
        coefficients, gains = model.solve(told.exact, told.squared, data)
        if coefficients is not None:
            self.x[c], self._solved[c] = coefficients.reshape(2, -1), self.age
        if told.steady is not None:
            gains = model.gains(told.steady)
        steady = self.age - self._changed[c] > _STEADY
        for m in (VALUE, RATE):
            self._gains[c, m] = gains[m].reshape(2, -1) * (
                information[m] * self.reported[c, m] * steady)

    def evaluate(self, ahead: float) -> FloatArray:
        """
        Return value, rate and acceleration of all channels, (C, 3).

        ``ahead`` is the time from the last sample that was taken, s.
        """
        self._evaluate(self.x, self._band, self.frequency, ahead, self._result)
        if self.second is not None:
            self.second.blend(self._from_point(ahead), self._result)
        return self._result

    def _from_point(self, ahead: float) -> float:
        """Return the time from the newest point of the grid, for one from the last sample, s."""
        return ahead + self.age - self._point

    def _evaluate_at(self, coefficients: FloatArray, ahead: float, out: FloatArray) -> None:
        self._evaluate(coefficients, self._band, self.frequency, ahead, out)

    def covariance(self, c: int, ahead: float) -> FloatArray:
        """Return the covariance of value, rate and acceleration of one channel, (3, 3)."""
        covariance = self._bank_covariance(c, ahead)
        if self.second is not None and c < self.regressed:
            deviations = np.sqrt(np.diagonal(covariance))
            factors = self.second.factors(c, self._from_point(ahead), deviations)
            covariance *= np.multiply.outer(factors, factors)
        return covariance

    def _bank_covariance(self, c: int, ahead: float) -> FloatArray:
        if np.isnan(self._solved[c]):  # the last sample, and as much again for what it may do
            return np.diag([2.0, 1.0, 1.0]) * self.channels[c].offset**2
        if self.age - self._changed[c] <= _STEADY:  # samples since then have corrected nothing
            ahead += self.age - self._solved[c]
        scale = self.check.at(c, ahead)
        covariance: FloatArray = self.models[c].covariance(ahead) * np.multiply.outer(scale, scale)
        if not self.reported[c].any():  # what was last seen of it fades, and then it may do that
            faded = -math.expm1((self._absent[c].max() - self.age) / self.window)
            mean, square, count = self._spread[c, VALUE]
            seen = square - mean * mean if count else self.channels[c].offset**2
            covariance = covariance + faded * seen * np.eye(3)
        return covariance
