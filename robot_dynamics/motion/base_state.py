"""The motion of what a robot stands on, and where on it the robot stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, FloatArray
from robot_dynamics.motion.base_motion import BaseMotion


@dataclass(frozen=True, eq=False)
class BaseState:
    """
    What the dynamics of a robot that drives need to know of its ground.

    Parameters
    ----------
    motion : BaseMotion
        Of the deck, at the origin of the deck's frame; by default level ground at rest.
    pose : array_like, (n,) or (T, n), optional
        Of the robot on the deck, as its support has it: x, y [m] and heading [rad] of a
        platform.  None where it makes no difference: on level ground, or for a fixed mount.

    Attributes
    ----------
    packed : ndarray, (n + 12,) or (T, n + 12)
        Pose, then the four vectors of the motion; read-only.

    Raises
    ------
    InputError
        If the pose is not finite, or both are series and differ in length.
    """

    motion: BaseMotion = field(default_factory=BaseMotion)
    pose: Optional[ArrayLike] = None
    packed: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.motion, BaseMotion):
            raise InputError('base', f'holds a {type(self.motion).__name__} for its motion, '
                                     'expected a BaseMotion')
        packed = self.motion.packed
        if self.pose is not None:
            series = np.ndim(self.pose) == 2
            pose = as_array('pose', self.pose, (None, None) if series else (None,), 'm, m, rad')
            counts = {len(part) for part in (pose, packed) if part.ndim == 2} - {1}
            if len(counts) > 1:
                raise InputError('pose', f'has {len(pose)} samples where the motion has '
                                         f'{len(packed)}')
            if pose.ndim != packed.ndim or counts:
                rows = (max(counts, default=1),)
                pose = np.broadcast_to(pose, rows + pose.shape[-1:])
                packed = np.broadcast_to(packed, (*rows, 12))
            packed = np.concatenate([pose, packed], axis=-1)
            packed.setflags(write=False)
            object.__setattr__(self, 'pose', packed[..., :-12])
        object.__setattr__(self, 'packed', packed)

    @classmethod
    def of_one(cls, motion: BaseMotion, pose: FloatArray) -> BaseState:
        """Return a state of one sample whose pose (n,) was checked before: for fast loops."""
        state = object.__new__(cls)
        packed = np.concatenate((pose, motion.packed))
        for name, value in (('motion', motion), ('pose', pose), ('packed', packed)):
            object.__setattr__(state, name, value)
        return state

    @property
    def specific_force_only(self) -> bool:
        """As that of the motion."""
        return self.motion.specific_force_only

    def __getitem__(self, index: Any) -> BaseState:
        pose = self.pose
        if pose is not None and np.asarray(pose).ndim == 2:
            pose = np.asarray(pose)[index]
        return BaseState(self.motion[index] if self.motion.is_series else self.motion, pose)
