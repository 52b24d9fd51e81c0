"""A ship's motion out of a recording: from odometry all of it, from an IMU how it turned."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
import re
from typing import List, Mapping, Optional, Tuple, Union

import numpy as np

from robot_dynamics.bags.column_names import since_1970, with_whole_stamps
from robot_dynamics.bags.log_file import is_log, read_columns
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.storage import Topic
from robot_dynamics.bags.timeline import Timeline
from robot_dynamics.core.errors import BagError, UnknownNameError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.units import split_unit
from robot_dynamics.motion.frames import is_ned
from robot_dynamics.motion.rotations import matrix_from_quat, rpy_from_matrix
from robot_dynamics.ship.recorded_motion import motion_of_columns, RecordedMotion
from robot_dynamics.ship.ship_motion import ShipMotion

ODOMETRY, IMU = 'nav_msgs/msg/Odometry', 'sensor_msgs/msg/Imu'
_PAUSE, _SHORTEST_PAUSE = 5.0, 1.0  # times the usual distance of samples, and s
_STEEP = 0.2  # rad RMS: hardly a ship
_NED_SIGNS = np.array([1.0, -1.0, -1.0])


@dataclass(frozen=True)
class ShipRecording:
    """A motion as recorded."""

    ship: ShipMotion  #: The motion, without the mean of positions and heading
    topic: str  #: Where it is from
    notes: Tuple[str, ...]  #: What was left out


def ship_of_recording(path: Union[str, Path], topic: str = '', cutoff: float = 0.0,
                      columns: Optional[Mapping[str, str]] = None, rate: Optional[float] = None
                      ) -> ShipRecording:
    """
    Return the motion as recorded: its length, its mean tilt.

    Positions and heading are taken about their mean.  An IMU tells roll, pitch and yaw only; its
    acceleration is not integrated to a heave.

    Parameters
    ----------
    path : path-like
        A bag, or a log (CSV, Parquet, NPZ) with ``time`` and degrees of freedom as columns.
    topic : str
        Of nav_msgs/Odometry or sensor_msgs/Imu; empty: the only odometry, else the only IMU.
    cutoff : float
        Of a zero-phase low-pass filter over the samples, Hz; 0 for none.
    columns : mapping, optional
        Of a log: column -> name.
    rate : float, optional
        Rows a second of a log without time.

    Raises
    ------
    RobotDynamicsError
        If it cannot be read, or does not say what is meant.
    """
    notes: List[str] = []
    if is_log(path):
        found = read_columns(Path(path), columns or {})
        if rate is not None:
            found['time'] = np.arange(len(next(iter(found.values())))) / rate
        found = with_whole_stamps(found)
        time, values = motion_of_columns(str(path), found)
        time, unit = since_1970(time)
        if unit:
            notes.append(f'time counts {unit} since 1970')
        notes += [f'{name} reaches {np.degrees(np.abs(values[name]).max()):.0f} deg; if that is '
                  f'too much, its column is in degrees: call it {name}_deg'
                  for name in ('roll', 'pitch')
                  if name in values and np.sqrt(np.mean(values[name]**2)) > _STEEP]
        known = ('time', *values)
        unused = [name for name in found
                  if re.sub('_(deg|rad)$', '', split_unit(name)[0].lower()) not in known]
        if unused:
            notes.append(f'not used: {", ".join(unused[:8])}{", ..." if unused[8:] else ""}')
        where = Path(path).name
    else:
        with Recording(path) as recording:
            channel = _chosen(recording, topic)
            time, quats, positions = _samples(recording, channel, notes)
            where = channel.topic
        rpy = np.unwrap(rpy_from_matrix(matrix_from_quat(quats)), axis=0)
        values = dict(zip(('roll', 'pitch', 'yaw'), rpy.T))
        if len(positions):
            values.update(zip(('surge', 'sway', 'heave'), positions.T))
    part = _without_gaps(time, notes)
    time, values = time[part], {name: column[part] for name, column in values.items()}
    for name in ('surge', 'sway', 'heave', 'yaw'):
        if name in values:
            mean = float(values[name].mean())
            values[name] = values[name] - mean
            if name == 'yaw' and abs(mean) > 0.01:
                notes.append(f'mean heading of {np.degrees(mean):.1f} deg left out')
    return ShipRecording(ShipMotion(RecordedMotion(time, values, cutoff=cutoff or None)), where,
                         tuple(notes))


def _without_gaps(time: FloatArray, notes: List[str]) -> slice:
    """Return the longest stretch without a pause, across which nothing is known."""
    step = np.diff(time)
    pauses = np.flatnonzero(step > max(_PAUSE * np.median(step), _SHORTEST_PAUSE)) \
        if len(step) else step
    if not len(pauses):
        return slice(None)
    edges = [0, *(pauses + 1).tolist(), len(time)]
    begin, end = max(zip(edges, edges[1:]), key=lambda pair: pair[1] - pair[0])
    notes.append(f'{len(pauses)} pause(s) of up to {float(step[pauses].max()):.3g} s; the longest '
                 'part between them used')
    return slice(begin, end)


def _chosen(recording: Recording, topic: str) -> Topic:
    candidates = recording.topics_of_type(ODOMETRY) + recording.topics_of_type(IMU)
    if topic:
        for channel in candidates:
            if channel.topic == topic:
                return channel
        raise UnknownNameError('topic of odometry or IMU', topic, [c.topic for c in candidates])
    for msgtype in (ODOMETRY, IMU):
        found = recording.topics_of_type(msgtype)
        if len(found) == 1:
            return found[0]
        if found:
            raise BagError(f'{recording.path}: holds {", ".join(c.topic for c in found)} of type '
                           f'{msgtype}; say which one moves as the ship does (--topic)')
    silent = recording.silent_topics(ODOMETRY) + recording.silent_topics(IMU)
    raise BagError(f'{recording.path}: ' + (
        f'{", ".join(silent)} was recorded with 0 messages' if silent else
        f'holds neither {ODOMETRY} nor {IMU}'))


def _samples(recording: Recording, channel: Topic, notes: List[str]
             ) -> Tuple[FloatArray, FloatArray, FloatArray]:
    """Return times (T,) in s, orientations (T, 4), positions (T, 3) or (0, 3), z up."""
    header: List[int] = []
    received: List[int] = []
    rows: List[Tuple[float, ...]] = []
    for _, stamp_ns, raw in recording.messages([channel.topic]):
        message = recording.deserialize(raw, channel.msgtype)
        pose = message.pose.pose if channel.msgtype == ODOMETRY else None
        q = message.orientation if pose is None else pose.orientation
        if pose is None and message.orientation_covariance[0] < 0:
            raise BagError(f'{recording.path}: {channel.topic} reports no orientation')
        sign = _NED_SIGNS if is_ned(message.header.frame_id) else np.ones(3)
        p = (0.0, 0.0, 0.0) if pose is None else (
            pose.position.x, pose.position.y, pose.position.z)
        header.append(message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec)
        received.append(stamp_ns)
        rows.append((*(sign * (q.x, q.y, q.z)), q.w, *(sign * p)))
    table = np.array(rows, dtype=np.float64).reshape(-1, 7)
    norm = np.linalg.norm(table[:, :4], axis=1)
    finite = np.isfinite(table).all(axis=1)
    good = finite & (np.abs(norm - 1.0) < 0.1)
    for count, what in ((int((~finite).sum()), 'hold what is no number'),
                        (int((finite & ~good).sum()), 'have no unit quaternion')):
        if count:
            notes.append(f'{count} of {len(rows)} messages {what}; left out')
    if not good.any():
        raise BagError(f'{recording.path}: {channel.topic} has no usable message: '
                       f'{"; ".join(notes)}')
    timeline = Timeline()
    stamps, keep = timeline.accept(np.array(header, np.int64)[good],
                                   np.array(received, np.int64)[good])
    if timeline.clock == 'recorder':
        notes.append('header stamps never change; times of reception used')
    stamps, table = stamps[keep], table[good][keep]
    longest = max(timeline.epochs, key=lambda epoch: epoch.stop - epoch.start)
    if len(timeline.epochs) > 1:
        notes.append(f'stamps jump back {len(timeline.epochs) - 1} time(s); the longest part used')
    part = slice(longest.start, longest.stop)
    stamps, table = stamps[part], table[part]
    quats = table[:, :4] / np.linalg.norm(table[:, :4], axis=1, keepdims=True)
    return (1e-9 * (stamps - stamps[0]).astype(np.float64), quats,
            table[:, 4:] if channel.msgtype == ODOMETRY else table[:0, 4:])
