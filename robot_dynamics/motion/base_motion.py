"""
The motion of a robot's base as the dynamics need it: four vectors in the base frame.

Newton-Euler needs the base's angular velocity and acceleration, the linear acceleration of its
origin, and gravity.  Whatever a user has instead (roll and pitch, a pose with derivatives, an
IMU on a lever arm) is converted here, once, at the edge.
"""

from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_rotation, as_scalar, as_vector, FloatArray
from robot_dynamics.motion import attitude, rotations
from robot_dynamics.motion.packing import (
    checked_matrices, checked_vectors, FIELDS, pack_checked, pack_vectors, stack_rpy,
    STANDARD_GRAVITY)
from robot_dynamics.motion.series_time import increasing_time

__all__ = ['BaseMotion', 'STANDARD_GRAVITY']


class BaseMotion:
    """
    Motion of the base frame B, all vectors in B; no time inside.

    Parameters
    ----------
    angular_velocity : array_like, (3,) or (T, 3), optional
        In rad/s.  None means zero.
    angular_acceleration : array_like, (3,) or (T, 3), optional
        In rad/s^2.  None means zero.
    linear_acceleration : array_like, (3,) or (T, 3), optional
        Of the origin of B, without gravity, in m/s^2.  None means zero.
    gravity : array_like, (3,) or (T, 3), optional
        In m/s^2, pointing down.  None means a level base: (0, 0, -9.80665).

    Attributes
    ----------
    packed : ndarray, (12,) or (T, 12)
        The four vectors in the order above, read-only; the attributes are views into it.
    specific_force_only : bool
        True if acceleration and gravity are known only by their difference: then
        ``linear_acceleration`` holds the specific force and ``gravity`` is zero.  Torques are
        right all the same, because only the difference enters.
    """

    __slots__ = ('packed', 'specific_force_only')

    packed: FloatArray
    specific_force_only: bool

    def __init__(self, angular_velocity: Optional[ArrayLike] = None,
                 angular_acceleration: Optional[ArrayLike] = None,
                 linear_acceleration: Optional[ArrayLike] = None,
                 gravity: Optional[ArrayLike] = None) -> None:
        values = (angular_velocity, angular_acceleration, linear_acceleration, gravity)
        packed = pack_vectors(values)
        if packed is None:
            packed = pack_checked(values)
        packed.setflags(write=False)
        _set_packed(self, packed)
        _set_flag(self, False)

    @classmethod
    def from_packed(cls, packed: FloatArray, specific_force_only: bool = False) -> BaseMotion:
        """
        Wrap an array in the layout of :attr:`packed`, neither checked nor copied.

        Parameters
        ----------
        packed : ndarray of float64, C-contiguous, (12,) or (T, 12)
            The caller gives the array up: nobody may write to it afterwards.
        specific_force_only : bool
            See the class.
        """
        motion = cls.__new__(cls)
        _set_packed(motion, packed)
        _set_flag(motion, specific_force_only)
        return motion

    @classmethod
    def still(cls, gravity_magnitude: float = STANDARD_GRAVITY) -> BaseMotion:
        """Return the level base at rest."""
        return cls(gravity=(0.0, 0.0, -_magnitude(gravity_magnitude)))

    @classmethod
    def from_roll_pitch(cls, roll: ArrayLike, pitch: ArrayLike, roll_rate: ArrayLike = 0.0,
                        pitch_rate: ArrayLike = 0.0, roll_acceleration: ArrayLike = 0.0,
                        pitch_acceleration: ArrayLike = 0.0,
                        linear_acceleration: Optional[ArrayLike] = None, *,
                        gravity_magnitude: float = STANDARD_GRAVITY) -> BaseMotion:
        """
        Convert roll and pitch with R = Ry(pitch) Rx(roll), as on a ship without yaw.

        Parameters
        ----------
        roll, pitch : array_like, () or (T,)
            In rad; positive pitch is bow down (REP-103).
        roll_rate, pitch_rate : array_like, () or (T,)
            Time derivatives, rad/s.
        roll_acceleration, pitch_acceleration : array_like, () or (T,)
            Second time derivatives, rad/s^2.
        linear_acceleration : array_like, (3,) or (T, 3), optional
            Of the base origin, in world axes (z up), m/s^2.
        gravity_magnitude : float, m/s^2
        """
        rpy, rate, acceleration = (stack_rpy(*arguments) for arguments in (
            ('', 'rad', roll, pitch), ('_rate', 'rad/s', roll_rate, pitch_rate),
            ('_acceleration', 'rad/s^2', roll_acceleration, pitch_acceleration)))
        return cls.from_rpy(rpy, rate, acceleration, linear_acceleration,
                            gravity_magnitude=gravity_magnitude)

    @classmethod
    def from_rpy(cls, rpy: ArrayLike, rpy_rate: ArrayLike, rpy_acceleration: ArrayLike,
                 linear_acceleration: Optional[ArrayLike] = None, *,
                 gravity_magnitude: float = STANDARD_GRAVITY) -> BaseMotion:
        """
        Convert roll, pitch, yaw (fixed axes, REP-103) and their time derivatives.

        Parameters
        ----------
        rpy, rpy_rate, rpy_acceleration : array_like, (3,) or (T, 3)
            In rad, rad/s, rad/s^2.
        linear_acceleration : array_like, (3,) or (T, 3), optional
            Of the base origin, in world axes (z up), m/s^2.
        gravity_magnitude : float, m/s^2
        """
        angles = [checked_vectors(name, value, unit) for name, value, unit in (
            ('rpy', rpy, 'rad'), ('rpy_rate', rpy_rate, 'rad/s'),
            ('rpy_acceleration', rpy_acceleration, 'rad/s^2'))]
        w, wd = attitude.angular_motion_from_rpy(*angles)
        R_WB = rotations.matrix_from_rpy(angles[0])
        return cls._in_world(R_WB, w, wd, linear_acceleration, gravity_magnitude)

    @classmethod
    def from_pose(cls, rotation: ArrayLike, rotation_rate: ArrayLike,
                  rotation_acceleration: ArrayLike,
                  linear_acceleration: Optional[ArrayLike] = None, *,
                  gravity_magnitude: float = STANDARD_GRAVITY) -> BaseMotion:
        """
        Convert a pose with its first and second time derivatives.

        S(w) = R^T R' and S(w') + S(w)^2 = R^T R''.  Position and velocity are not asked for:
        a rigid body does not feel them.

        Parameters
        ----------
        rotation, rotation_rate, rotation_acceleration : array_like, (3, 3) or (T, 3, 3)
            R_WB (base to world, z up: ENU or any other) with time derivatives, 1/s and 1/s^2.
        linear_acceleration : array_like, (3,) or (T, 3), optional
            Second derivative of the base origin's position, in world axes, m/s^2.
        gravity_magnitude : float, m/s^2
        """
        R_WB = checked_matrices('rotation', rotation)
        for matrix in R_WB.reshape(-1, 3, 3)[[0, -1]]:
            as_rotation('rotation', matrix)
        transposed = np.swapaxes(R_WB, -1, -2)
        w = rotations.unskew(transposed @ checked_matrices('rotation_rate', rotation_rate))
        wd = rotations.unskew(
            transposed @ checked_matrices('rotation_acceleration', rotation_acceleration))
        return cls._in_world(R_WB, w, wd, linear_acceleration, gravity_magnitude)

    @classmethod
    def from_imu(cls, angular_velocity: ArrayLike, linear_acceleration: ArrayLike,
                 angular_acceleration: Optional[ArrayLike] = None,
                 orientation_xyzw: Optional[ArrayLike] = None,
                 R_BI: Optional[ArrayLike] = None, p_BI: Optional[ArrayLike] = None, *,
                 gravity_magnitude: float = STANDARD_GRAVITY) -> BaseMotion:
        """
        Convert what an IMU measures (REP-145), mounted anywhere on the base.

        Parameters
        ----------
        angular_velocity : array_like, (3,) or (T, 3)
            In the IMU's frame I, rad/s.
        linear_acceleration : array_like, (3,) or (T, 3)
            Specific force in I, m/s^2: +g up at rest.
        angular_acceleration : array_like, (3,) or (T, 3), optional
            In I, rad/s^2.  Needed where ``p_BI`` is not zero; else None means zero.
        orientation_xyzw : array_like, (4,) or (T, 4), optional
            Of I in a world with z up.  Without it gravity cannot be told from acceleration,
            and the result is marked ``specific_force_only``.
        R_BI : array_like, (3, 3), optional
            Mounting: rotation from I to base axes.  None means parallel.
        p_BI : array_like, (3,), optional
            Lever arm: the IMU's place in base axes, m.  None means at the origin.
        gravity_magnitude : float, m/s^2
        """
        lever = np.zeros(3) if p_BI is None else as_vector('p_BI', p_BI, 3, 'm')
        R = np.eye(3) if R_BI is None else as_rotation('R_BI', R_BI)
        if angular_acceleration is None and lever.any():
            raise InputError('angular_acceleration', 'is needed to move the acceleration along '
                             'the lever arm p_BI; give zeros to neglect it')
        force = checked_vectors('linear_acceleration', linear_acceleration, 'm/s^2')
        if orientation_xyzw is None:
            gravity: FloatArray = np.zeros(3)
        else:
            quat = checked_vectors('orientation_xyzw', orientation_xyzw, '', 4)
            if (np.abs(np.linalg.norm(quat, axis=-1) - 1) > 0.1).any():
                raise InputError('orientation_xyzw', 'is not a unit quaternion')
            gravity = rotations.rotate_back(
                rotations.matrix_from_quat(quat), [0.0, 0.0, -_magnitude(gravity_magnitude)])
        at_sensor = cls(angular_velocity, angular_acceleration, force + gravity, gravity)
        motion = at_sensor.transformed(R.T, -R.T @ lever)
        _set_flag(motion, orientation_xyzw is None)
        return motion

    @classmethod
    def _in_world(cls, R_WB: FloatArray, w: FloatArray, wd: FloatArray,
                  acceleration_W: Optional[ArrayLike], gravity_magnitude: float) -> BaseMotion:
        """Bring acceleration and gravity from world to base axes."""
        gravity = rotations.rotate_back(R_WB, [0.0, 0.0, -_magnitude(gravity_magnitude)])
        if acceleration_W is None:
            return cls(w, wd, None, gravity)
        acceleration = checked_vectors('linear_acceleration', acceleration_W, 'm/s^2')
        return cls(w, wd, rotations.rotate_back(R_WB, acceleration), gravity)

    def transformed(self, R_BA: ArrayLike, p_BA: ArrayLike) -> BaseMotion:
        """
        Describe the same rigid body's motion at another frame A fixed to it.

        Parameters
        ----------
        R_BA : array_like, (3, 3)
            Rotation from A to B.
        p_BA : array_like, (3,)
            Origin of A in B, m.

        Returns
        -------
        BaseMotion
            With a_A = a + w' x p + w x (w x p), all in A.
        """
        R, p = as_rotation('R_BA', R_BA), as_vector('p_BA', p_BA, 3, 'm')
        w, wd = self.angular_velocity, self.angular_acceleration
        a = self.linear_acceleration + (
            rotations.cross(wd, p) + rotations.cross(w, rotations.cross(w, p)))
        packed = np.concatenate([w @ R, wd @ R, a @ R, self.gravity @ R], axis=-1)
        packed.setflags(write=False)
        return BaseMotion.from_packed(packed, self.specific_force_only)

    @property
    def angular_velocity(self) -> FloatArray:
        """Angular velocity, (3,) or (T, 3), rad/s, base frame."""
        return self.packed[..., 0:3]

    @property
    def angular_acceleration(self) -> FloatArray:
        """Angular acceleration, (3,) or (T, 3), rad/s^2, base frame."""
        return self.packed[..., 3:6]

    @property
    def linear_acceleration(self) -> FloatArray:
        """Acceleration of the base origin without gravity, (3,) or (T, 3), m/s^2, base frame."""
        return self.packed[..., 6:9]

    @property
    def gravity(self) -> FloatArray:
        """Gravity, (3,) or (T, 3), m/s^2, base frame; points down."""
        return self.packed[..., 9:12]

    @property
    def specific_force(self) -> FloatArray:
        """What an ideal accelerometer at the base origin reads: a - g, m/s^2, base frame."""
        return self.packed[..., 6:9] - self.packed[..., 9:12]

    @property
    def is_series(self) -> bool:
        """Whether this holds T samples instead of one."""
        return self.packed.ndim == 2

    def __len__(self) -> int:
        if self.packed.ndim != 2:
            raise TypeError('a BaseMotion of one instant has no length')
        return int(self.packed.shape[0])

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: Any) -> BaseMotion:
        if self.packed.ndim != 2:
            raise TypeError('a BaseMotion of one instant cannot be indexed')
        return BaseMotion.from_packed(self.packed[index], self.specific_force_only)

    def __iter__(self) -> Iterator[BaseMotion]:
        return (self[i] for i in range(len(self)))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f'BaseMotion is immutable; build a new one instead of setting {name}')

    def __reduce__(self) -> tuple[Any, ...]:
        return BaseMotion.from_packed, (self.packed, self.specific_force_only)

    def __repr__(self) -> str:
        if self.is_series:
            return f'BaseMotion(series of {len(self)})'
        parts = (f'{name}={np.array2string(self.packed[3 * i:3 * i + 3], precision=6)}'
                 for i, name in enumerate(FIELDS))
        return f'BaseMotion({", ".join(parts)})'


def _magnitude(gravity: float) -> float:
    return as_scalar('gravity_magnitude', gravity, 0.0, unit='m/s^2')


_set_packed: Any = vars(BaseMotion)['packed'].__set__  # past the refusing __setattr__
_set_flag: Any = vars(BaseMotion)['specific_force_only'].__set__


class BaseMotionSeries:
    """
    Base motion over time.

    Parameters
    ----------
    time : array_like, (T,)
        In s, strictly increasing.
    motion : BaseMotion
        A series of T samples.
    """

    __slots__ = ('time', 'motion')

    def __init__(self, time: ArrayLike, motion: BaseMotion) -> None:
        self.time = increasing_time('time', time)
        if not motion.is_series or len(motion) != len(self.time):
            raise InputError('motion', f'expected a series of {len(self.time)} samples as in '
                                       f'time, got {motion!r}')
        self.motion = motion

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, index: slice) -> BaseMotionSeries:
        return BaseMotionSeries(self.time[index], self.motion[index])
