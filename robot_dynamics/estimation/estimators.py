"""The estimators by name, as parameters choose them."""

from __future__ import annotations

from typing import Optional

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.estimation.adaptive import settings
from robot_dynamics.estimation.adaptive.compiling import compiled, constants
from robot_dynamics.estimation.adaptive.motion_estimator import AdaptiveEstimator
from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY

ADAPTIVE, SAVITZKY_GOLAY = 'adaptive', 'savitzky_golay'
ESTIMATORS = (ADAPTIVE, SAVITZKY_GOLAY)


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
        Of ``savitzky_golay``: time that it looks back, s; 0 is its own.
    self_maintaining : bool
        Whether taking samples also does work that could wait; otherwise call ``maintain()``.
    """
    if name not in ESTIMATORS:
        raise UnknownNameError('estimator', name, ESTIMATORS)
    if name == SAVITZKY_GOLAY:
        chosen = {'window': window} if window else {}
        return SavitzkyGolayEstimator(
            mounting=mounting, gravity_magnitude=gravity_magnitude, **chosen)
    if window:
        raise ConfigurationError(f'window: {window:g} s is for {SAVITZKY_GOLAY}; the estimator '
                                 f'{name} finds out itself how far to look back; leave it at 0')
    return AdaptiveEstimator(mounting, gravity_magnitude, self_maintaining=self_maintaining)


def warm_up_estimator(name: str) -> None:
    """Compile and work out what an estimator needs, whatever its sensor (seconds), ahead of it."""
    if name == ADAPTIVE:
        compiled()
        for step in settings.STEPS:
            constants(step)
