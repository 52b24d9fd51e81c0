"""
Rotations as matrices, quaternions (x, y, z, w) and roll-pitch-yaw, one at a time or as series.

``R_AB`` maps coordinates in frame B to coordinates in frame A.  Roll, pitch, yaw are angles
about fixed axes (REP-103): ``R = Rz(yaw) Ry(pitch) Rx(roll)``.  Leading axes broadcast.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.gate import FloatArray

_SMALL_ANGLE = 1e-4  # rad; below it the series is exact to double precision
_NEXT, _LAST, _FOUR = np.array([1, 2, 0]), np.array([2, 0, 1]), np.arange(4)


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross product of (..., 3) and (..., 3): numpy's takes several times as long for one pair."""
    return a[..., _NEXT] * b[..., _LAST] - a[..., _LAST] * b[..., _NEXT]


def skew(vector: ArrayLike) -> FloatArray:
    """
    Build the matrix S of the cross product by v.

    Parameters
    ----------
    vector : array_like, (..., 3)

    Returns
    -------
    ndarray, (..., 3, 3)
    """
    v = np.asarray(vector, dtype=np.float64)
    S = np.zeros(v.shape + (3,))
    S[..., 0, 1], S[..., 0, 2] = -v[..., 2], v[..., 1]
    S[..., 1, 0], S[..., 1, 2] = v[..., 2], -v[..., 0]
    S[..., 2, 0], S[..., 2, 1] = -v[..., 1], v[..., 0]
    return S


def unskew(matrix: ArrayLike) -> FloatArray:
    """Return the vector of a matrix's skew part, (..., 3, 3) -> (..., 3)."""
    S = np.asarray(matrix, dtype=np.float64)
    return 0.5 * np.stack([
        S[..., 2, 1] - S[..., 1, 2],
        S[..., 0, 2] - S[..., 2, 0],
        S[..., 1, 0] - S[..., 0, 1]], axis=-1)


