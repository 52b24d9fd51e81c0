"""One recording, opened: its aligned samples, block by block, as often as they are wanted."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Protocol, Union

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.discovery import (
    choose_imu_topic, choose_joint_topic, find_robot_description)
from robot_dynamics.bags.findings import Findings
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.recorded_streams import read_streams
from robot_dynamics.core.errors import BagError
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.alignment import Alignment, Block
from robot_dynamics.replay.effort_findings import report_efforts
from robot_dynamics.replay.imu_direction import settle_direction
from robot_dynamics.replay.imu_stream import examine, ImuUse
from robot_dynamics.replay.replay import ReplayOptions

Progress = Callable[[str, Optional[float]], None]


class MotionSource(Protocol):
    """Where samples come from."""

    name: str  #: For reports
    measured: NDArray[np.bool_]  #: (nv,), joints whose effort was measured
    span: tuple[int, int]  #: First and last stamp, ns
    period: float  #: Distance of samples, s

    def blocks(self) -> Iterator[Block]:
        """Yield the samples, block by block."""


class RecordedMotion:
    """
    A recording as a source of samples; close it to give its tables back.

    Parameters
    ----------
    path : path-like
        A bag.
    options : ReplayOptions
        Topics, mapping, mounting, bandwidths.
    findings : Findings
        Where to note what was seen.
    progress : callable, optional
        Told what is done, and which share of it.
    """

    def __init__(self, path: Union[str, Path], model: RobotModel, options: ReplayOptions,
                 findings: Findings, progress: Optional[Progress] = None) -> None:
        self.name = Path(path).name
        with ExitStack() as stack:
            recording = stack.enter_context(Recording(path, findings))
            topic = choose_joint_topic(recording, model.joint_names, options.joint_topic,
                                       options.joint_map)
            topic.mapping.report(topic.topic, findings)
            imu_topic = choose_imu_topic(recording, findings, options.imu_topic)
            report = progress or (lambda text, share: None)
            tables = read_streams(recording, model, topic, imu_topic, findings,
                                  lambda share: report(f'reading {self.name}', share))
            stack.callback(tables.close)
            for source in tables.joints:
                source.timeline.report(source.topic, findings)
            use = self._imu_use(tables, model, options, findings)
            self.alignment = Alignment(tables, model.nv, options.settings, use, findings)
            self.measured = np.array(report_efforts(
                (self.alignment.primary, *self.alignment.others), model.joint_names, findings))
            if use is not None and use.points_down and options.imu_rpy_deg is None:
                assert tables.imu is not None
                self._settle(use, tables.imu.topic, model, findings)
            recording.close()
            self._keep = stack.pop_all()
        table, segments = self.alignment.primary.table, self.alignment.segments
        stamps = [int(table.read(row, row + 1)[0][0]) for segment in segments
                  for row in (segment.start, segment.stop - 1)]
        self.span = min(stamps), max(stamps)
        self.period = self.alignment.primary.timeline.period_ns * 1e-9

    @property
    def base_known(self) -> bool:
        """Whether the base's motion was measured."""
        return self.alignment.base_known

    def blocks(self) -> Iterator[Block]:
        """Yield the samples, block by block."""
        return self.alignment.blocks()

    def close(self) -> None:
        """Give the tables' memory and disk back."""
        self._keep.close()

    def __enter__(self) -> RecordedMotion:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    @staticmethod
    def _imu_use(tables: Any, model: RobotModel, options: ReplayOptions, findings: Findings
                 ) -> Optional[ImuUse]:
        from robot_dynamics.motion.rotations import matrix_from_rpy
        if tables.imu is None:
            return None
        tables.imu.timeline.report(tables.imu.topic, findings)
        mounting = None
        if options.imu_rpy_deg is not None or any(options.imu_position):
            rpy = np.radians(options.imu_rpy_deg or (0.0, 0.0, 0.0))
            mounting = matrix_from_rpy(rpy), np.array(options.imu_position, np.float64)
        return examine(tables.imu, model, findings, mounting)

    def _settle(self, use: ImuUse, topic: str, model: RobotModel, findings: Findings) -> None:
        """Let the efforts tell whether the base hangs or the IMU is upside down."""
        dynamics = InverseDynamics(model, backend='interpreted')  # a few thousand samples
        self.alignment = self.alignment.with_imu(settle_direction(
            self.alignment, use, topic, findings,
            lambda q, qd, qdd, base, _: dynamics.torque(q, qd, qdd, base), self.measured))


def robot_of(path: Union[str, Path], options: ReplayOptions) -> str:
    """Return the description that a recording carries."""
    with Recording(path, Findings()) as recording:
        text = find_robot_description(recording, options.description_topic)
    if text is None:
        raise BagError(f'{path}: carries no robot_description; give a URDF with --robot')
    return text
