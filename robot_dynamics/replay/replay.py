"""
Replay a recording: what torque should the joints have had, and does the effort agree.

:func:`analyze_bag` is the one entry; everything else consumes its result.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
import time
from typing import Callable, Dict, Iterator, Optional, Tuple, Union

import numpy as np

from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.bags.recorded_streams import RecordedStreams
from robot_dynamics.core.errors import BagError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.alignment import Alignment, Block
from robot_dynamics.replay.effort_findings import report_agreement, report_efforts
from robot_dynamics.replay.hypotheses import explain
from robot_dynamics.replay.imu_direction import settle_direction
from robot_dynamics.replay.imu_stream import examine, ImuUse
from robot_dynamics.replay.inputs import open_inputs
from robot_dynamics.replay.joint_agreement import report_refused
from robot_dynamics.replay.joint_statistics import Statistics
from robot_dynamics.replay.min_max_series import MinMaxSeries
from robot_dynamics.replay.options import ReplayOptions
from robot_dynamics.replay.reference_topic import RecordedReference
from robot_dynamics.replay.result import ReplayResult
from robot_dynamics.replay.robot import RobotSource
from robot_dynamics.replay.torques import ReplayTorques, TorqueBlock
from robot_dynamics.replay.wheel_path import WheelPath

Progress = Callable[[str, Optional[float]], None]

_WORTH_COMPILING = 20_000  # joint states


def analyze_bag(path: Union[str, Path], robot: Optional[RobotSource] = None,
                options: Optional[ReplayOptions] = None,
                progress: Optional[Progress] = None) -> ReplayResult:
    """
    Analyse one recording.

    Parameters
    ----------
    path : path-like
        A bag: a file, or the directory of a rosbag2 recording; or a log (CSV, Parquet, NPZ) with
        the columns that :mod:`robot_dynamics.bags.log_file` documents.
    robot : RobotModel, path or str, optional
        The robot or its URDF; by default the one in the bag's ``robot_description`` topic.
    options : ReplayOptions, optional
        Choices; the defaults suit a bag with one robot and one IMU.
    progress : callable, optional
        Called with what is being done and which share (0 to 1) of that step is done; None where
        that is not known.

    Returns
    -------
    ReplayResult
        Use it as a context manager, or close it, to release temporary data.

    Raises
    ------
    BagError
        If the recording cannot be read or lacks what is needed.
    ModelError
        If the robot description is wrong or has no inertia.
    """
    options = ReplayOptions() if options is None else options
    report = progress or (lambda text, fraction: None)
    clock = _Stopwatch()
    findings = Findings()
    with ExitStack() as stack:
        inputs = open_inputs(path, robot, options, findings, stack, clock.lap,
                             lambda share: report('reading', share))
        model, tables, reference = inputs.model, inputs.streams, inputs.reference
        replay = _Replay(model, tables, options, findings, reference)
        torques = ReplayTorques(model, options.friction or bool(options.identified),
                                _backend(options, tables), options.wheels, options.leave_out,
                                _path(model, tables, options))
        use = replay.examine_imu(torques)
        statistics = replay.run(torques, clock, report)
        inputs.close()
        keep = stack.pop_all()
    joints = statistics.joints()
    alignment = replay.alignment
    report('looking for what explains the rest', None)
    report_agreement(
        joints, explain(alignment, torques, list(joints), findings, inputs.guessed), findings,
        dict(zip(model.joint_names, model.effort_limit.tolist())), statistics.in_degrees)
    clock.lap('hypotheses')
    offset = alignment.primary.timeline.clock_relation()[0]
    return ReplayResult(
        bag=str(path), robot=model.name, joint_topic=inputs.joint_topic,
        imu_topic=inputs.imu_topic, joint_names=model.joint_names,
        duration=replay.duration, samples=statistics.samples, valid_samples=statistics.valid,
        rate=1e9 / alignment.primary.timeline.period_ns, bandwidth=alignment.bandwidth,
        imu_bandwidth=alignment.imu_bandwidth, method_difference=torques.difference, joints=joints,
        base=statistics.base(use is not None and use.orientation),
        gaps=tuple(sorted(alignment.gaps, key=lambda gap: gap.stamp_ns)),
        findings=tuple(findings.by_severity()), series=statistics.series,
        recorder_offset_ns=int(offset) if abs(offset) > 1e9 else 0, seconds=clock.seconds,
        _blocks=lambda: torques.blocks(alignment), _close=keep.close)


class _Stopwatch:

    def __init__(self) -> None:
        self.seconds: Dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._last
        self._last = now


class _Replay:
    """The steps between the tables and the statistics."""

    def __init__(self, model: RobotModel, tables: RecordedStreams, options: ReplayOptions,
                 findings: Findings, reference: Optional[RecordedReference]) -> None:
        self.model = model
        self.reference = reference
        self.tables = tables
        self.options = options
        self.findings = findings
        for source in tables.joints:
            source.timeline.report(source.topic, findings)
            report_refused(source, model, findings)
        if tables.imu is not None:
            tables.imu.timeline.report(tables.imu.topic, findings)

    def examine_imu(self, torques: ReplayTorques) -> Optional[ImuUse]:
        """Align, and decide how the IMU is used; the efforts settle what it leaves open."""
        options, findings = self.options, self.findings
        use = None
        if self.tables.imu is not None:
            use = examine(self.tables.imu, self.model, findings, _mounting(options))
        self.alignment = Alignment(self.tables, self.model.nv, options.settings, use, findings,
                                   self.reference)
        self.comparable = np.array(report_efforts(
            (self.alignment.primary, *self.alignment.others), self.model.joint_names, findings))
        if use is not None and use.points_down and options.imu_rpy_deg is None:
            assert self.tables.imu is not None
            use = settle_direction(self.alignment, use, self.tables.imu.topic, findings,
                                   torques.of, self.comparable)
            self.alignment = self.alignment.with_imu(use)
        return use

    def run(self, torques: ReplayTorques, clock: _Stopwatch, report: Progress) -> Statistics:
        """Go through all blocks once."""
        segments, table = self.alignment.segments, self.alignment.primary.table
        rows = sum(segment.stop - segment.start for segment in segments)
        stamps = [int(table.read(row, row + 1)[0][0]) for segment in segments
                  for row in (segment.start, segment.stop - 1)]
        self.duration = (max(stamps) - min(stamps)) * 1e-9
        period = self.alignment.primary.timeline.period_ns * 1e-9
        statistics = Statistics(self.model, self.alignment.present, self.comparable, period,
                                MinMaxSeries(min(stamps), max(stamps), rows))
        clock.lap('align')
        report('compiling the dynamics', None)
        torques.warm_up()
        clock.lap('compile')
        for block in _timed(self.alignment.blocks(), clock, 'align'):
            computed: TorqueBlock = torques.evaluate(block)
            clock.lap('torque')
            statistics.add(computed)
            clock.lap('statistics')
            report('computing torques', statistics.samples / max(rows, 1))
        self._report_validity(statistics)
        return statistics

    def _report_validity(self, statistics: Statistics) -> None:
        where = self.alignment.primary.topic
        if not statistics.valid:
            raise BagError(f'{where}: no stretch of joint states is long enough without a gap to '
                           f'differentiate (a window spans {2 * self.alignment.half_width:.2g} '
                           's); raise --bandwidth or --max-gap')
        lost = 1 - statistics.valid / statistics.samples
        if self.alignment.gaps:
            total = sum(gap.duration for gap in self.alignment.gaps)
            self.findings.add(WARNING if lost > 0.1 else INFO, 'gaps', where,
                              f'{len(self.alignment.gaps)} gaps, {total:.3g} s together; '
                              f'with their edges {100 * lost:.1f} % of the samples were left out')
        elif lost > 0.1:
            self.findings.add(WARNING, 'left-out', where,
                              f'{100 * lost:.0f} % of the samples lie at edges or outside the '
                              'record of the IMU and were left out')


def _timed(blocks: Iterator[Block], clock: _Stopwatch, stage: str) -> Iterator[Block]:
    for block in blocks:
        clock.lap(stage)
        yield block


def _backend(options: ReplayOptions, tables: RecordedStreams) -> str:
    if options.backend != 'auto':
        return options.backend
    rows = max((len(source.table) for source in tables.joints), default=0)
    return 'numba' if rows > _WORTH_COMPILING else 'interpreted'


def _path(model: RobotModel, tables: RecordedStreams, options: ReplayOptions
          ) -> Optional[WheelPath]:
    if options.imu_on == 'platform' or options.wheels is None or tables.imu is None:
        return None
    return WheelPath(tables, model, DifferentialDrive.from_model(model, *options.wheels))


def _mounting(options: ReplayOptions) -> Optional[Tuple[FloatArray, FloatArray]]:
    from robot_dynamics.motion.rotations import matrix_from_rpy
    if options.imu_rpy_deg is None and not any(options.imu_position):
        return None
    rpy = np.radians(options.imu_rpy_deg or (0.0, 0.0, 0.0))
    return matrix_from_rpy(rpy), np.array(options.imu_position, np.float64)
