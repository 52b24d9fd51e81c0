"""
Read a recording once, into tables of joint states and IMU samples.

Each publisher of joint states becomes one table; columns are the model's joints that it knows,
three values each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Dict, FrozenSet, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.columns import Columns
from robot_dynamics.bags.decoding import Batch, Decoder, without_interfaces
from robot_dynamics.bags.discovery import JointTopic
from robot_dynamics.bags.findings import Findings, SEVERE, WARNING
from robot_dynamics.bags.joint_source import ABSURD, JointSource
from robot_dynamics.bags.layout import IMU, JOINT_STATE
from robot_dynamics.bags.publishers import Publishers, without_overlap
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.timeline import Timeline
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.robot_model import RobotModel

BLOCK = 8192
"""Messages decoded at a time."""

Key = Tuple[FrozenSet[int], bool, bool]
"""What a publisher fills: joints, and whether velocity and effort."""

Part = Tuple[NDArray[np.int64], NDArray[np.int64], FloatArray, int]
"""Messages of one layout: their places, header stamps and rows, and the layout's number."""


@dataclass
class ImuSource:
    """The IMU's samples."""

    topic: str
    #: quaternion xyzw (4), angular velocity (3, rad/s), specific force (3, m/s^2), all in the
    #: IMU's frame
    table: Columns = field(default_factory=lambda: Columns(10))
    timeline: Timeline = field(default_factory=Timeline)
    frame_id: str = ''
    #: Whether the messages report an orientation (REP-145: covariance element 0 not -1, and a unit
    #: quaternion)
    has_orientation: bool = True
    unreported: bool = False
    zero_quaternion: bool = False
    not_finite: int = 0


@dataclass
class RecordedStreams:
    """All that the analysis needs from a recording."""

    joints: List[JointSource]
    imu: Optional[ImuSource]
    messages: int

    def close(self) -> None:
        """Give the tables' memory and disk back."""
        for source in self.joints:
            source.table.close()
        if self.imu is not None:
            self.imu.table.close()


