"""
The adaptive estimator and predictor of base motion: one setting for every base that moves.

See :mod:`robot_dynamics.estimation.adaptive` for how it works.
"""

from __future__ import annotations

import math
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.estimation.adaptive import motion_signals, settings
from robot_dynamics.estimation.adaptive.compiling import compiled
from robot_dynamics.estimation.adaptive.late_rates import LateRates
from robot_dynamics.estimation.adaptive.signal_predictor import SignalPredictor
from robot_dynamics.estimation.adaptive.tilt import Tilt
from robot_dynamics.estimation.adaptive.uniform_grid import UniformGrid
from robot_dynamics.estimation.protocol import (
    BaseEstimate, level_of, NONE, SPECIFIC_FORCE, unusable)
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample, Rejection, RejectionReason
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.motion.level_frame import up_direction, Upright

_ANGLES = (True, True, False, False, False, False)
SIGNALS = 6      # rates of roll, pitch, yaw; accelerations ahead, left, up

_LEANING = math.radians(45.0)   # a base that begins with more pitch is turned upright first
_STEEPEST = math.radians(80.0)  # pitch; beyond, roll and yaw are no longer told apart
_SWAPPED = 1.0                  # s; a sample that is older by less was only late
_MOST_SWAPPED = 50              # late samples in a row, after which time has gone back
_GLITCH, _ANY = 4.0, (0.5, 0.5, 0.5, 5.0, 5.0, 5.0)  # times the largest, and beyond that
# a rate that jumps by more than what it was seen to do, than its noise and beyond, is passed to
_STEEP, _NOISY, _JUMP = 4.0, 8.0, 0.05   # times its steepest and its noise; rad/s
_PASSING = 1.0                  # s
_MOST_GLITCHES = 3              # in a row: more are the truth
_UNKNOWN = 1.0                  # m/s^2, standard deviation of an acceleration never measured
_FADING = 1.0                   # s; of what is measured no more
_STRAIGHT = 0.05                # s; over longer pauses rates are not taken for a line
_MISSING = 0.06                 # s; a measurement that is missing for less is bridged
_UNMEASURED = (math.nan,) * 3
_BRIDGED = 3                    # points; more are not lost along a straight line
_LONG = 0.25                    # s; in shorter pauses angles tell nothing of rates
_CHECKED = 20                   # points, between looks at noise and largest values
_PIECES = 2                     # of slow work for each point of the grid


