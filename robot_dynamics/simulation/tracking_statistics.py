"""How far an arm is from where it should be, over time and as figures."""

from __future__ import annotations

import dataclasses
from typing import Any, Tuple

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.joint_series import JointSeries


@dataclasses.dataclass(frozen=True, eq=False)
class TrackingError:
    """Desired minus measured positions within a window."""

    names: Tuple[str, ...]  #: Joints, in the order of the columns
    time: FloatArray  #: (T,), from the start of the reference, s
    error: FloatArray  #: (T, n), in rad

    @property
    def rms(self) -> FloatArray:
        """Root mean square of each joint over the window, (n,), rad."""
        return np.asarray(np.sqrt(np.mean(self.error**2, axis=0)))

    @property
    def overall(self) -> float:
        """Root mean square over joints and window, rad."""
        return float(np.sqrt(np.mean(self.error**2)))

    @property
    def norm(self) -> FloatArray:
        """Root mean square over the joints at each time, (T,), rad."""
        return np.asarray(np.sqrt(np.mean(self.error**2, axis=1)))

    def minus(self, other: TrackingError) -> TrackingError:
        """
        Return what this error has beyond another one, where both were measured.

        Instants between those of the other run are interpolated: in real time no two runs
        are sampled alike.

        Raises
        ------
        ConfigurationError
            If the two do not overlap in time.
        """
        inside = (self.time >= other.time[0] - 1e-9) & (self.time <= other.time[-1] + 1e-9)
        if not inside.any():
            raise ConfigurationError('the two runs do not overlap in time')
        time = self.time[inside]
        there = np.column_stack([np.interp(time, other.time, column)
                                 for column in other.error.T])
        return TrackingError(self.names, time, self.error[inside] - there)


def tracking_error(trace: JointSeries, reference: Any, epoch: float, begin: float,
                   end: float) -> TrackingError:
    """
    Compare a trace with its reference.

    Parameters
    ----------
    trace : JointSeries
        What the arm did.
    reference : Reference
        ``names``, and ``sample(t)`` at seconds since its start.
    epoch : float
        Start of the reference on the clock of the trace, s.
    begin, end : float
        Window, seconds since the start of the reference.

    Raises
    ------
    ConfigurationError
        If the trace does not reach into the window.
    """
    series = trace.select(reference.names)
    time = series.time - epoch
    inside = (time >= begin - 1e-9) & (time <= end + 1e-9)
    if not inside.any():
        raise ConfigurationError(
            f'the run has no state between {begin:g} s and {end:g} s of the reference')
    desired = reference.sample(time[inside]).position
    return TrackingError(
        tuple(series.names), time[inside], desired - series.position[inside])
