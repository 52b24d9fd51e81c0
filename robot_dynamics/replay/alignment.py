"""
Joint states, efforts and base motion on one time line, block by block.

The stamps are those of the publisher with most joints; everything else is evaluated at them.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Iterator, List, Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.bags.joint_source import JointSource
from robot_dynamics.bags.recorded_streams import RecordedStreams
from robot_dynamics.core.errors import BagError, InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.replay.clocks import ClockMap, common_clock
from robot_dynamics.replay.differentiation import bandwidth_of, half_width_for
from robot_dynamics.replay.imu_stream import base_motion, ImuUse
from robot_dynamics.replay.reference_topic import RecordedReference
from robot_dynamics.replay.segments import Segment, split
from robot_dynamics.replay.window import StreamWindow

BLOCK = 16384
"""Rows of a block."""


@dataclass(frozen=True)
class Block:
    """Consecutive samples of one segment."""

    stamp_ns: NDArray[np.int64]  #: (N,) int64, header stamps of the joint states
    #: (N, nv), rad, rad/s, rad/s^2 (m for prismatic joints), smoothed; NaN where they cannot be
    #: told
    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    effort: FloatArray  #: (N, nv), as measured; NaN where there is none
    base: BaseMotion  #: Motion of the base; level and still where there is no IMU
    base_known: bool  #: Whether ``base`` was measured
    #: (N,), away from gaps, with everything known: what the statistics use
    valid: NDArray[np.bool_]
    segment: int  #: Number of the segment


@dataclass(frozen=True)
class Settings:
    """How streams are aligned and differentiated."""

    bandwidth: float = 5.0  #: Of joint velocities and accelerations, Hz
    imu_bandwidth: float = 4.0  #: Of the base motion, Hz
    #: Distance of stamps that is a gap, s; None: three and a half periods
    max_gap: Optional[float] = None
    #: ``auto``, ``velocity`` or ``position``: what accelerations are differentiated from
    derivative_of: str = 'auto'

    def __post_init__(self) -> None:
        if self.max_gap is not None and not 0.0 < self.max_gap < math.inf:
            raise InputError('max_gap', f'is {self.max_gap:g} s, expected a positive number')


class Alignment:
    """
    The streams of a recording on one time line.

    Parameters
    ----------
    streams : RecordedStreams
        The tables.
    joints : int
        Number of the model's joints.
    settings : Settings
        Bandwidths and gaps.
    imu_use : ImuUse or None
        How to use the IMU; None: fixed, level base.
    findings : Findings
        Where to note what was seen.
    reference : RecordedReference, optional
        Where accelerations come from instead of differentiation.

    Attributes
    ----------
    present : tuple of int
        Joints that the recording has.
    segments, gaps : list
        Of the joint states; ``gaps`` also those of the IMU.
    bandwidth : float
        Reached at the recorded rate, Hz.
    use_velocity : bool
        Whether recorded velocities are used.
    """

    def __init__(self, streams: RecordedStreams, joints: int, settings: Settings,
                 imu_use: Optional[ImuUse], findings: Findings,
                 reference: Optional[RecordedReference] = None) -> None:
        if not streams.joints:
            raise BagError('no usable joint state: ' + (
                '; '.join(map(str, findings)) or 'no message has joints of the model'))
        self.joints = joints
        self.imu_use = imu_use
        self.reference = reference
        self._imu = streams.imu
        self.primary = streams.joints[0]
        self.others = tuple(streams.joints[1:])
        period = self.primary.timeline.period_ns * 1e-9
        if not np.isfinite(period):
            raise BagError(f'{self.primary.topic}: only {len(self.primary.table)} usable joint '
                           'state(s), too few to differentiate')
        self.half_width = half_width_for(settings.bandwidth, period)
        self.bandwidth = bandwidth_of(self.half_width)
        if self.bandwidth < 0.99 * settings.bandwidth:
            findings.add(INFO, 'bandwidth', self.primary.topic,
                         f'at {1 / period:.0f} Hz accelerations are known up to '
                         f'{self.bandwidth:.1f} Hz only')
        self.segments, self.gaps = split(self.primary.topic, self.primary.table,
                                         self.primary.timeline, settings.max_gap)
        self._epochs = len(self.primary.timeline.epochs)
        self._own = StreamWindow(self.primary.table, self.segments, self.half_width)
        self._windows = []
        for source in self.others:
            clock = common_clock(source.topic, source.table, source.timeline,
                                 self.primary.table, self.primary.timeline, findings)
            pieces, gaps = split(source.topic, source.table, source.timeline, settings.max_gap)
            self.gaps += gaps
            width = half_width_for(settings.bandwidth, source.timeline.period_ns * 1e-9)
            self._windows.append(StreamWindow(source.table, pieces, width, clock))
        self._imu_window: Optional[StreamWindow] = None
        if streams.imu is not None and imu_use is not None:
            self._imu_window = self._open_imu(settings, findings)
        self.present = tuple(sorted({joint for source in (self.primary, *self.others)
                                     for joint in source.joints}))
        self.use_velocity = self._velocity_usable(settings.derivative_of, findings)

    def _open_imu(self, settings: Settings, findings: Findings) -> Optional[StreamWindow]:
        assert self._imu is not None
        timeline = self._imu.timeline
        period = timeline.period_ns * 1e-9
        if not np.isfinite(period):
            return None
        clock: ClockMap = common_clock(self._imu.topic, self._imu.table, timeline,
                                       self.primary.table, self.primary.timeline, findings)
        pieces, gaps = split(self._imu.topic, self._imu.table, timeline, settings.max_gap)
        self.gaps += gaps
        width = half_width_for(settings.imu_bandwidth, period)
        return StreamWindow(self._imu.table, pieces, width, clock)

    @property
    def imu_bandwidth(self) -> float:
        """Bandwidth reached for the base's motion, Hz; NaN where it is not measured."""
        window = self._imu_window
        return float('nan') if window is None else bandwidth_of(window.half_width)

    @property
    def base_known(self) -> bool:
        """Whether the base's motion is measured."""
        return self._imu_window is not None

    def with_imu(self, use: ImuUse) -> Alignment:
        """Return the same alignment with another reading of the IMU."""
        other = object.__new__(Alignment)
        other.__dict__.update(self.__dict__)
        other.imu_use = use
        return other

    def blocks(self, limit: Optional[int] = None) -> Iterator[Block]:
        """Yield all samples, block by block."""
        order = list(range(len(self.segments)))
        if limit is not None:
            order = sorted(order, key=lambda i: self.segments[i].start - self.segments[i].stop)
        done = 0
        for number in order:
            segment = self.segments[number]
            for start in range(segment.start, segment.stop, BLOCK):
                if limit is not None and done >= limit:
                    return
                stop = min(start + BLOCK, segment.stop)
                if limit is not None:
                    stop = min(stop, start + limit - done)
                yield self._block(segment, number, start, stop)
                done += stop - start

    def _block(self, segment: Segment, number: int, start: int, stop: int) -> Block:
        stamps, rows = self.primary.table.read(start, stop)
        origin = int(self.primary.table.read(segment.start, segment.start + 1)[0][0])
        state = np.zeros((3, len(stamps), self.joints))
        effort = np.full((len(stamps), self.joints), np.nan)
        valid = self._place(self.primary, self._own, stamps, segment, origin, state)
        effort[:, list(self.primary.joints)] = rows[:, 2 * len(self.primary.joints):]
        for source, window in zip(self.others, self._windows):
            valid &= self._place(source, window, stamps, segment, origin, state)
            columns = slice(2 * len(source.joints), None)
            effort[:, list(source.joints)] = window.interpolate(stamps, columns)
        if self.reference is not None:
            state[2][:, list(self.reference.columns)] = self.reference.accelerations(stamps)
        base = BaseMotion()
        if self._imu_window is not None and self.imu_use is not None:
            fit, inside = self._imu_window.evaluate(
                stamps, segment.epoch, self._epochs, origin, slice(None))
            fit[:, ~np.isfinite(fit).all(axis=(0, 2))] = _STILL_ROW
            valid &= inside
            base = base_motion(fit, self.imu_use)
        valid &= np.isfinite(state).all(axis=(0, 2))
        return Block(stamps, state[0], state[1], state[2], effort, base, self.base_known, valid,
                     number)

    def _place(self, source: JointSource, window: StreamWindow, stamps: NDArray[np.int64],
               segment: Segment, origin: int, state: FloatArray) -> NDArray[np.bool_]:
        """Write a source's joints into ``state`` (3, N, nv); return where they are known."""
        width = len(source.joints)
        with_velocity = self.use_velocity and source.has_velocity
        columns = slice(0, 2 * width if with_velocity else width)
        fit, inside = window.evaluate(stamps, segment.epoch, self._epochs, origin, columns)
        joints = list(source.joints)
        state[0][:, joints] = fit[0, :, :width]
        if with_velocity:
            state[1][:, joints] = fit[0, :, width:]
            state[2][:, joints] = fit[1, :, width:]
        else:
            state[1][:, joints] = fit[1]
            state[2][:, joints] = fit[2]
        return inside

    def _velocity_usable(self, derivative_of: str, findings: Findings) -> bool:
        """Compare recorded velocities with the derivative of positions on a part of the bag."""
        if derivative_of == 'position':
            return False
        sources = (self.primary, *self.others)
        topic = self.primary.topic
        if not any(source.has_velocity for source in sources):
            findings.add(INFO, 'velocity-absent', topic,
                         'has no velocities; they were differentiated from positions')
            return False
        if derivative_of == 'velocity':
            return True
        self.use_velocity = False
        by_position = list(self.blocks(BLOCK))
        self.use_velocity = True
        by_velocity = list(self.blocks(BLOCK))
        ok = np.concatenate([a.valid & b.valid for a, b in zip(by_position, by_velocity)])
        derived = np.concatenate([block.velocity for block in by_position])[ok]
        recorded = np.concatenate([block.velocity for block in by_velocity])[ok]
        wrong = _disagreeing(derived, recorded)
        if not len(derived):
            return True
        if wrong:
            findings.add(WARNING, 'velocity-mismatch', topic,
                         f'recorded velocities of {len(wrong)} joint(s) are not the derivative '
                         f'of position ({_likely(derived[:, wrong], recorded[:, wrong])}); they '
                         'were not used')
            return False
        return True


