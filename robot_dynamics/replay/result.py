"""What :func:`~robot_dynamics.replay.replay.analyze_bag` returns; reports only read it."""

from __future__ import annotations

from dataclasses import dataclass, field
import math
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

from robot_dynamics.bags.findings import Finding
from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.core.plain import plain
from robot_dynamics.replay.friction_fit import FrictionFit
from robot_dynamics.replay.min_max_series import MinMaxSeries
from robot_dynamics.replay.segments import Gap
from robot_dynamics.replay.torques import TorqueBlock


@dataclass(frozen=True)
class JointStatistics:
    """
    One joint on one recording; torques in N m (N for prismatic joints).

    Fields that need a measured effort are NaN (None) where there is none.
    """

    #: Joint and the unit of its effort
    name: str
    unit: str
    samples: int  #: Samples with a usable measured effort
    #: Of the measured effort and of the model on the moving base
    measured_rms: float
    measured_peak: float
    computed_rms: float
    computed_peak: float
    #: Of measured minus computed
    residual_rms: float
    residual_peak: float
    #: Share of the measured variance that the model explains: 1 - var(residual)/var(measured)
    explained: float
    #: Best line: measured = scale * computed + offset
    correlation: float
    scale: float
    offset: float
    lag: float  #: By which the measured effort comes later, s
    friction: Optional[FrictionFit]  #: Fit on the residual
    #: Share of the measured variance that model and fitted friction explain together
    explained_with_friction: float
    #: The same for a model whose base is level and still
    fixed_residual_rms: float
    fixed_explained: float
    #: Torque that the base's motion causes (moving minus fixed)
    base_rms: float
    base_peak: float
    cause_rms: Dict[str, float]  #: RMS by cause
    saturated: float  #: Share of samples at the effort limit
    #: Share of samples beyond the velocity limit and beyond the position limits
    over_speed: float
    outside_range: float

    @property
    def compared(self) -> bool:
        """Whether there was an effort to compare with."""
        return self.samples > 0

    @property
    def varied(self) -> bool:
        """Whether the effort varied so that a share of its variance means something."""
        return math.isfinite(self.explained)

    @property
    def moving_base_worth(self) -> float:
        """Residual with a fixed base over residual with the moving base; 1: worth nothing."""
        return self.fixed_residual_rms / self.residual_rms if self.residual_rms else math.nan


@dataclass(frozen=True)
class BaseStatistics:
    """What the base did; zeros where it was not measured."""

    known: bool  #: Whether an IMU measured it
    gravity_known: bool  #: Whether an orientation separates gravity from acceleration
    #: Tilt, deg; from the specific force where ``gravity_known`` is false
    roll_rms_deg: float
    pitch_rms_deg: float
    roll_peak_deg: float
    pitch_peak_deg: float
    #: Angular velocity (rad/s) and linear acceleration (m/s^2), RMS of the norm
    rate_rms: float
    acceleration_rms: float
    #: Force (N) and moment (N m) of the arm on the deck, base frame
    wrench_rms: Tuple[float, ...]
    wrench_peak: Tuple[float, ...]


@dataclass
class ReplayResult:
    """The analysis of one recording."""

    #: Path of the recording and name of the robot
    bag: str
    robot: str
    #: Topics used (``imu_topic`` empty: none)
    joint_topic: str
    imu_topic: str
    joint_names: Tuple[str, ...]  #: The model's joints, order of all arrays
    duration: float  #: From first to last stamp, s
    #: Joint states, and those that the statistics use
    samples: int
    valid_samples: int
    rate: float  #: Joint states a second
    #: -3 dB of the differentiated joint and base motion, Hz
    bandwidth: float
    imu_bandwidth: float
    #: Largest difference between Newton-Euler and Lagrange-Euler, relative above 1 N m
    method_difference: float
    joints: Tuple[JointStatistics, ...]  #: Those joints that the recording has
    base: BaseStatistics  #: What the base did
    gaps: Tuple[Gap, ...]  #: Pauses, left out of everything
    findings: Tuple[Finding, ...]  #: Most severe first
    series: MinMaxSeries  #: Series reduced for figures
    #: Clock of the recorder minus that of the header stamps; 0 where they agree to a second
    recorder_offset_ns: int = 0
    seconds: Dict[str, float] = field(default_factory=dict)  #: Time spent by stage
    _blocks: Optional[Callable[[], Iterator[TorqueBlock]]] = None
    _close: Optional[Callable[[], None]] = None

    def blocks(self) -> Iterator[TorqueBlock]:
        """
        Yield the full series, computed again block by block: nothing big is kept.

        Raises
        ------
        RuntimeError
            After :meth:`close`, or in another process than the analysis.
        """
        if self._blocks is None:
            raise RuntimeError('the recording of this result is closed')
        return self._blocks()

    def close(self) -> None:
        """Release the recording; the statistics stay."""
        if self._close is not None:
            self._close()
        self._blocks = self._close = None

    def __enter__(self) -> ReplayResult:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def compared(self) -> Tuple[JointStatistics, ...]:
        """The joints whose effort was measured."""
        return tuple(joint for joint in self.joints if joint.compared)

    def joint(self, name: str) -> JointStatistics:
        """Return one joint's statistics by name."""
        for joint in self.joints:
            if joint.name == name:
                return joint
        raise UnknownNameError('joint', name, [joint.name for joint in self.joints])

    def to_dict(self) -> Dict[str, Any]:
        """Return everything but the series as JSON data; NaN becomes None."""
        return plain({
            'bag': self.bag, 'robot': self.robot, 'joint_topic': self.joint_topic,
            'imu_topic': self.imu_topic or None, 'duration_s': self.duration,
            'samples': self.samples, 'valid_samples': self.valid_samples, 'rate_hz': self.rate,
            'bandwidth_hz': self.bandwidth,
            'imu_bandwidth_hz': self.imu_bandwidth if self.base.known else None,
            'method_difference': self.method_difference,
            'joints': [dict(plain(joint), moving_base_worth=joint.moving_base_worth)
                       for joint in self.joints],
            'base': self.base,
            'gaps': self.gaps,
            'findings': self.findings,
            'seconds': self.seconds,
        })