class AdaptiveEstimator:
    """
    Base motion at any instant, past the last sample or not, with its covariance.

    Parameters
    ----------
    mounting : ImuMounting, optional
        Where the sensor sits; None means at the base origin, parallel.
    gravity_magnitude : float
        In m/s^2.
    max_horizon : float
        An instant further past the last sample is answered as of this far past it, s.
    self_maintaining : bool
        Whether :meth:`update` also does the slow part of the work, in pieces of some ten
        microseconds.  If not, call :meth:`maintain` when there is time, about twice a sample.

    Attributes
    ----------
    level : str
        What the estimate rests on.
    resets : int
        How often all was forgotten.
    """

    def __init__(self, mounting: Optional[ImuMounting] = None,
                 gravity_magnitude: float = STANDARD_GRAVITY, max_horizon: float = 4.0,
                 self_maintaining: bool = True) -> None:
        self.mounting = mounting or ImuMounting()
        self.gravity_magnitude = as_scalar('gravity_magnitude', gravity_magnitude, 0.0)
        self.max_horizon = as_scalar('max_horizon', max_horizon, 0.0, unit='s')
        self.self_maintaining = self_maintaining
        self.resets = 0
        # made before samples come: what nearly every sensor needs
        self._ready = SignalPredictor(_ANGLES, settings.STEP)
        self._predictor: Optional[SignalPredictor] = None
        self._begin()

    def reset(self) -> None:
        """Forget all samples and what was learned from them."""
        self.resets += 1
        self._begin()

    def _begin(self) -> None:
        if self._predictor is not None:
            self._ready = self._predictor
            self._ready.restart()
        self._upright: Optional[Upright] = None
        self._point = tuple(-p for p in self.mounting.p_BI)
        self._tilt, self._grid = Tilt(self.gravity_magnitude), UniformGrid()
        self._predictor = None
        self._last_ns: Optional[int] = None
        self.level, self._swapped, self._credit, self._points = NONE, 0, 0, 0
        self._now = [0.0] * SIGNALS          # the newest signals
        self._leap = list(_ANY)              # most by which they change at once
        self._jump = [(0.0, math.inf)] * 3   # most by which rates do: a second, and beyond
        self._jumped = [0.0] * 3             # offsets of rates that have jumped
        self._glitches = [0] * SIGNALS
        self._rates_at = self._forces_at = -10**12  # stamps of the last ones
        self._taken_ns = -10**12             # of the last signals
        self._doubt: Optional[tuple[int, float, FloatArray]] = None  # what a pause left
        self._late, self._slopes = LateRates(), False
        self._off = [0.0] * 4                # of rates and angles, where their source has changed

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """
        Take one sample.

        A stamp that goes back for good (a restarted simulation, a looped bag) resets everything;
        a single late sample is refused.

        Returns
        -------
        Rejection or None
            Why the sample was not used; None if it was.
        """
        level = level_of(sample)
        problem = unusable(sample, level, self._last_ns)
        if problem is not None:
            return problem
        dt = 0.0 if self._last_ns is None else (sample.stamp_ns - self._last_ns) * 1e-9
        if -_SWAPPED < dt < 0.0 and self._swapped < _MOST_SWAPPED:
            self._swapped += 1
            return Rejection(RejectionReason.OUT_OF_ORDER,
                             f'it is {-1e3 * dt:.1f} ms older than the one before')
        if dt < 0.0 or dt > settings.MAX_GAP:
            self.resets += dt < 0.0
            self._begin()
            dt = 0.0
        return self._take(sample, level, dt)

    def _take(self, sample: ImuSample, level: str, dt: float) -> Optional[Rejection]:
        numbers = self.mounting.to_base(sample)
        if self.level == NONE:
            self._stand_up(numbers, level)
        if self._upright is not None:
            numbers = self._upright.turned(numbers)
        no_rates, no_forces = not sample.has_angular_velocity, not sample.has_linear_acceleration
        w = _UNMEASURED if no_rates else numbers[0:3]
        reported: Sequence[float] = (
            motion_signals.roll_pitch(numbers[6:10]) if sample.has_orientation
            else _UNMEASURED[:2])
        if abs(reported[1]) > _STEEPEST:
            return Rejection(RejectionReason.TOO_STEEP,
                             f'the base leans by {math.degrees(reported[1]):.0f} deg from where '
                             'it began; start again if it stays so')
        if dt > _STRAIGHT and self._predictor is not None and not no_rates:
            self._tilt.bridge(self._predictor, self._since_point(sample.stamp_ns) - dt, dt, w)
        self._swapped, self._last_ns, self.level = 0, sample.stamp_ns, level
        exact = self._tilt.exact
        reported, found = self._tilt.update(
            dt, w, _UNMEASURED if no_forces else numbers[3:6], reported, level)
        if self._tilt.exact > exact and self._predictor is not None and self._predictor.young:
            self._predictor.restart()  # what the gyro's noise has told is to be forgotten
            self._ready, self._predictor = self._predictor, None
        stamp_ns, angles = sample.stamp_ns, list(self._tilt.angles)
        if sample.has_orientation:
            self._late.add(stamp_ns, reported, found[3:])
        if not no_rates:
            self._rates_at = stamp_ns
        if not no_forces:
            self._forces_at = stamp_ns
        oldest = stamp_ns - round(1e9 * _MISSING)
        if (no_rates and self._rates_at > oldest) or (no_forces and self._forces_at > oldest):
            return None  # messages that hold less alternate with others: those count
        if no_rates:
            late = self._late.middle()
            if self._predictor is not None:  # it learns at once what it has to do with
                self._predictor.set_least_noise(self._late.noise(self._grid.step).tolist())
                self._credit = 4 * _PIECES
            if late is None or late[0] <= self._taken_ns:
                if self.self_maintaining:
                    self.maintain()
                return None
            stamp_ns, angles = late[0], late[2].tolist()
            found = [*late[1].tolist(), math.nan, *late[3].tolist()]
        if self._predictor is not None and (no_rates or self._slopes or any(self._off)):
            self._pass_over(stamp_ns, no_rates, found, angles)
        self._taken_ns, self._now = stamp_ns, self._believed(stamp_ns, found)
        points = self._grid.add(stamp_ns, [*self._now, *angles])
        if len(points) > _BRIDGED and self._predictor is not None:
            self._bridge(points)
        for point, sampled in points:
            self._advance(point, sampled)
        if self._grid.too_coarse:
            self._grid, self._predictor = UniformGrid(), None
        if self.self_maintaining:
            self.maintain()
        return None

    def _pass_over(self, stamp_ns: int, late: bool, found: list[float], angles: list[float]
                   ) -> None:
        """Go over from measured rates to those of reports, or back, without a jump."""
        assert self._predictor is not None
        if late != self._slopes:
            self._slopes = late
            said = self._predictor.at(self._since_point(stamp_ns))[0].tolist()
            self._off = [0.0 if math.isnan(found[c]) else said[c][1] - found[c] for c in range(2)]
            self._off += [said[c][0] - angles[c] for c in range(2)]
        if not late:
            self._predictor.set_least_noise((0.0, 0.0))
        kept = math.exp(-1e-9 * (stamp_ns - self._taken_ns) / _FADING)
        self._off = [off * kept if abs(off) > 1e-9 else 0.0 for off in self._off]
        for c in range(2):
            found[c] += self._off[c]
            angles[c] += self._off[2 + c]

    def _bridge(self, points: list[tuple[list[float], bool]]) -> None:
        """Put what was predicted in place of a straight line, bent to meet what came."""
        assert self._predictor is not None
        pause = len(points) * self._grid.step
        x = np.arange(len(points) + 1)[:, None] / len(points)
        said = np.array([self._predictor.at(pause * share)[0] for share in x[:, 0]])
        began, variance = said[0, :2, 0], self._predictor.at(pause)[1]
        self._doubt = (self._grid.stamp_ns, pause, variance)
        met = np.array(points[-1][0])
        path = said[:, :, 1] + x * (met[:SIGNALS] - said[-1, :, 1])
        rates = path[:, :2]
        turned = self._grid.step * (np.cumsum(rates, axis=0) - 0.5 * (rates + rates[0]))
        missing = (met[SIGNALS:] - began - turned[-1]) / pause
        if pause > _LONG:  # rates must have turned the angles as far: a parabola does so
            self._predictor.pause()
            doubt = 72.0 * np.array(self._tilt.variances) / pause**2
            gain = variance[:2, 1] / (variance[:2, 1] + doubt)
            steepest = np.array(self._predictor.seen()[2][:2]) * pause / 6.0
            rates += 6.0 * x * (1.0 - x) * np.clip(gain * missing, -steepest, steepest)
        angles = began + turned + pause * x * x * (3.0 - 2.0 * x) * missing
        for k in range(1, len(points)):
            points[k - 1] = [*path[k].tolist(), *angles[k].tolist()], False

    def _stand_up(self, numbers: Sequence[float], level: str) -> None:
        """Filter in a frame with z up where the base frame begins far from it (on a wall)."""
        up = numbers[3:6] if level == SPECIFIC_FORCE else up_direction(numbers[6:10])
        if abs(up[0]) > math.sin(_LEANING) * math.hypot(*up):
            self._upright = Upright(up)
            self._point = tuple((self._upright.R_UB @ self._point).tolist())

    def _since_point(self, stamp_ns: int) -> float:
        """Return how long after the last point of the grid an instant is, s."""
        return 1e-9 * (stamp_ns - self._grid.stamp_ns)

    def _believed(self, stamp_ns: int, found: list[float]) -> list[float]:
        """Return what predictions are made of; what is missing or a glitch as predicted."""
        if self._predictor is None:
            return [0.0 if math.isnan(value) else value for value in found]
        dt, expected = 1e-9 * (stamp_ns - self._taken_ns), None
        self._carry_over(dt, found)
        for c, (value, now, leap) in enumerate(zip(found, self._now, self._leap)):
            if abs(value - now) < leap:
                self._glitches[c] = 0
                continue
            if math.isnan(value):  # what nobody measures fades to rest
                found[c] = now * math.exp(-dt / _FADING)
                continue
            if expected is None:
                expected = self._predictor.at(self._since_point(stamp_ns))[0][:, 1].tolist()
            if self._glitches[c] < _MOST_GLITCHES and abs(value - expected[c]) > leap:
                self._glitches[c] += 1
                found[c] = expected[c]
            else:
                self._glitches[c] = 0
        return found

    def _carry_over(self, dt: float, found: list[float]) -> None:
        """Keep rates going on where they jump: by an offset, which fades."""
        if dt > _STRAIGHT:
            self._jumped = [0.0] * 3
            return
        for c, ((steepest, beyond), off) in enumerate(zip(self._jump, self._jumped)):
            off *= math.exp(-dt / _PASSING) if off else 0.0
            change = found[c] + off - self._now[c]
            if abs(change) > steepest * dt + beyond and (
                    abs(change) < self._leap[c] or self._glitches[c] == _MOST_GLITCHES):
                off -= change
            self._jumped[c] = off = off if abs(off) > 1e-6 else 0.0
            found[c] += off

    def _advance(self, point: list[float], sampled: bool) -> None:
        if self._predictor is None:
            self._predictor = self._ready if self._ready.dt == self._grid.step else (
                SignalPredictor(_ANGLES, self._grid.step))
        self._predictor.advance(point, sampled)
        self._points += 1
        self._credit = min(self._credit + _PIECES, 4 * _PIECES)

    def maintain(self) -> bool:
        """Do a piece of the slow work if any is due; say whether there was one."""
        if self._predictor is None or self._credit == 0:
            return False
        if self._points >= _CHECKED:
            self._points = 0
            noise, largest, steepest = self._predictor.seen()
            self._jump = [(_STEEP * a, _NOISY * b + _JUMP)
                          for a, b in zip(steepest[:3], noise)]
            self._leap = [_GLITCH * a + b for a, b in zip(largest, _ANY)]
            self._tilt.set_noise(noise[:2])
        self._credit -= 1
        self._predictor.work()
        return True

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant; see the protocol."""
        if self._last_ns is None:
            return BaseEstimate(BaseMotion.still(self.gravity_magnitude), NONE)
        if self._predictor is None:
            ahead = min(max((stamp_ns - self._last_ns) * 1e-9, 0.0), self.max_horizon)
            said = np.zeros((SIGNALS, 3))
            said[:, 1] = self._now
            said[:2, 0] = self._tilt.angles
            variance = np.ones((SIGNALS, 3)) * (0.1 + np.abs(said))**2
            variance[:, 0] = (0.01 + 2.0 * ahead * np.abs(self._now))**2
        else:
            ahead = min(self._since_point(stamp_ns), self.max_horizon)
            said, variance = self._predictor.at(ahead)
            if self._doubt is not None:
                after, pause, more = self._doubt
                variance += more * math.exp(-max(0.0, 1e-9 * (stamp_ns - after)) / (0.5 * pause))
        variance[:2, 0] += self._tilt.variances  # what predictions do not know of
        if self._last_ns - self._forces_at > 1e9 * _MISSING:
            variance[3:, 1] += _UNKNOWN**2
        packed = compiled().motion(said, self._point, self.gravity_magnitude)
        if self._upright is not None:
            packed = self._upright.motion_back(packed)
        return BaseEstimate(BaseMotion.from_packed(packed), self.level,
                            lambda: self._covariance(said, variance))

    def _covariance(self, said: FloatArray, variance: FloatArray) -> FloatArray:
        covariance = compiled().covariance(
            said, variance, self._point, self.gravity_magnitude)
        return covariance if self._upright is None else self._upright.covariance_back(covariance)

    @property
    def gyro_bias(self) -> tuple[float, ...]:
        """Constant error of the measured rates of roll and pitch, rad/s, as estimated."""
        return self._tilt.gyro_bias

    @property
    def vibration(self) -> tuple[float, float]:
        """Largest RMS above the band, of the gyro's axes, rad/s, and of the forces, m/s^2."""
        if self._predictor is None:
            return 0.0, 0.0
        found = self._predictor.vibration
        return float(found[:3].max()), float(found[3:].max())
