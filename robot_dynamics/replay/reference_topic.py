"""
Desired accelerations from a recorded reference (trajectory_msgs/JointTrajectory).

A message counts from its start (its stamp, or its reception where that is zero) until the next
one starts; after its last point the arm is held.  A stream of single points is taken as one
trajectory through them, cut where points are missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, WARNING
from robot_dynamics.bags.layout import TRAJECTORY
from robot_dynamics.bags.reading import Recording
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import BagError, RobotDynamicsError
from robot_dynamics.core.gate import FloatArray


@dataclass(frozen=True)
class _Piece:
    """A trajectory and the stamps between which it counts, ns."""

    start_ns: int
    stop_ns: int
    trajectory: JointTrajectory


class RecordedReference:
    """
    The desired accelerations of some joints over time.

    Parameters
    ----------
    pieces : list of _Piece
        In order of time.
    columns : tuple of int
        The joints of the model, in the order of the trajectories' columns.
    """

    def __init__(self, pieces: List[_Piece], columns: Tuple[int, ...]) -> None:
        self._pieces = pieces
        self.columns = columns

    def accelerations(self, stamp_ns: NDArray[np.int64]) -> FloatArray:
        """
        Return the desired accelerations at some stamps.

        Parameters
        ----------
        stamp_ns : (N,) int64
            Stamps.

        Returns
        -------
        (N, len(columns)) array
            rad/s^2 (m/s^2); NaN where nothing was desired.
        """
        out = np.full((len(stamp_ns), len(self.columns)), np.nan)
        for piece in self._pieces:
            rows = np.flatnonzero((stamp_ns >= piece.start_ns) & (stamp_ns < piece.stop_ns))
            if len(rows):
                t = (stamp_ns[rows] - piece.start_ns) * 1e-9
                out[rows] = piece.trajectory.sample(t).acceleration
        return out


def read_reference(recording: Recording, topic: str, joint_names: Sequence[str],
                   to_model: Mapping[str, str], findings: Findings) -> RecordedReference:
    """
    Read a reference topic.

    Parameters
    ----------
    topic : str
        Its name.
    joint_names : sequence of str
        Joints of the model.
    to_model : mapping
        Name in the recording -> joint of the model, where they differ.
    findings : Findings
        Where to note what could not be used.

    Raises
    ------
    BagError
        If the topic does not exist or has nothing usable.
    """
    known = [channel.topic for channel in recording.topics_of_type(TRAJECTORY)]
    if topic not in known:
        raise BagError(f'{recording.path}: no topic {topic!r} with {TRAJECTORY} messages; there '
                       f'is: {", ".join(known) or "none"}')
    trajectories: List[JointTrajectory] = []
    refused = ''
    for _, received, raw in recording.messages([topic]):
        message = recording.deserialize(raw, TRAJECTORY)
        stamp = message.header.stamp
        start = stamp.sec * 10**9 + stamp.nanosec or received
        names = [to_model.get(name, name) for name in message.joint_names]
        wanted = [name for name in names if name in joint_names]
        try:
            trajectories.append(JointTrajectory.from_points(
                names, message.points, start).for_joints(wanted))
        except RobotDynamicsError as error:
            refused = str(error)
    if refused:
        findings.add(WARNING, 'reference', topic, f'some messages cannot be used ({refused})')
    if not trajectories or any(t.names != trajectories[0].names for t in trajectories):
        raise BagError(f'{recording.path}: {topic} has no trajectories for the joints of the '
                       'model, or not always for the same joints')
    trajectories.sort(key=lambda trajectory: trajectory.start_ns)
    pieces = _stream(trajectories) if all(t.is_stream_point for t in trajectories) \
        else _sequence(trajectories)
    if not any(piece.trajectory.velocities is not None for piece in pieces):
        raise BagError(f'{recording.path}: {topic} has no velocities, so no acceleration can be '
                       'told from it')
    index: Dict[str, int] = {name: i for i, name in enumerate(joint_names)}
    return RecordedReference(pieces, tuple(index[name] for name in trajectories[0].names))


def _sequence(trajectories: List[JointTrajectory]) -> List[_Piece]:
    stops = [trajectory.start_ns for trajectory in trajectories[1:]] + [2**62]
    return [_Piece(trajectory.start_ns, stop, trajectory)
            for trajectory, stop in zip(trajectories, stops)]


def _stream(points: List[JointTrajectory]) -> List[_Piece]:
    """Join single points to trajectories; a pause of five periods ends one."""
    stamps = np.array([point.start_ns + int(point.times[0] * 1e9) for point in points])
    fresh = np.concatenate([[True], np.diff(stamps) > 0])
    stamps, points = stamps[fresh], [p for p, keep in zip(points, fresh) if keep]
    if len(points) < 2:
        return []
    steps = np.diff(stamps)
    cuts = np.flatnonzero(steps > 5 * np.median(steps)) + 1
    pieces = []
    for rows in np.split(np.arange(len(points)), cuts):
        if len(rows) < 2:
            continue
        part = [points[row] for row in rows]
        start = int(stamps[rows[0]])
        pieces.append(_Piece(start, int(stamps[rows[-1]]) + 1, JointTrajectory(
            part[0].names, (stamps[rows] - start) * 1e-9, _stack(part, 'positions'),
            _stack(part, 'velocities'), _stack(part, 'accelerations'), start)))
    return pieces


def _stack(points: List[JointTrajectory], field: str) -> Any:
    values = [getattr(point, field) for point in points]
    return None if any(value is None for value in values) else np.concatenate(values)