_STILL_ROW = np.zeros((3, 1, 10))
_STILL_ROW[0, 0, [3, 9]] = 1.0, 9.80665


def _disagreeing(derived: FloatArray, recorded: FloatArray) -> List[int]:
    """Return the joints whose recorded velocity differs from the derivative of position."""
    wrong = []
    for joint in range(derived.shape[1]):
        speed = np.sqrt(np.mean(derived[:, joint]**2)) if len(derived) else 0.0
        error = np.sqrt(np.mean((derived[:, joint] - recorded[:, joint])**2)) \
            if len(derived) else 0.0
        if error > 0.3 * speed + 1e-3:
            wrong.append(joint)
    return wrong


def _likely(derived: FloatArray, recorded: FloatArray) -> str:
    """Say what velocities most likely are that are not the derivative of position."""
    product = float(np.sum(derived * recorded))
    together = product / float(np.sqrt(np.sum(derived**2) * np.sum(recorded**2)) or 1.0)
    times = product / float(np.sum(derived**2) or 1.0)
    if not recorded.any():
        return 'zero'
    if together < -0.95:
        return 'of the opposite sign'
    if together > 0.95 and abs(times * np.pi / 180 - 1) < 0.1:
        return 'in deg/s'
    if together > 0.95 and abs(times * 180 / np.pi - 1) < 0.1:
        return 'in rad/s, where the positions are in degrees'
    return 'wrong unit, constant, or filtered'
