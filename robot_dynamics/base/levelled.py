"""
An estimator for bases that do not stand upright: it works in a frame that does.

Roll and pitch cannot describe a base on a wall, whose pitch is ninety degrees.  Where the first
sample shows such a base, the wrapped estimator gets base axes that are turned upright, and what it
finds is turned back.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.base.estimator import BaseEstimate, BaseMotionSource
from robot_dynamics.base.imu_sample import check_sample, ImuSample, Rejection
from robot_dynamics.base.mounting import ImuMounting
from robot_dynamics.motion import rotations
from robot_dynamics.motion.base_motion import BaseMotion

FloatArray = NDArray[np.float64]

_STEEP = math.cos(math.radians(50.0))  # up against the z axis, beyond which axes are turned


class Levelled:
    """
    Gives an estimator axes in which the base stands upright.

    Parameters
    ----------
    mounting : ImuMounting
        Of the sensor on the base.
    make : callable
        Returns the estimator for a mounting.
    """

    def __init__(self, mounting: ImuMounting, make: Callable[[ImuMounting], BaseMotionSource]
                 ) -> None:
        self._mounting, self._make = mounting, make
        self._upright = self._estimator = make(mounting)
        self._R_LB: Optional[FloatArray] = None  # from base axes to upright ones
        self._decided = False

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        if not self._decided and check_sample(sample) is None:
            self._decide(self._up(sample))
        return self._estimator.update(sample)

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant, past the last sample or not."""
        estimate = self._estimator.at(stamp_ns)
        R_LB = self._R_LB
        if R_LB is None:
            return estimate
        turned = (estimate.motion.packed.reshape(4, 3) @ R_LB).ravel()
        return BaseEstimate(
            BaseMotion.from_packed(turned, estimate.motion.specific_force_only), estimate.level,
            lambda: _turned_covariance(estimate, R_LB))

    def reset(self) -> None:
        """Forget all samples, and how the base stands."""
        self._estimator.reset()
        self._estimator, self._R_LB, self._decided = self._upright, None, False

    def _up(self, sample: ImuSample) -> FloatArray:
        """Return up in base axes, (3,), as far as one sample tells."""
        numbers = self._mounting.to_base(sample)
        if sample.has_orientation:
            return rotations.matrix_from_quat(numbers[6:10])[2]
        force = np.array(numbers[3:6])
        size = float(np.linalg.norm(force))
        return force / size if size > 1.0 else np.array([0.0, 0.0, 1.0])

    def _decide(self, up: FloatArray) -> None:
        self._decided = True
        if abs(float(up[2])) > _STEEP:
            return
        # the shortest turn that brings up to z
        axis = np.cross(up, [0.0, 0.0, 1.0])
        self._R_LB = rotations.exp(axis / np.linalg.norm(axis) * math.acos(float(up[2])))
        self._estimator = self._make(ImuMounting(
            self._R_LB @ self._mounting.R_BI, self._R_LB @ np.array(self._mounting.p_BI),
            self._mounting.ned))

    def __getattr__(self, name: str) -> Any:
        if name == '_estimator':  # while it is being unpickled or copied
            raise AttributeError(name)
        return getattr(self._estimator, name)


def _turned_covariance(estimate: BaseEstimate, R_LB: FloatArray) -> FloatArray:
    covariance = estimate.covariance
    if covariance is None:
        return np.full((12, 12), np.nan)
    turn = np.kron(np.eye(4), R_LB.T)
    turned: FloatArray = turn @ covariance @ turn.T
    return turned
