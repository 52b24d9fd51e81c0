"""
Estimators that know more or less than an honest one, to show what a piece of knowledge is worth.

:class:`ExactMotion` knows the simulated ship; the others take something away from another
estimator, or are as simple as an estimator can be.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.estimation.protocol import BaseEstimate, BaseMotionSource, FULL, NONE
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import check_sample, ImuSample, NOT_REPORTED, Rejection
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.motion.level_frame import up_direction
from robot_dynamics.ship.ship_motion import ORIGIN, ShipMotion

_ANGULAR_ACCELERATION = slice(3, 6)  # of the packed motion


class ExactMotion:
    """
    The truth: what a simulated ship does, at any instant.

    Parameters
    ----------
    point : array_like, (3,)
        The arm's base from the rotation centre, deck axes, m.
    epoch_ns : int
        When the ship's time is zero, ns.
    """

    def __init__(self, ship: ShipMotion, point: ArrayLike = ORIGIN, epoch_ns: int = 0) -> None:
        self._ship, self._point, self._epoch_ns = ship, np.asarray(point).tolist(), epoch_ns

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Look at no sample."""
        return None

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant."""
        t = (stamp_ns - self._epoch_ns) * 1e-9
        return BaseEstimate(self._ship.at(t, self._point), FULL)

    def reset(self) -> None:
        """Forget nothing: nothing is kept."""

    def maintain(self) -> None:
        """Do nothing."""


class _Reduced:
    """An estimator with something taken away; everything else is its own."""

    def __init__(self, estimator: BaseMotionSource) -> None:
        self._estimator = estimator

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        return self._estimator.update(sample)

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant."""
        return self._estimator.at(stamp_ns)

    def reset(self) -> None:
        """Forget all samples."""
        self._estimator.reset()

    def maintain(self) -> None:
        """Let the estimator do what can wait."""
        self._estimator.maintain()


class WithoutPrediction(_Reduced):
    """Answers as of the last sample, however late that is."""

    _last_ns: Optional[int] = None

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        rejection = super().update(sample)
        if rejection is None:
            self._last_ns = sample.stamp_ns
        return rejection

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant, or at the last sample before it."""
        last = self._last_ns
        return super().at(stamp_ns if last is None else min(stamp_ns, last))


class WithoutAngularAcceleration(_Reduced):
    """Says that the base turns at a constant rate."""

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant, its angular acceleration zero."""
        estimate = super().at(stamp_ns)
        packed = estimate.motion.packed.copy()
        packed[_ANGULAR_ACCELERATION] = 0.0
        return BaseEstimate(BaseMotion.from_packed(
            packed, specific_force_only=estimate.motion.specific_force_only), estimate.level)


class WithoutAccelerometer(_Reduced):
    """Sees samples without their specific force."""

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        return super().update(dataclasses.replace(
            sample, linear_acceleration_covariance=NOT_REPORTED))


class BackwardDifference:
    """
    The last sample as it is, and the difference of the last two rates over their distance.

    Only for sensors that report everything.

    Parameters
    ----------
    mounting : ImuMounting, optional
        Where the sensor sits; None means at the base origin, parallel.
    gravity_magnitude : float, m/s^2
    """

    def __init__(self, mounting: Optional[ImuMounting] = None,
                 gravity_magnitude: float = STANDARD_GRAVITY) -> None:
        self._mounting = mounting or ImuMounting()
        self._gravity = gravity_magnitude
        self.reset()

    def reset(self) -> None:
        """Forget all samples."""
        self._estimate = BaseEstimate(BaseMotion.still(self._gravity), NONE)
        self._last: Optional[tuple[int, Any]] = None

    def maintain(self) -> None:
        """Do nothing."""

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        problem = check_sample(sample)
        if problem is not None:
            return problem
        numbers = self._mounting.to_base(sample)
        w, wd = np.array(numbers[0:3]), np.zeros(3)
        if self._last is not None and sample.stamp_ns > self._last[0]:
            wd = (w - self._last[1]) / ((sample.stamp_ns - self._last[0]) * 1e-9)
        force = self._mounting.force_at_origin(numbers[3:6], w.tolist(), wd.tolist())
        g = -self._gravity * np.array(up_direction(numbers[6:10]))
        self._last = sample.stamp_ns, w
        self._estimate = BaseEstimate(BaseMotion(w, wd, force + g, g), FULL)
        return None

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion of the last sample, whatever the instant."""
        return self._estimate