def matrix_from_rpy(rpy: ArrayLike) -> FloatArray:
    """
    Compose Rz(yaw) Ry(pitch) Rx(roll).

    Parameters
    ----------
    rpy : array_like, (..., 3)
        Roll, pitch, yaw in rad.

    Returns
    -------
    ndarray, (..., 3, 3)
    """
    angles = np.asarray(rpy, dtype=np.float64)
    (sr, sp, sy), (cr, cp, cy) = np.sin(angles).T, np.cos(angles).T
    return _stacked((cy * cp, sy * cp, -sp),
                    (cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
                    (cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr))


def rpy_from_matrix(R: ArrayLike) -> FloatArray:
    """
    Roll, pitch, yaw of a rotation; at pitch = +-90 deg roll is set to zero.

    Parameters
    ----------
    R : array_like, (..., 3, 3)

    Returns
    -------
    ndarray, (..., 3)
        In rad, pitch within [-pi/2, pi/2].
    """
    R = np.asarray(R, dtype=np.float64)
    cos_pitch = np.hypot(R[..., 0, 0], R[..., 1, 0])
    pitch = np.arctan2(-R[..., 2, 0], cos_pitch)
    locked = cos_pitch < 1e-15
    yaw = np.where(
        locked, np.arctan2(-R[..., 0, 1], R[..., 1, 1]), np.arctan2(R[..., 1, 0], R[..., 0, 0]))
    s, c = np.sin(yaw), np.cos(yaw)  # roll from Rz(-yaw) R: exact also close to the locked pitch
    roll = np.where(locked, 0.0, np.arctan2(
        s * R[..., 0, 2] - c * R[..., 1, 2], c * R[..., 1, 1] - s * R[..., 0, 1]))
    return np.stack([roll, pitch, yaw], axis=-1)


def matrix_from_quat(quat_xyzw: ArrayLike) -> FloatArray:
    """
    Rotation matrix of a quaternion, which is normalised first.

    Parameters
    ----------
    quat_xyzw : array_like, (..., 4)

    Returns
    -------
    ndarray, (..., 3, 3)
    """
    q = np.asarray(quat_xyzw, dtype=np.float64)
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    x, y, z, w = q.T
    return _stacked((1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
                    (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
                    (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)))


def quat_from_matrix(R: ArrayLike) -> FloatArray:
    """
    Quaternion (x, y, z, w) of a rotation, with w >= 0.

    Takes the largest of the four squared components as pivot (Shepperd 1978), so that no
    rotation is ill-conditioned.

    Parameters
    ----------
    R : array_like, (..., 3, 3)

    Returns
    -------
    ndarray, (..., 4)
    """
    R = np.asarray(R, dtype=np.float64)
    single = R.ndim == 2  # one in plain numbers, which takes a fraction of the time
    (xx, c, e), (f, yy, a), (b, d, zz) = R.T.tolist() if single else R.T
    # row k is 4 q_k (x, y, z, w): each is the quaternion times one of its own components
    rows = ((1 + xx - yy - zz, f + c, b + e, a - d), (f + c, 1 - xx + yy - zz, a + d, b - e),
            (b + e, a + d, 1 - xx - yy + zz, c - f), (a - d, b - e, c - f, 1 + xx + yy + zz))
    if single:
        x, y, z, w = rows[max(range(4), key=lambda k: rows[k][k])]
        norm = math.sqrt(x * x + y * y + z * z + w * w) * (-1.0 if w < 0 else 1.0)
        return np.array((x / norm, y / norm, z / norm, w / norm))
    candidates = _stacked(*rows).reshape(-1, 4, 4)
    pivot = candidates[:, _FOUR, _FOUR].argmax(axis=-1)
    q = candidates[np.arange(len(candidates)), pivot].reshape(R.shape[:-2] + (4,))
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    result: FloatArray = q * np.where(q[..., 3:] < 0, -1.0, 1.0)
    return result


def rpy_from_quat(quat_xyzw: ArrayLike) -> FloatArray:
    """Roll, pitch, yaw in rad, (..., 3), of a quaternion (x, y, z, w), (..., 4)."""
    return rpy_from_matrix(matrix_from_quat(quat_xyzw))


def quat_multiply(left_xyzw: ArrayLike, right_xyzw: ArrayLike) -> FloatArray:
    """Hamilton product, so that R(left * right) = R(left) R(right); (..., 4) each."""
    left, right = np.broadcast_arrays(*(
        np.asarray(q, dtype=np.float64) for q in (left_xyzw, right_xyzw)))
    (x1, y1, z1, w1), (x2, y2, z2, w2) = left.T, right.T
    return _stacked(
        w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2, w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
        w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2, w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2)


def quat_conjugate(quat_xyzw: ArrayLike) -> FloatArray:
    """Inverse of a unit quaternion (x, y, z, w)."""
    q: FloatArray = np.asarray(quat_xyzw, dtype=np.float64)
    result: FloatArray = q * np.array([-1.0, -1.0, -1.0, 1.0])
    return result


def exp(rotation_vector: ArrayLike) -> FloatArray:
    """
    Rotation matrix of a rotation vector (Rodrigues).

    Parameters
    ----------
    rotation_vector : array_like, (..., 3)
        Axis times angle, rad.

    Returns
    -------
    ndarray, (..., 3, 3)
    """
    v = np.asarray(rotation_vector, dtype=np.float64)
    turns = np.linalg.norm(v, axis=-1)[..., None, None] / np.pi
    S = skew(v)  # (1 - cos x) / x^2 is half the square of sin(x / 2) / (x / 2)
    result: FloatArray = np.eye(3) + np.sinc(turns) * S + 0.5 * np.sinc(0.5 * turns)**2 * (S @ S)
    return result


def log(R: ArrayLike) -> FloatArray:
    """
    Rotation vector of a rotation matrix, its length within [0, pi].

    Parameters
    ----------
    R : array_like, (..., 3, 3)

    Returns
    -------
    ndarray, (..., 3)
        Axis times angle, rad.
    """
    return rotation_vector_from_quat(quat_from_matrix(R))


def rotation_vector_from_quat(quat_xyzw: ArrayLike) -> FloatArray:
    """Axis times angle in rad, (..., 3), of a unit quaternion (x, y, z, w), (..., 4)."""
    q = np.asarray(quat_xyzw, dtype=np.float64)
    q = q * np.where(q[..., 3:] < 0, -1.0, 1.0)
    sine = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    small = sine < _SMALL_ANGLE
    factor = np.where(
        small, 2 + sine**2 / 3, 2 * np.arctan2(sine, q[..., 3:]) / np.where(small, 1.0, sine))
    result: FloatArray = factor * q[..., :3]
    return result


def rotate(R: ArrayLike, vector: ArrayLike) -> FloatArray:
    """Apply R to v: (..., 3, 3) and (..., 3), broadcasting, -> (..., 3)."""
    return _apply('...ij,...j->...i', R, vector)


def rotate_back(R: ArrayLike, vector: ArrayLike) -> FloatArray:
    """Apply the transpose of R to v: (..., 3, 3) and (..., 3), broadcasting, -> (..., 3)."""
    return _apply('...ji,...j->...i', R, vector)


def _apply(subscripts: str, R: ArrayLike, vector: ArrayLike) -> FloatArray:
    operands: Any = (np.asarray(R, dtype=np.float64), np.asarray(vector, dtype=np.float64))
    return np.asarray(np.einsum(subscripts, *operands))


def _stacked(*parts: Any) -> FloatArray:
    """Stack parts of transposed arrays along new last axes, the columns of matrices one by one."""
    return np.ascontiguousarray(np.array(parts, dtype=np.float64).T)
