"""An estimator that takes no samples of a sensor that has failed its self-test."""

from __future__ import annotations

from typing import Any, Optional

from robot_dynamics.estimation.protocol import BaseEstimate, BaseMotionSource
from robot_dynamics.imu.sample import ImuSample, Rejection, RejectionReason
from robot_dynamics.imu.sensor_self_test import SensorSelfTest


class SelfTested:
    """
    Passes samples on until the self-test finds a mistake, and afterwards none.

    Parameters
    ----------
    estimator : BaseMotionSource
        Everything else is its own.
    test : SensorSelfTest
    """

    def __init__(self, estimator: BaseMotionSource, test: SensorSelfTest) -> None:
        self._estimator = estimator
        self.test = test

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        if not self.test.finished:
            self.test.add(sample)
        if self.test.suspicion is not None:
            return Rejection(RejectionReason.SELF_TEST, 'the self-test of the sensor has failed: '
                             + self.test.suspicion.text)
        return self._estimator.update(sample)

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant, past the last sample or not."""
        return self._estimator.at(stamp_ns)

    def reset(self) -> None:
        """Forget all samples, and test the sensor again."""
        self.test.reset()
        self._estimator.reset()

    def __getattr__(self, name: str) -> Any:
        if name == '_estimator':  # while it is being unpickled or copied
            raise AttributeError(name)
        return getattr(self._estimator, name)
