"""An estimator that takes samples of one frame only: the one whose mounting it was given."""

from __future__ import annotations

from typing import Any, Optional

from robot_dynamics.base.estimator import BaseEstimate, BaseMotionSource
from robot_dynamics.base.imu_sample import ImuSample, Rejection, RejectionReason


class FrameChecked:
    """
    Passes samples on if they name the expected frame.

    Parameters
    ----------
    estimator : BaseMotionSource
        Everything else is its own.
    frame_id : str
        The frame that the mounting belongs to; a leading slash does not count.
    """

    def __init__(self, estimator: BaseMotionSource, frame_id: str) -> None:
        self._estimator = estimator
        self.frame_id = frame_id.lstrip('/')

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        if sample.frame_id.lstrip('/') != self.frame_id:
            return Rejection(
                RejectionReason.WRONG_FRAME, f'its frame is {sample.frame_id!r}, but the '
                f'mounting is that of {self.frame_id!r}; correct the driver or imu.frame_id')
        return self._estimator.update(sample)

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant, past the last sample or not."""
        return self._estimator.at(stamp_ns)

    def reset(self) -> None:
        """Forget all samples."""
        self._estimator.reset()

    def __getattr__(self, name: str) -> Any:
        if name == '_estimator':  # while it is being unpickled or copied
            raise AttributeError(name)
        return getattr(self._estimator, name)
