"""
What the IMU's data mean for the base: mounting, plausibility, conversion.

Convention (REP-145): linear acceleration is specific force, +g up at rest.  Where the data
contradict it the analysis says so, and what it did instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, INFO, SEVERE, WARNING
from robot_dynamics.bags.recorded_streams import ImuSource
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.imu.force_mistake import force_mistake
from robot_dynamics.imu.mistakes import Mistake
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.replay.imu_agreement import SignalAgreement

# quaternion x y z w, angular velocity, specific force; the yaw of the world is of no matter
_FRD_TO_FLU = np.array([1.0, -1, -1, 1, 1, -1, -1, 1, -1, -1])

FLIP = np.diag([1.0, -1.0, -1.0])
"""Half a turn about x: an IMU upside down, and equally FRD (NED) axes to FLU."""


@dataclass(frozen=True)
class ImuUse:
    """How the samples become base motion."""

    R_BI: FloatArray = field(default_factory=lambda: np.eye(3))  #: (3, 3), from IMU to base axes
    #: (3,), the IMU's place in the base frame, m
    p_BI: FloatArray = field(default_factory=lambda: np.zeros(3))
    #: Whether the reported orientation separates gravity from acceleration
    orientation: bool = True
    #: Whether the samples are in forward-right-down axes, in a world with z down
    ned: bool = False
    #: (3,), mean specific force in base axes, m/s^2
    mean_force: FloatArray = field(default_factory=lambda: np.zeros(3))
    #: (10,), factors that bring the columns of the table to SI units
    units: FloatArray = field(default_factory=lambda: np.ones(10))
    #: Whether the orientation says that the base stands upright
    upright: bool = False

    def flipped(self) -> ImuUse:
        """Return the same with the IMU's axes turned by half a turn about x."""
        return replace(self, R_BI=self.R_BI @ FLIP, orientation=False,
                       mean_force=self.R_BI @ FLIP @ self.R_BI.T @ self.mean_force)

    def negated(self) -> ImuUse:
        """Return the same with the force's opposite, as of a sensor that reports gravity."""
        return replace(self, units=self.units * np.repeat([1.0, -1.0], [7, 3]),
                       mean_force=-self.mean_force)

    @property
    def points_down(self) -> bool:
        """Whether the mean specific force says that the base's z axis points down."""
        return bool(self.mean_force[2] < -0.5 * STANDARD_GRAVITY)


