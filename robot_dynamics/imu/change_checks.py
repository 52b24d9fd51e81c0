"""Whether the signals of an IMU go on from their last good values as a base can move."""

from __future__ import annotations

import math
from typing import Optional

from robot_dynamics.core.checks import Credit, Finding
from robot_dynamics.imu.sample import ImuSample

TILT_STEP = 0.03   # rad, beside what the rates say: noise
TILT_DRIFT = 0.5   # rad/s, by which the rates may be wrong
TILT_RATE = 3.0    # rad/s, of a base whose rates nobody measures


NOISY, TIMES = 2.0, 1.5  # largest noise that is allowed for, in steps, and how often
FORGETS = 50.0           # samples that it is known from


class ChangeCheck:
    """
    A vector goes on from its last good values.

    What vibrates is allowed for: its changes from sample to sample, as far as they are its usual
    ones, widen the bound up to four times the step.

    Parameters
    ----------
    signal : str
        'angular_velocity' or 'linear_acceleration'.
    step : float
        Which a component may make at once: noise, vibration.
    slope : float
        And in a second.
    unit : str
    share : float
        Of a value in what the next is compared with, the rest being those before: less than 1
        where vibration hides each of them.
    """

    def __init__(self, signal: str, step: float, slope: float, unit: str,
                 share: float = 1.0) -> None:
        self.signal = signal
        self._step, self._slope, self._unit, self._share = step, slope, unit, share
        self._reported = f'has_{signal}'
        self._credit = Credit()
        self.reset()

    def reset(self) -> None:
        """Take the next one as it is."""
        self._credit.reset()
        self._last = self._before = (0.0, 0.0, 0.0)
        self._noise = 0.0

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Compare with the last good one."""
        if not getattr(sample, self._reported):
            return None
        credit = self._credit.seconds(sample.stamp_ns)
        x, y, z = getattr(sample, self.signal)
        if credit is not None:
            a, b, c = self._last
            value = max(abs(x - a), abs(y - b), abs(z - c))
            bound = self._step + self._slope * credit + TIMES * math.sqrt(self._noise)
            a0, b0, c0 = self._before
            change = min(max(abs(x - a0), abs(y - b0), abs(z - c0)), NOISY * self._step)
            self._noise += (change * change - self._noise) / FORGETS
        self._before = x, y, z
        if credit is not None:
            if value > bound:
                return Finding(
                    f'{self.signal}_change', self.signal,
                    f'its {self.signal.replace("_", " ")} steps by {value:.3g} {self._unit}, more '
                    f'than {bound:.3g} {self._unit}: is that its unit?', value, bound, self._unit)
        if credit is None:
            self._last = x, y, z
        else:
            new = self._share
            self._last = a + new * (x - a), b + new * (y - b), c + new * (z - c)
        self._credit.accept(sample.stamp_ns)
        return None


class TiltChangeCheck:
    """The tilt goes on from the last good one as the rates say, or no faster than a base turns."""

    signal = 'orientation'

    def __init__(self) -> None:
        self._credit = Credit()
        self.reset()

    def reset(self) -> None:
        """Take the next one as it is."""
        self._credit.reset()
        self._up = (0.0, 0.0, 1.0)

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Compare up with where it should have gone: u' = -w x u."""
        if not sample.has_orientation:
            return None
        credit = self._credit.seconds(sample.stamp_ns)
        if credit is not None:
            x, y, z = self._up
            bound = TILT_STEP + TILT_RATE * credit
            if sample.has_angular_velocity:
                bound = TILT_STEP + TILT_DRIFT * credit
                wx, wy, wz = sample.angular_velocity
                x, y, z = (x - credit * (wy * z - wz * y), y - credit * (wz * x - wx * z),
                           z - credit * (wx * y - wy * x))
            ux, uy, uz = sample.up
            value = math.sqrt((ux - x)**2 + (uy - y)**2 + (uz - z)**2)
            if value > bound:
                return Finding(
                    'orientation_change', self.signal, f'its orientation steps by {value:.3g} '
                    f'rad, more than {bound:.3g} rad', value, bound, 'rad')
        self._up = sample.up
        self._credit.accept(sample.stamp_ns)
        return None
