"""
Roll and pitch from reported angles and from rates: a Kalman filter of each angle and its bias.

The gyro carries the angle from sample to sample, a report corrects it; how much a report counts
follows from how far reports have been off.  So orientations that come seldom, are repeated or
noisy do not disturb the angle, and their noise is averaged over seconds.
"""

from __future__ import annotations

import math
from typing import Optional

_DRIFT = 2e-5        # rad/sqrt(s) of the integrated rate at least: what axes and rounding add
_WALK = 2e-5         # rad/s/sqrt(s) by which a bias wanders
_MISSING = 0.06      # s; a rate that is missing for less goes on as it was
_FIRST = 1e-3        # rad; standard deviation of the first reports
_FIRST_BIAS = 0.02   # rad/s
_LEAST_NOISE = 1e-6  # rad, of a report
_STEADYING = 2.0     # s; so slowly a bias enters the rates, where jumps would be noise
_MEMORY = 10.0       # s, of the noise of reports
_OUTLIER, _LEAST = 10.0, 0.03   # standard deviations and rad; such a report is not believed
_BELIEVED = 5        # such reports in a row are believed after all
_RATE_NOISE = 1e-3   # rad/s, of the gyro until it is known


class AngleFilter:
    """
    One angle and the bias of its rate.

    Attributes
    ----------
    angle, bias : float
        In rad and rad/s.
    steady_bias : float
        The same, smoothed, rad/s.
    variance : float
        Of the angle, rad^2.
    noise : float
        Standard deviation of the rate, rad/s, as others have found it.
    """

    def __init__(self) -> None:
        self.noise = _RATE_NOISE
        self.angle = self.bias = self.steady_bias = 0.0
        self.variance = _FIRST**2
        self._bias_variance, self._covariance = _FIRST_BIAS**2, 0.0
        self._report_noise, self._reports, self._off = _FIRST**2, 0, 0.0
        self._since = 0.0
        self._rate: Optional[float] = None
        self._doubted, self._begun = 0, False
        self._unmeasured = 0.0

    def begin(self, angle: float) -> None:
        """Start from an angle."""
        self.angle, self.variance, self._covariance, self._begun = angle, _FIRST**2, 0.0, True

    def bend(self, turned: float, variance: float) -> None:
        """Take into account how a rate went during a pause: beyond the mean of its ends, rad."""
        self.angle += turned
        self.variance += variance

    def update(self, dt: float, rate: Optional[float], reported: Optional[float]) -> float:
        """
        Move on and take a rate and a report, either of which may be missing.

        Parameters
        ----------
        dt : float
            Since the last sample, s.
        rate, reported : float or None
            In rad/s and rad.
        """
        self._since += dt
        self._unmeasured = self._unmeasured + dt if rate is None else 0.0
        if rate is None and self._rate is not None and self._unmeasured < _MISSING:
            rate = self._rate
        if rate is None:
            self._rate = None
            if reported is not None:
                self.begin(reported)
            return self.angle
        before = rate if self._rate is None else self._rate
        self._rate = rate
        self.angle += dt * (0.5 * (before + rate) - self.bias)
        self.variance += ((self.noise * dt)**2 + _DRIFT**2 * dt - 2 * dt * self._covariance
                          + dt * dt * self._bias_variance)
        self._covariance -= dt * self._bias_variance
        self._bias_variance += _WALK**2 * dt
        self.steady_bias += min(1.0, dt / _STEADYING) * (self.bias - self.steady_bias)
        if reported is not None:
            if self._begun:
                self._correct(reported - self.angle)
            else:
                self.begin(reported)
        return self.angle

    def _correct(self, error: float) -> None:
        noise = self._report_noise
        if abs(error) > max(_LEAST, _OUTLIER * math.sqrt(noise + self.variance)):
            self._doubted += 1
            if self._doubted <= _BELIEVED:
                return
            self.begin(self.angle + error)
            error = 0.0
        self._doubted = 0
        # white noise of reports: half of what follows differ by, whatever the bias does
        change, self._off = error - self._off, error
        if self._reports > 1:
            share = max(min(1.0, self._since / _MEMORY), 1.0 / (self._reports + 5))
            noise += share * (0.5 * change * change - noise)
            self._report_noise = noise = max(noise, _LEAST_NOISE**2)
        self._reports += 1
        self._since = 0.0
        total = self.variance + noise
        gain, bias_gain = self.variance / total, self._covariance / total
        self.angle += gain * error
        self.bias += bias_gain * error
        self._bias_variance -= bias_gain * self._covariance
        self._covariance *= 1.0 - gain
        self.variance *= 1.0 - gain
        self._off = error - gain * error
