"""An estimator that takes samples only of a frame that fits the mounting it was given."""

from __future__ import annotations

from typing import Any, Collection, Optional

from robot_dynamics.estimation.protocol import BaseEstimate, BaseMotionSource
from robot_dynamics.imu.sample import ImuSample, Rejection, RejectionReason


class FrameChecked:
    """
    Passes samples on if they name the expected frame, or none that is known to lie elsewhere.

    Parameters
    ----------
    estimator : BaseMotionSource
        Everything else is its own.
    frame_id : str
        The frame that the mounting belongs to; empty: any but those ``elsewhere``.  A leading
        slash does not count.
    elsewhere : collection of str
        Frames whose pose is known, and is not that of the mounting.
    """

    def __init__(self, estimator: BaseMotionSource, frame_id: str,
                 elsewhere: Collection[str] = ()) -> None:
        self._estimator = estimator
        self.frame_id = frame_id.lstrip('/')
        self._elsewhere = frozenset(elsewhere)

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""
        frame = sample.frame_id.lstrip('/')
        if not self.frame_id:
            if frame in self._elsewhere:
                return Rejection(
                    RejectionReason.WRONG_FRAME, f'the description puts its frame {frame!r} '
                    'elsewhere than the parameters of the mounting; set imu.link to take the '
                    'pose of the description, or imu.frame_id to insist on the parameters')
        elif frame != self.frame_id:
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
