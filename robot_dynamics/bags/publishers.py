"""
Who sent which message: publishers on one topic that fill the same fields of the same joints.

One publisher's stamps rise and its joints move on from where they were.  Where messages break
that, they are dealt out, each to the publisher whose last message it continues best: by the order
of its names and its frame, by whether its efforts are all zero, by stamp, and by position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, INFO, SEVERE, WARNING
from robot_dynamics.bags.joint_source import ABSURD, JointSource
from robot_dynamics.bags.timeline import RESET_NS
from robot_dynamics.core.gate import FloatArray

MOST = 4
"""Publishers on one topic that are told apart."""

_TURN = 2 * np.pi
_RARE = 0.005  # share of messages that may be odd
_STEP, _SPEED = 0.02, 4.0  # rad and rad/s (m) that a joint moves from one message to the next
_TIMING = 0.3  # what an unexpected stamp weighs against a joint that is elsewhere
_FEW = 0.02  # share of the longest stream below which a stream does not count


@dataclass
class _Track:
    """One publisher so far: its last message, and the time (ns) between two."""

    stamp: int
    position: FloatArray
    silent: bool
    layout: int
    period: float = 0.0

    def misfit(self, stamp: int, position: FloatArray, silent: bool, layout: int) -> float:
        """Tell how badly a message continues this track; from 1 on it is another's."""
        elapsed = stamp - self.stamp
        against = float(-RESET_NS <= elapsed <= 0) + (silent != self.silent) + (
            layout != self.layout)
        reach = _STEP + _SPEED * min(abs(elapsed) * 1e-9, 0.1)
        return against + min(float(_apart(position, self.position).max()) / reach, 1.0)

    def untimely(self, stamp: int) -> float:
        """Tell how far a stamp is from where the next of this track is expected, 0 to 1."""
        late = abs(stamp - self.stamp - self.period)
        return min(late / self.period, 1.0) if self.period else 0.0

    def go_on(self, stamp: int, position: FloatArray, silent: bool, layout: int) -> None:
        """Take the next message."""
        elapsed = stamp - self.stamp
        if elapsed > 0:
            self.period += (0.2 if self.period else 1.0) * (elapsed - self.period)
        self.stamp, self.position, self.silent, self.layout = stamp, position, silent, layout


class Publishers:
    """Tells apart the publishers of messages that come batch by batch, in the recorder's order."""

    def __init__(self) -> None:
        self._tracks: List[_Track] = []
        self._apart = False

    def of(self, stamp_ns: NDArray[np.int64], rows: FloatArray, layout: NDArray[np.int64]
           ) -> NDArray[np.int64]:
        """
        Return the number of the publisher of each message, (N,).

        Parameters
        ----------
        stamp_ns : (N,) int64
            Header stamps.
        rows : (N, 3 J) array
            Positions, velocities, efforts.
        layout : (N,) int64
            Equal where names, their order and the frame are.
        """
        width = rows.shape[1] // 3
        numbers = np.zeros(len(rows), np.int64)
        usable = (np.abs(rows[:, :width]) < ABSURD).all(axis=1)  # which NaN is not
        q, stamp_ns, layout = rows[usable, :width], stamp_ns[usable], layout[usable]
        silent = ~np.any(np.nan_to_num(rows[usable, 2 * width:]), axis=1)
        self._apart = self._apart or _odd(stamp_ns, q, silent, layout)
        if self._apart:
            numbers[usable] = [self._deal(*message) for message in zip(
                stamp_ns.tolist(), q, silent.tolist(), layout.tolist())]
        elif len(q):
            self._tracks = [_Track(int(stamp_ns[-1]), q[-1], bool(silent[-1]), int(layout[-1]))]
        return numbers

    def _deal(self, stamp: int, position: FloatArray, silent: bool, layout: int) -> int:
        misfits = [track.misfit(stamp, position, silent, layout) for track in self._tracks]
        best = int(np.argmin([misfit + _TIMING * track.untimely(stamp) for misfit, track in zip(
            misfits, self._tracks)])) if misfits else -1
        if best < 0 or (misfits[best] >= 1.0 and len(misfits) < MOST):
            best = len(self._tracks)
            self._tracks.append(_Track(stamp, position, silent, layout))
        self._tracks[best].go_on(stamp, position, silent, layout)
        return best