def examine(source: ImuSource, model: RobotModel, findings: Findings,
            mounting: Optional[Tuple[FloatArray, FloatArray]] = None) -> Optional[ImuUse]:
    """
    Look at the samples and decide how to use them; None if they are of no use.

    Parameters
    ----------
    source : ImuSource
        The samples.
    model : RobotModel
        Where the mounting is taken from if the IMU's frame is a link fixed to the base.
    findings : Findings
        Where to note what was seen.
    mounting : tuple, optional
        (R_BI (3, 3), p_BI (3,)) as the user says.
    """
    topic = source.topic
    ned = source.frame_id.endswith('_ned')
    stamps, sample = _sample(source)
    if ned:
        sample = _flu(sample)
    if ned:
        findings.add(INFO, 'imu-ned', topic, f'its frame {source.frame_id!r} says NED axes '
                     '(REP-103); converted to forward-left-up')
    force, rate = sample[:, 7:10], sample[:, 4:7]
    strength = float(np.linalg.norm(force, axis=1).mean())
    if not force.any() and not rate.any():
        findings.add(SEVERE, 'imu-zero', topic, 'NO BASE MOTION: all IMU values are zero; a '
                     'fixed, level base was assumed')
        return None
    units = np.ones(10)
    steady = float(np.linalg.norm(force.mean(axis=0))) > 0.8 * strength
    mistake, advice = force_mistake(strength, STANDARD_GRAVITY) or (None, '')
    if mistake is Mistake.UNITS_OF_G and steady:
        units[7:] = STANDARD_GRAVITY
        findings.add(WARNING, 'imu-scale', topic, f'the mean specific force is {strength:.2f}: '
                     'in units of g; it was converted to m/s^2')
    elif mistake in (Mistake.UNITS_OF_G, Mistake.GRAVITY_REMOVED):
        _, advice = force_mistake(0.0, STANDARD_GRAVITY) or (None, '')
        why = f': {advice}' if force.any() else ''
        findings.add(SEVERE, 'imu-no-gravity', topic,
                     f'NO BASE MOTION: the mean specific force is {strength:.2f} m/s^2 instead '
                     f'of about 9.8{why}; a fixed, level base was assumed')
        return None
    elif mistake is Mistake.FORCE_SCALE and steady and strength > 3.0 * STANDARD_GRAVITY:
        units[7:] = STANDARD_GRAVITY / strength
        findings.add(WARNING, 'imu-scale', topic, f'the mean specific force is {strength:.4g}, '
                     'expected about 9.8 m/s^2: counts, mg or cm/s^2; it was scaled to that')
    elif mistake is not None:
        findings.add(WARNING, 'imu-scale', topic, f'the mean specific force is {strength:.2f} '
                     f'm/s^2, expected about 9.8: {advice}')
    if source.unreported:
        findings.add(INFO, 'imu-orientation', topic, 'does not report an orientation; torques '
                     'are complete, but gravity and base acceleration count as one cause')
    elif source.zero_quaternion:
        findings.add(WARNING, 'imu-orientation', topic, 'its quaternion is zero or no unit '
                     'quaternion; torques are complete, but gravity and base acceleration count '
                     'as one cause')
    agreement = SignalAgreement(stamps, sample, source.has_orientation)
    agreement.report(topic, findings)
    units[4:7] = agreement.rate_unit
    sample = sample * units
    force = sample[:, 7:10]
    R_BI, p_BI = np.eye(3), np.zeros(3)
    if mounting is not None:
        R_BI, p_BI = mounting
    elif source.frame_id in model.link_names:
        frame = model.frame(source.frame_id)
        if frame.body != BASE:
            findings.add(SEVERE, 'imu-moving', topic, f'NO BASE MOTION: its frame '
                         f'{source.frame_id!r} is a link that the arm moves; a fixed, level '
                         'base was assumed')
            return None
        R_BI, p_BI = np.array(frame.R_BL), np.array(frame.p_BL)
        if not np.allclose(R_BI, np.eye(3)) or p_BI.any():
            findings.add(INFO, 'imu-mounting', topic, 'its mounting was taken from the robot '
                         f'description (link {source.frame_id!r})')
    elif source.frame_id.strip('/') not in ('', *model.link_names):
        findings.add(INFO, 'imu-frame', topic, f'its frame {source.frame_id!r} is no link of the '
                     "description; it counts as mounted at the base's origin, along its axes "
                     '(state it with --imu-rpy and --imu-position)')
    orientation = source.has_orientation and not agreement.frozen
    if orientation and not _orientation_fits(sample):
        orientation = False
        findings.add(WARNING, 'imu-orientation', topic,
                     'its orientation contradicts its specific force (a world with z down, NED, '
                     'or wrong axes); the orientation was not used, so gravity and base '
                     'acceleration count as one cause')
    agreement.report_refused(topic, findings, units, orientation)
    upright = source.has_orientation and not agreement.frozen and bool(
        (R_BI @ _up(sample).mean(axis=0))[2] > 0.5)
    return ImuUse(R_BI, p_BI, orientation, ned, R_BI @ force.mean(axis=0), units, upright)


def base_motion(fit: FloatArray, use: ImuUse) -> BaseMotion:
    """
    Convert fitted samples to base motion.

    Parameters
    ----------
    fit : (3, N, 10) array
        Value and derivatives of the table's columns.
    use : ImuUse
        Mounting and whether to use the orientation.

    Returns
    -------
    BaseMotion
        N samples.  Without an orientation the specific force stands as gravity, its negative;
        torques are the same, only the split by cause is not.
    """
    value, rate = (_flu(values * use.units) if use.ned else values * use.units
                   for values in fit[:2])
    quaternion = None
    if use.orientation:
        quaternion = value[:, :4] / np.linalg.norm(value[:, :4], axis=1, keepdims=True)
    motion = BaseMotion.from_imu(
        value[:, 4:7], value[:, 7:10], rate[:, 4:7], quaternion, use.R_BI, use.p_BI)
    if quaternion is not None:
        return motion
    return BaseMotion(motion.angular_velocity, motion.angular_acceleration, None,
                      -motion.specific_force)


def _flu(rows: FloatArray) -> FloatArray:
    """Convert rows of the table from forward-right-down axes in NED, (N, 10)."""
    return rows * _FRD_TO_FLU


def _sample(source: ImuSource, count: int = 8192) -> Tuple[NDArray[np.int64], FloatArray]:
    """Take some blocks of rows, spread over the recording, with their stamps."""
    rows = len(source.table)
    if rows <= count:
        return source.table.read(0, rows)
    starts = np.linspace(0, rows - count // 4, 4).astype(int)
    parts = [source.table.read(s, s + count // 4) for s in starts]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _orientation_fits(sample: FloatArray) -> bool:
    """Tell whether the rotated specific force points up, as it must in a world with z up."""
    along = np.sum(_up(sample) * sample[:, 7:10], axis=1).mean()
    return bool(along > 0.8 * np.linalg.norm(sample[:, 7:10], axis=1).mean())


def _up(sample: FloatArray) -> FloatArray:
    """Return up (N, 3) in the sensor's axes, of orientations that need not be unit."""
    x, y, z, w = (sample[:, :4] / np.linalg.norm(sample[:, :4], axis=1, keepdims=True)).T
    return np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