class _StreamReader:

    def __init__(self, recording: Recording, model: RobotModel, topic: JointTopic,
                 imu_topic: Optional[str]) -> None:
        self.model = model
        self.index = {name: i for i, name in enumerate(model.joint_names)}
        self.to_model = topic.mapping.to_model
        self.topic = topic.topic
        self.joint_decoder = Decoder(JOINT_STATE, recording.is_ros1, recording.deserialize)
        self.imu_decoder = Decoder(IMU, recording.is_ros1, recording.deserialize)
        self.sources: Dict[Tuple[Key, int], JointSource] = {}
        self.publishers: Dict[Key, Publishers] = {}
        self.layouts: Dict[Tuple[Tuple[str, ...], str], int] = {}
        self.imu = None if imu_topic is None else ImuSource(imu_topic)
        self.nameless = self.wrong_length = 0
        self.odd_fields: Dict[str, int] = {}

    def joint_states(self, raws: List[bytes], recorder_ns: NDArray[np.int64]) -> None:
        batches = self.joint_decoder.decode(raws)
        # publishers with several layouts (changing order of names) must stay in time order
        parts: Dict[Key, List[Part]] = {}
        for batch in batches:
            part = self._rows(without_interfaces(batch))
            if part is not None:
                key, rows = part
                layout = self.layouts.setdefault((batch.names, batch.frame_id), len(self.layouts))
                parts.setdefault(key, []).append((batch.order, batch.header_ns, rows, layout))
        for key, pieces in parts.items():
            order = np.concatenate([piece[0] for piece in pieces])
            sort = np.argsort(order, kind='stable')
            order = order[sort]
            header = np.concatenate([piece[1] for piece in pieces])[sort]
            rows = np.concatenate([piece[2] for piece in pieces])[sort]
            layouts = np.repeat([piece[3] for piece in pieces],
                                [len(piece[0]) for piece in pieces])[sort]
            self._append(key, header, recorder_ns[order], rows, layouts)

    def _rows(self, batch: Batch) -> Optional[Tuple[Key, FloatArray]]:
        count, names = len(batch.order), batch.names
        position = batch.arrays['position']
        if not names:
            self.nameless += count
            return None
        if position.shape[1] != len(names):
            self.wrong_length += count
            return None
        columns = {self.index[self.to_model[name]]: i for i, name in enumerate(names)
                   if name in self.to_model}
        if not columns:
            return None
        picked = [columns[joint] for joint in sorted(columns)]
        blocks = [position[:, picked]]
        given = []
        for name in ('velocity', 'effort'):
            values = batch.arrays[name]
            given.append(values.shape[1] == len(names))
            if values.shape[1] == len(names):
                blocks.append(values[:, picked])
            else:
                if values.shape[1]:
                    self.odd_fields[name] = self.odd_fields.get(name, 0) + count
                blocks.append(np.full((count, len(picked)), np.nan))
        return (frozenset(columns), given[0], given[1]), np.concatenate(blocks, axis=1)

    def _append(self, key: Key, header: NDArray[np.int64], recorder: NDArray[np.int64],
                rows: FloatArray, layout: NDArray[np.int64]) -> None:
        numbers = self.publishers.setdefault(key, Publishers()).of(header, rows, layout)
        for number in np.unique(numbers).tolist():
            if (key, number) not in self.sources:
                self.sources[key, number] = JointSource(
                    self.topic, tuple(sorted(key[0])), self.model)
            mine = numbers == number
            self.sources[key, number].append(header[mine], recorder[mine], rows[mine])

    def imu_samples(self, raws: List[bytes], recorder_ns: NDArray[np.int64]) -> None:
        assert self.imu is not None
        batches = self.imu_decoder.decode(raws)
        if not batches:
            return
        order = np.concatenate([batch.order for batch in batches])
        header = np.concatenate([batch.header_ns for batch in batches])
        rows = np.concatenate([np.concatenate([
            batch.arrays['orientation'], batch.arrays['angular_velocity'],
            batch.arrays['linear_acceleration']], axis=1) for batch in batches])
        covariance = np.concatenate([b.arrays['orientation_covariance'][:, 0] for b in batches])
        self.imu.frame_id = self.imu.frame_id or batches[0].frame_id
        sort = np.argsort(order, kind='stable')
        rows[np.abs(rows) > ABSURD] = np.nan
        lost = ~np.isfinite(rows[:, :4]).all(axis=1)
        if lost.mean() > 0.5:  # all that it never reports
            self.imu.zero_quaternion, self.imu.has_orientation = True, False
            rows[lost, :4] = 0.0, 0.0, 0.0, 1.0
        finite = np.isfinite(rows[sort]).all(axis=1)
        self.imu.not_finite += int((~finite).sum())
        sort = sort[finite]
        norm = np.linalg.norm(rows[sort, :4], axis=1)
        if (covariance == -1).any():
            self.imu.unreported, self.imu.has_orientation = True, False
        if len(norm) and (np.abs(norm - 1) > 0.1).any():
            self.imu.zero_quaternion, self.imu.has_orientation = True, False
        stamps, keep = self.imu.timeline.accept(header[sort], recorder_ns[order[sort]])
        self.imu.table.append(stamps[keep], rows[sort][keep])

    def report(self, findings: Findings) -> None:
        for count, code, what in (
                (self.nameless, 'names-empty', 'carry no joint names'),
                (self.wrong_length, 'names-length', 'have another number of names than positions'),
                (self.joint_decoder.broken, 'messages-broken', 'could not be decoded')):
            if count:
                findings.add(WARNING, code, self.topic, f'{count} messages {what}; left out')
        for source in self.sources.values():
            source.report(findings)
        for name, count in self.odd_fields.items():
            findings.add(WARNING, f'{name}-length', self.topic,
                         f'{count} messages have another number of {name} values than names; '
                         f'their {name} was not used')
        if self.imu is not None and self.imu_decoder.broken:
            findings.add(WARNING, 'messages-broken', self.imu.topic,
                         f'{self.imu_decoder.broken} messages could not be decoded; left out')
        if self.imu is not None and self.imu.not_finite and len(self.imu.table):
            findings.add(WARNING, 'imu-nan', self.imu.topic, f'{self.imu.not_finite} messages '
                         'hold what is no number; left out')
        if self.imu is not None and not len(self.imu.table):
            findings.add(SEVERE, 'imu-empty', self.imu.topic,
                         'NO BASE MOTION: no usable IMU message; a fixed, level base was assumed')


def read_streams(recording: Recording, model: RobotModel, topic: JointTopic,
                 imu_topic: Optional[str], findings: Findings,
                 progress: Optional[Callable[[float], None]] = None) -> RecordedStreams:
    """
    Read the joint states and IMU samples of a recording into tables.

    Parameters
    ----------
    model : RobotModel
        The robot, for the order and kind of its joints.
    topic : JointTopic
        The JointState topic and its mapping.
    imu_topic : str or None
        The IMU topic.
    findings : Findings
        Where to note what was left out.
    progress : callable, optional
        Called with the share that is read, 0 to 1.
    """
    reader = _StreamReader(recording, model, topic, imu_topic)
    wanted = [topic.topic] + ([imu_topic] if imu_topic else [])
    pending: Dict[str, Tuple[List[bytes], List[int]]] = {name: ([], []) for name in wanted}
    take = {topic.topic: reader.joint_states, imu_topic or '': reader.imu_samples}
    total, there = 0, sum(c.count for c in recording.channels if c.topic in wanted)
    report = progress or (lambda share: None)
    for name, stamp, raw in recording.messages(
            wanted, lambda done: report(min(done / max(there, 1), 1.0))):
        raws, stamps = pending[name]
        raws.append(raw)
        stamps.append(stamp)
        total += 1
        if len(raws) >= BLOCK:
            take[name](raws, np.array(stamps, np.int64))
            pending[name] = ([], [])
    for name, (raws, stamps) in pending.items():
        if raws:
            take[name](raws, np.array(stamps, np.int64))
    reader.report(findings)
    imu = reader.imu if reader.imu is not None and len(reader.imu.table) else None
    sources = without_overlap([s for s in reader.sources.values() if len(s.table)], findings)
    return RecordedStreams(sources, imu, total)
