"""What a single IMU sample must be to be used: its frame, its fields, its numbers."""

from __future__ import annotations

from typing import Collection, Optional

from robot_dynamics.core.checks import Finding
from robot_dynamics.imu.sample import check_sample, ImuSample

LARGEST_RATE = 50.0           # rad/s: no base turns faster, it is a fault of the sensor
LARGEST_ACCELERATION = 500.0  # m/s^2


class _OfOneSample:
    """A check that remembers nothing."""

    signal: str

    def reset(self) -> None:
        """Forget nothing."""


class FrameCheck:
    """
    Takes the frame that the mounting belongs to, or any that is not known to lie elsewhere.

    Where none is expected, the first is kept.

    Parameters
    ----------
    frame_id : str
        Expected; empty: any but those ``elsewhere``.  A leading slash does not count.
    elsewhere : collection of str
        Frames whose pose is known, and is not that of the mounting.
    """

    signal = 'frame_id'

    def __init__(self, frame_id: str, elsewhere: Collection[str] = ()) -> None:
        self.frame_id = frame_id.lstrip('/')
        self._elsewhere = frozenset(elsewhere)
        self.reset()

    def reset(self) -> None:
        """Take the next frame for the first."""
        self._first: Optional[str] = None

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Compare names."""
        frame = sample.frame_id.lstrip('/')
        if self.frame_id and frame != self.frame_id:
            return Finding('frame', self.signal, f'its frame is {sample.frame_id!r}, but the '
                           f'mounting is that of {self.frame_id!r}; correct the driver or '
                           'imu.frame_id')
        if not self.frame_id and frame in self._elsewhere:
            return Finding(
                'frame', self.signal, f'the description puts its frame {frame!r} elsewhere than '
                'the parameters of the mounting; set imu.link to take the pose of the '
                'description, or imu.frame_id to insist on the parameters')
        if self._first is None:
            self._first = frame
        elif frame != self._first:
            return Finding('frame', self.signal, f'its frame has changed from {self._first!r} to '
                           f'{frame!r}: nobody says that their axes are the same')
        return None


class OrientationCheck(_OfOneSample):
    """Takes samples that report an orientation."""

    signal = 'orientation'

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Look for the field."""
        if sample.has_orientation:
            return None
        return Finding(
            'orientation_missing', self.signal, f'{sample.frame_id} reports no orientation, so '
            'gravity cannot be told from acceleration; use a driver or filter that fills it',
            wrong=False)


class NumbersCheck(_OfOneSample):
    """Takes samples whose numbers are finite, and whose orientation is a unit quaternion."""

    signal = 'sample'

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Look at the fields that are reported."""
        rejection = check_sample(sample)
        return None if rejection is None else Finding(
            rejection.reason.value, self.signal, rejection.text, wrong=False)


class RangeCheck(_OfOneSample):
    """
    Takes vectors of which no component is beyond a bound.

    Parameters
    ----------
    signal : str
        'angular_velocity' or 'linear_acceleration'.
    """

    def __init__(self, signal: str, bound: float, unit: str) -> None:
        self.signal = signal
        self.bound = bound
        self.unit = unit
        self._reported = f'has_{signal}'

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Compare the largest component."""
        if not getattr(sample, self._reported):
            return None
        value = max(map(abs, getattr(sample, self.signal)))
        if value <= self.bound:
            return None
        return Finding('range', self.signal, f'its {self.signal.replace("_", " ")} is beyond '
                       f'{self.bound:g}; is the unit {self.unit}?', value, self.bound, self.unit)
