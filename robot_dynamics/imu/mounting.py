"""
Where the IMU sits on the base and which axes it speaks: everything is brought to base axes here.

An FRD sensor (NED frames) becomes FLU by flipping y and z; the sign of its world flips with it, so
that a quaternion (x, y, z, w) becomes (x, -y, -z, w).
"""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.gate import as_rotation, as_vector, FloatArray
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion import rotations
from robot_dynamics.motion.frames import is_ned, R_FLU_FRD

UP = (0.0, 0.0, 0.0, 1.0)


class ImuMounting:
    """
    Pose of the IMU on the arm's base.

    Parameters
    ----------
    R_BI : array_like, (3, 3), optional
        Rotation from sensor to base axes; None means parallel.
    p_BI : array_like, (3,), optional
        The sensor's place in base axes, m; None means at the origin.
    ned : bool, optional
        Whether the sensor speaks FRD axes in a NED world; None decides by the suffix ``_ned`` of
        each sample's frame.
    """

    def __init__(self, R_BI: Optional[ArrayLike] = None, p_BI: Optional[ArrayLike] = None,
                 ned: Optional[bool] = None) -> None:
        self.R_BI = np.eye(3) if R_BI is None else as_rotation('R_BI', R_BI)
        self.p_BI: list[float] = (
            [0.0, 0.0, 0.0] if p_BI is None else as_vector('p_BI', p_BI, 3, 'm').tolist())
        self.ned = ned
        self._axes = {False: _axes(self.R_BI), True: _axes(self.R_BI @ R_FLU_FRD)}

    def to_base(self, sample: ImuSample) -> list[float]:
        """
        Return angular velocity, specific force and orientation of the base, 10 numbers.

        Vectors are in base axes, the force still at the sensor; the quaternion (x, y, z, w) of
        the base is normalised.  What the sensor does not report comes out as zero, and the
        orientation as identity.
        """
        ned = is_ned(sample.frame_id) if self.ned is None else self.ned
        rows, (ux, uy, uz, uw) = self._axes[ned]
        numbers = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, *UP]
        if sample.angular_velocity_covariance[0] >= 0:
            numbers[0:3] = _rotate(rows, sample.angular_velocity)
        if sample.linear_acceleration_covariance[0] >= 0:
            numbers[3:6] = _rotate(rows, sample.linear_acceleration)
        if sample.orientation_xyzw is not None and sample.orientation_covariance[0] >= 0:
            x, y, z, w = sample.orientation_xyzw
            scale = 1.0 / (x * x + y * y + z * z + w * w)**0.5
            x, y, z, w = x * scale, y * scale, z * scale, w * scale
            if ned:  # world NED -> NWU: q -> (1, 0, 0, 0) q, as (x, y, z, w) of a half turn
                x, y, z, w = w, -z, y, -x
            # q_WB = q_WI q_IB
            numbers[6:10] = (
                w * ux + x * uw + y * uz - z * uy, w * uy - x * uz + y * uw + z * ux,
                w * uz + x * uy - y * ux + z * uw, w * uw - x * ux - y * uy - z * uz)
        return numbers

    def base_sample(self, sample: ImuSample) -> ImuSample:
        """
        Return a sample with all that it reports in base axes, the force still at the sensor.

        Its frame keeps its name, which no longer says what its axes are.
        """
        numbers = self.to_base(sample)
        return ImuSample(
            sample.stamp_ns, numbers[0:3], numbers[3:6],
            numbers[6:10] if sample.has_orientation else None, sample.frame_id,
            sample.orientation_covariance, sample.angular_velocity_covariance,
            sample.linear_acceleration_covariance)

    def force_at_origin(self, force: Sequence[float], w: Sequence[float], wd: Sequence[float]
                        ) -> tuple[float, float, float]:
        """
        Move specific force from the sensor to the base origin.

        f_B = f_I - w' x p - w x (w x p), all (3,) in base axes, with p from origin to sensor.
        """
        (px, py, pz), (wx, wy, wz), (ux, uy, uz) = self.p_BI, w, wd
        along, square = wx * px + wy * py + wz * pz, wx * wx + wy * wy + wz * wz
        return (force[0] - (uy * pz - uz * py) - wx * along + px * square,
                force[1] - (uz * px - ux * pz) - wy * along + py * square,
                force[2] - (ux * py - uy * px) - wz * along + pz * square)


def _axes(R: FloatArray) -> tuple[list[list[float]], list[float]]:
    """Return R_BI by rows and the quaternion of its inverse R_IB."""
    return R.tolist(), rotations.quat_conjugate(rotations.quat_from_matrix(R)).tolist()


def _rotate(rows: list[list[float]], v: Sequence[float]) -> tuple[float, float, float]:
    (a, b, c), (d, e, f), (g, h, i) = rows
    x, y, z = v
    return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z
