"""
The adaptive estimator and predictor of base motion: one setting from a flat calm to a storm.

See :mod:`robot_dynamics.estimation.harmonic_filter.oscillator_bank` for how it works.
"""

from __future__ import annotations

import math
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.estimation.complementary_filter import NOISE, TiltFromForce
from robot_dynamics.estimation.harmonic_filter import motion_channels as channels
from robot_dynamics.estimation.harmonic_filter.oscillator_bank import OscillatorBank
from robot_dynamics.estimation.protocol import (
    BaseEstimate, level_of, NONE, SPECIFIC_FORCE, unusable)
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample, Rejection, RejectionReason
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.motion.level_frame import up_direction, Upright


_TURN = 2 * math.pi
_LEANING = math.radians(45.0)  # a base that begins with more pitch is turned upright first
_STEEPEST = math.radians(80.0)  # pitch; beyond, roll and yaw are no longer told apart


class BaseMotionEstimator:
    """
    Base motion at any instant, past the last sample or not, with its covariance.

    Parameters
    ----------
    mounting : ImuMounting, optional
        Where the sensor sits; None means at the base origin, parallel.
    gravity_magnitude : float
        In m/s^2.
    window : float
        Time constant of the data in use, s.  The default serves motions with periods from two to
        twenty seconds.
    max_gap : float
        A longer silence starts a new window (what was learned of the sea is kept), s.
    max_horizon : float
        An instant further past the last sample is answered as of this far past it, s.
    self_maintaining : bool
        Whether :meth:`update` also does the slow part of the work (some hundred microseconds,
        now and then).  If not, call :meth:`maintain` when there is time, about as often.
    """

    def __init__(self, mounting: Optional[ImuMounting] = None,
                 gravity_magnitude: float = STANDARD_GRAVITY, window: float = 4.0,
                 max_gap: float = 1.0, max_horizon: float = 4.0, self_maintaining: bool = True
                 ) -> None:
        self.mounting = mounting or ImuMounting()
        self.gravity_magnitude = as_scalar('gravity_magnitude', gravity_magnitude, 0.0)
        self.max_gap = as_scalar('max_gap', max_gap, 0.0, unit='s')
        self.max_horizon = as_scalar('max_horizon', max_horizon, 0.0, unit='s')
        self.self_maintaining = self_maintaining
        self.resets = 0
        self._upright: Optional[Upright] = None
        self._point = tuple(-p for p in self.mounting.p_BI)
        self._bank = OscillatorBank(channels.CHANNELS, as_scalar('window', window, 1.0, 30.0),
                                    regressed=2)  # roll and pitch
        self._tilt = TiltFromForce()
        self._last_ns: Optional[int] = None   # of the sample at which the bank stands
        self._heard_ns: Optional[int] = None  # of the last sample, in use or too close to it
        self._begin()

    def reset(self) -> None:
        """Forget all samples and what was learned from them."""
        self.resets += 1
        self._bank.reset()
        self._upright, self._point = None, tuple(-p for p in self.mounting.p_BI)
        self._begin()

    def _begin(self) -> None:
        self._tilt.reset()
        self._last_ns, self._heard_ns, self.level, self._roll = None, None, NONE, 0.0
        self._pattern: Optional[tuple[str, bool, bool]] = None  # level, rates, forces

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """
        Take one sample.

        A stamp that goes back (a restarted simulation, a looped bag) resets everything.

        Returns
        -------
        Rejection or None
            Why the sample was not used; None if it was.
        """
        level = level_of(sample)
        problem = unusable(sample, level, self._heard_ns)
        if problem is not None:
            return problem
        dt, since_heard = (
            0.0 if before is None else (sample.stamp_ns - before) * 1e-9
            for before in (self._last_ns, self._heard_ns))
        if since_heard < 0:
            self.reset()
            dt = since_heard = 0.0
        elif dt > self.max_gap:
            self._bank.restart()
            self._begin()
            dt = since_heard = 0.0
        self._heard_ns = sample.stamp_ns
        return self._take(sample, level, dt, since_heard)

    def _take(self, sample: ImuSample, level: str, dt: float, since_heard: float
              ) -> Optional[Rejection]:
        numbers = self.mounting.to_base(sample)
        if self.level == NONE and self._upright is None:
            self._stand_up(numbers, level)
        if self._upright is not None:
            numbers = self._upright.turned(numbers)
        w, force = numbers[0:3], numbers[3:6]
        if level == SPECIFIC_FORCE:
            if self.level not in (SPECIFIC_FORCE, NONE):  # the gyro goes on from what is known
                a, b = self._bank.evaluate(dt - since_heard)[:2, 0].tolist()
                self._tilt.begin(a, b, self.gyro_bias)
            roll, pitch = self._tilt.update(since_heard, w, force)
        else:
            roll, pitch = channels.roll_pitch(numbers[6:10])
        if abs(pitch) > _STEEPEST:
            return Rejection(RejectionReason.TOO_STEEP,
                             f'the base leans by {math.degrees(pitch):.0f} deg from where it '
                             'began; start again if it stays so')
        # whole turns bring roll near the last one: a base may hang upside down
        self._roll = roll = roll + _TURN * round((self._roll - roll) / _TURN)
        has_rate, has_force = sample.has_angular_velocity, sample.has_linear_acceleration
        y = np.array(channels.signals(roll, pitch, w, force, self.gravity_magnitude, has_rate,
                                      has_force))
        pattern = level, has_rate, has_force
        if pattern != self._pattern:
            self._bank.declare(~np.isnan(y))
            self._pattern = pattern
            for c in (channels.ROLL, channels.PITCH):
                self._bank.doubt(c, NOISE if level == SPECIFIC_FORCE else 0.0)
            self.level = level
        if self._bank.step(dt, y):
            self._last_ns = sample.stamp_ns
        if self.self_maintaining:
            self._bank.maintain()
        return None

    def _stand_up(self, numbers: Sequence[float], level: str) -> None:
        """Filter in a frame with z up where the base frame begins far from it (on a wall)."""
        up = numbers[3:6] if level == SPECIFIC_FORCE else up_direction(numbers[6:10])
        if abs(up[0]) > math.sin(_LEANING) * math.hypot(*up):
            self._upright = Upright(up)
            self._point = tuple(self._upright.R_UB @ self._point)

    def maintain(self) -> bool:
        """Do a piece of the slow work if any is due; say whether there was one."""
        return self._bank.maintain()

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant; see the protocol."""
        if self._last_ns is None:
            return BaseEstimate(BaseMotion.still(self.gravity_magnitude), NONE)
        ahead = min((stamp_ns - self._last_ns) * 1e-9, self.max_horizon)
        state = self._bank.evaluate(ahead)
        packed = channels.packed_motion(state, self._point, self.gravity_magnitude)
        if self._upright is not None:
            packed = self._upright.motion_back(packed)
        state, level = state.copy(), self.level
        doubt = self._tilt.doubt if level == SPECIFIC_FORCE else 0.0
        return BaseEstimate(BaseMotion.from_packed(packed), level,
                            lambda: self._covariance(state, ahead, doubt))

    def _covariance(self, state: FloatArray, ahead: float, doubt: float) -> FloatArray:
        covariances = np.array([self._bank.covariance(c, ahead) for c in range(len(state))])
        covariances[:2, 0, 0] += doubt**2  # of roll and pitch without a reported orientation
        covariance = channels.packed_covariance(state, covariances, self._point,
                                                self.gravity_magnitude)
        return covariance if self._upright is None else self._upright.covariance_back(covariance)

    @property
    def gyro_bias(self) -> tuple[float, float]:
        """Constant error of the measured rates of roll and pitch, rad/s, as estimated."""
        bias = self._bank.x[:2, 1, 0]
        return float(bias[0]), float(bias[1])