def _apart(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return how far positions are apart; a whole turn counts as none."""
    step = one - other
    return np.abs(step - _TURN * np.rint(step / _TURN))


def _odd(stamp_ns: NDArray[np.int64], q: FloatArray, silent: NDArray[np.bool_],
         layout: NDArray[np.int64]) -> bool:
    """Tell whether more messages than rare ones break what a single publisher would keep."""
    if len(q) < 16:
        return False
    step, over = _apart(q[1:], q[:-1]), _apart(q[2:], q[:-2])
    away = np.minimum(step[:-1], step[1:])
    elsewhere = ((away > _STEP) & (away > 10 * over)).any(axis=1)
    floor = np.maximum.accumulate(stamp_ns)[:-1]
    falls = np.diff(stamp_ns) <= 0
    changes = (np.diff(layout) != 0) | (np.diff(silent.astype(int)) != 0)
    backward = (stamp_ns[1:] < floor) & (stamp_ns[1:] > floor - RESET_NS)
    return bool(elsewhere.mean() > _RARE or (falls & changes).mean() > _RARE
                or (np.diff(silent.astype(int)) != 0).mean() > 10 * _RARE
                or backward.mean() > 10 * _RARE)


def without_overlap(sources: Sequence[JointSource], findings: Findings) -> List[JointSource]:
    """
    Leave each joint to the richest publisher that has it, the one with most joints first.

    Effort counts before velocity, and velocity before the number of messages.
    """
    longest = max((len(source.table) for source in sources), default=0)

    def content(source: JointSource) -> Tuple[bool, bool, bool, int, int]:
        return (len(source.table) > _FEW * longest, bool(source.nonzero_effort.any()),
                source.has_velocity, len(source.table), len(source.joints))
    kept: List[JointSource] = []
    for source in sorted(sources, key=content, reverse=True):
        known = {joint: other for other in kept for joint in other.joints}
        fresh = [joint for joint in source.joints if joint not in known]
        if len(fresh) < len(source.joints):
            _report(source, known[next(joint for joint in source.joints if joint in known)],
                    fresh, findings)
        if fresh:
            kept.append(source if len(fresh) == len(source.joints) else source.part(fresh))
    kept.sort(key=lambda source: source.richness, reverse=True)
    if len(kept) > 1:
        findings.add(INFO, 'several-publishers', kept[0].topic,
                     f'{len(kept)} publishers share this topic, each with a part of the joints; '
                     'aligned by their stamps')
    return kept


def _report(source: JointSource, richer: JointSource, fresh: List[int], findings: Findings
            ) -> None:
    lacks = [name for name, has in (('velocity', source.has_velocity),
                                    ('effort', source.has_effort)) if not has]
    said = f'{len(source.table)} messages of '
    if fresh:
        findings.add(WARNING, 'joints-twice', source.topic, f'{said}{len(source.joints)} joints '
                     f'also have {len(source.joints) - len(fresh)} that a richer publisher sends; '
                     'those were taken from it')
    elif not lacks and source.nonzero_effort.any() and not _agree(source, richer):
        findings.add(SEVERE, 'publishers-mixed', source.topic, f'{said}the same joints, with '
                     'other positions, come from another publisher: two publishers that are as '
                     f'rich; the {len(richer.table)} messages of the one that sent more were '
                     'used.  Record one of them alone')
    else:
        how = f'without {" and ".join(lacks)}' if lacks else 'with efforts of zero' \
            if not source.nonzero_effort.any() else 'with the same positions'
        findings.add(WARNING, 'publisher-poorer', source.topic, f'{said}the same joints {how} '
                     'come from another publisher; they were left out')


def _agree(one: JointSource, other: JointSource, sample: int = 2048) -> bool:
    """Tell whether two publishers of the same joints report the same positions."""
    (stamps, rows), (others, theirs) = one.table.read(0, sample), other.table.read(0, 16 * sample)
    at = np.clip(np.searchsorted(others, stamps), 0, len(others) - 1)
    columns = [other.joints.index(joint) for joint in one.joints if joint in other.joints]
    own = [one.joints.index(joint) for joint in one.joints if joint in other.joints]
    return bool(np.median(np.abs(rows[:, own] - theirs[at][:, columns]).max(axis=1)) < 5 * _STEP)
