"""The estimators by name, as parameters choose them."""

from __future__ import annotations

import math
from typing import Optional

from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.estimation.motion_estimator import BaseMotionEstimator
from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY

ADAPTIVE, BLEND, SAVITZKY_GOLAY = 'adaptive', 'blend', 'savitzky_golay'
ESTIMATORS = (ADAPTIVE, BLEND, SAVITZKY_GOLAY)


def make_estimator(name: str, mounting: Optional[ImuMounting] = None,
                   gravity_magnitude: float = STANDARD_GRAVITY, window: float = 0.0,
                   self_maintaining: bool = True) -> BaseMotionSource:
    """
    Return a new estimator.

    Parameters
    ----------
    name : str
        One of :data:`ESTIMATORS`.
    mounting : ImuMounting, optional
        Where the sensor sits; None means at the base origin, parallel.
    gravity_magnitude : float
        In m/s^2.
    window : float
        Time that it looks back, s; 0 is the estimator's own.  The blend has none to choose.
    self_maintaining : bool
        Whether taking samples also does work that could wait; otherwise call ``maintain()``.
    """
    chosen = {'window': window} if window else {}
    if name == ADAPTIVE:
        return BaseMotionEstimator(mounting, gravity_magnitude, **chosen,
                                   self_maintaining=self_maintaining)
    if name == BLEND:
        from robot_dynamics.estimation.blend.motion_estimator import BlendEstimator
        return BlendEstimator(mounting, gravity_magnitude, self_maintaining=self_maintaining)
    if name == SAVITZKY_GOLAY:
        return SavitzkyGolayEstimator(
            mounting=mounting, gravity_magnitude=gravity_magnitude, **chosen)
    raise UnknownNameError('estimator', name, ESTIMATORS)


def warm_up_estimator(name: str) -> None:
    """Compile what an estimator compiles when the first samples come (seconds), ahead of them."""
    estimator = make_estimator(name)
    for k in range(6000 if name == ADAPTIVE else 8):  # a minute, in which it compiles the last
        roll = 0.1 * math.sin(0.01 * k)
        estimator.update(ImuSample(
            k * 10_000_000, (0.1 * math.cos(0.01 * k), 0.0, 0.0),
            (0.0, STANDARD_GRAVITY * math.sin(roll), STANDARD_GRAVITY * math.cos(roll)),
            (math.sin(0.5 * roll), 0.0, 0.0, math.cos(0.5 * roll))))
        estimator.at((k + 1) * 10_000_000)
