"""Whether the signals of a recorded IMU agree: the live check's measure, over a recording."""

from __future__ import annotations

from typing import List, Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, WARNING
from robot_dynamics.imu.rate_agreement import RateAgreement

FloatArray = NDArray[np.float64]

_MOVES = 0.02  # rad/s RMS
RATE_UNITS = ((np.pi / 180, 30.0, 110.0, 'deg/s'), (np.pi / 30, 8.6, 10.5, 'rpm'),
              (2 * np.pi, 0.143, 0.175, 'rev/s'), (1e-3, 900.0, 1100.0, 'mrad/s'),
              (1e-3 * np.pi / 180, 5e4, 6.5e4, 'mdeg/s'))
"""Factor to rad/s, and between which shares of the true rate a unit shows."""

_AVERAGED = 0.1  # s of samples in one mean, against vibration


class SignalAgreement:
    """
    Angular velocity beside orientation and direction of the specific force, over a recording.

    Parameters
    ----------
    stamp_ns : (N,) int64
        Stamps of consecutive samples; jumps are allowed.
    rows : (N, 10) array
        Quaternion xyzw, angular velocity (rad/s), specific force (m/s^2), IMU axes.
    orientation : bool
        Whether the quaternions mean anything.

    Attributes
    ----------
    rate_unit : float
        Factor that brings the angular velocity to rad/s.
    frozen : bool
        Whether the orientation stays as it is while the sensor turns.
    """

    def __init__(self, stamp_ns: NDArray[np.int64], rows: FloatArray, orientation: bool) -> None:
        stamps, mean = _averaged(stamp_ns, rows)
        self._rate = mean[:, 4:7]
        self._force = _agreement(stamps, self._rate, _tilt(mean[:, 7:10]))
        self._orientation: Optional[RateAgreement] = None
        turns = float(np.sqrt(np.mean(np.sum(self._rate**2, axis=1)))) if len(mean) else 0.0
        moved = orientation and len(rows) > 0 and bool(np.ptp(rows[:, :4], axis=0).max() > 1e-6)
        self.frozen = orientation and not moved and turns > _MOVES
        if moved:
            self._orientation = _agreement(stamps, self._rate, mean[:, :4])
        self._judge = self._orientation or self._force
        scale = self._judge.scale()
        self.rate_unit, self._unit = next(
            ((factor, unit) for factor, low, high, unit in RATE_UNITS
             if scale is not None and low < scale < high), (1.0, ''))

    def report(self, topic: str, findings: Findings) -> None:
        """Note what does not agree."""
        other = 'its orientation' if self._orientation is not None else \
            'the direction of its force'
        scale, axes = self._judge.scale(), self._judge.reversed_axes()
        if self.rate_unit != 1.0:
            findings.add(WARNING, 'imu-rate-unit', topic, f'its angular velocity is {scale:.3g} '
                         f'times what {other} does: in {self._unit}; it was converted to rad/s')
        elif scale is not None and not 0.5 < scale < 2.0:
            findings.add(WARNING, 'imu-rate-unit', topic, f'its angular velocity is {scale:.3g} '
                         f'times what {other} does; nothing was corrected')
        if axes:
            findings.add(WARNING, 'imu-rate-sign', topic, 'its angular velocity about '
                         f'{" and ".join(axes)} has the opposite sign of what {other} does'
                         f'{self._third_opinion()}; nothing was corrected')
        if self.frozen:
            findings.add(WARNING, 'imu-orientation', topic, 'its orientation never changes while '
                         'its angular velocity says that it turns; the orientation was not used, '
                         'so gravity and base acceleration count as one cause')
        if not self._rate.any() and self._judge.complete:
            findings.add(WARNING, 'imu-rate-dead', topic, 'its angular velocity is zero '
                         f'throughout, while {other} turns; what rotation causes is missing')

    def _third_opinion(self) -> str:
        if self._orientation is None:
            return ''
        if self._force.reversed_axes():
            return ', and of what its force does: the sign of the angular velocity is wrong'
        return ', but not of what its force does: the orientation is inverted'


def _agreement(stamps: NDArray[np.int64], rate: FloatArray, quats: FloatArray) -> RateAgreement:
    agreement = RateAgreement()
    for stamp, w, quat in zip(stamps.tolist(), rate.tolist(), quats.tolist()):
        agreement.add(stamp, w, quat)
    return agreement


def _averaged(stamp_ns: NDArray[np.int64], rows: FloatArray
              ) -> tuple[NDArray[np.int64], FloatArray]:
    """Return means over stretches of some samples, quaternions made unit again."""
    period = float(np.median(np.diff(stamp_ns))) * 1e-9 if len(stamp_ns) > 1 else 1.0
    step = max(1, round(_AVERAGED / max(period, 1e-6)))
    starts: List[int] = list(range(0, len(rows) - step + 1, step))
    if not starts:
        return stamp_ns[:0], rows[:0]
    signed = rows.copy()
    signed[:, :4] *= np.where(np.sum(signed[:, :4] * signed[:1, :4], axis=1) < 0, -1, 1)[:, None]
    mean = np.stack([signed[start:start + step].mean(axis=0) for start in starts])
    norm = np.linalg.norm(mean[:, :4], axis=1, keepdims=True)
    mean[:, :4] /= np.where(norm > 0, norm, 1.0)
    return np.array([stamp_ns[start + step // 2] for start in starts], np.int64), mean


def _tilt(force: FloatArray) -> FloatArray:
    """Return the quaternions (N, 4) that turn a direction to up about a horizontal axis."""
    up = force / np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
    if len(up) and up[:, 2].mean() < 0:  # of a sensor upside down, the opposite turns alike
        up = -up
    quats = np.column_stack([up[:, 1], -up[:, 0], 0 * up[:, 0], 1 + up[:, 2]])
    norm = np.linalg.norm(quats, axis=1, keepdims=True)
    return np.where(norm > 1e-6, quats / np.maximum(norm, 1e-6), [0.0, 0.0, 0.0, 1.0])
