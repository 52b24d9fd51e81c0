"""Whether the signals of a recorded IMU agree: the live checks, over a recording."""

from __future__ import annotations

from typing import List

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, WARNING
from robot_dynamics.core.checks import first_finding
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.imu.plausibility import plausibility_checks
from robot_dynamics.imu.rate_agreement import rate_unit, RateAgreement
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY

_SIGNALS = (('angular velocity', slice(4, 7)), ('specific force', slice(7, 10)))
_NOTICEABLE = 0.01  # rad/s, m/s^2
_JUMP_NS = 500_000_000  # from one part of the recording to another
_RARE = 0.02  # share of samples that may be refused without a word
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
        self._stamps, self._mean = stamps, mean
        self._told = False
        self._constant = [name for name, columns in _SIGNALS if len(rows) > 1 and rows[
            0, columns].any() and not np.ptp(rows[:, columns], axis=0).any()]
        self._moves = len(rows) > 1 and bool(np.ptp(rows[:, 4:7], axis=0).max() > _NOTICEABLE
                                             or np.ptp(rows[:, 7:10], axis=0).max() > _NOTICEABLE)
        self._rate = mean[:, 4:7]
        self._force = _agreement(stamps, self._rate, _tilt(mean[:, 7:10]))
        turned = _agreement(stamps, self._rate, mean[:, :4]) if orientation else None
        self.frozen = turned is not None and turned.is_orientation_frozen()
        self._orientation = None if self.frozen else turned
        self._judge = self._orientation or self._force
        self._unit, self.rate_unit = rate_unit(self._judge.scale()) or ('', 1.0)

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
        self._told = bool(self.rate_unit == 1.0 and scale is not None and not 0.5 < scale < 2.0
                          or axes or self.frozen or self._judge.is_rate_dead())
        if self._constant and self._moves:
            findings.add(WARNING, 'imu-stuck', topic, f'its {" and ".join(self._constant)} never '
                         'changes while it moves: what it causes is missing')
        if self.frozen:
            findings.add(WARNING, 'imu-orientation', topic, 'its orientation never changes while '
                         'its angular velocity says that it turns; the orientation was not used, '
                         'so gravity and base acceleration count as one cause')
        if self._judge.is_rate_dead():
            findings.add(WARNING, 'imu-rate-dead', topic, 'its angular velocity is zero '
                         f'throughout, while {other} turns; what rotation causes is missing')

    def report_refused(self, topic: str, findings: Findings, units: FloatArray,
                       orientation: bool) -> None:
        """
        Note what the checks of the live nodes would refuse.

        Parameters
        ----------
        units : (10,) array
            Factors to SI units.
        orientation : bool
            Whether the quaternions are used.
        """
        checks = plausibility_checks(STANDARD_GRAVITY, rotation=not self._told)
        last, found = None, []
        for stamp, row in zip(self._stamps.tolist(), self._mean * units):
            if last is not None and not 0 < stamp - last < _JUMP_NS:
                for check in checks:
                    check.reset()
            last = stamp
            finding = first_finding(checks, ImuSample(
                stamp, row[4:7].tolist(), row[7:10].tolist(),
                row[:4].tolist() if orientation else None))
            found += [] if finding is None else [finding]
        if len(found) > _RARE * len(self._stamps):
            findings.add(WARNING, 'imu-refused', topic, 'nodes would refuse '
                         f'{100 * len(found) / len(self._stamps):.0f} % of it: {found[0].text}')

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
