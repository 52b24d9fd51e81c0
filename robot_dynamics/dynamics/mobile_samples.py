"""Bring the state of a mobile robot to the form that kernels take: joints, pose and deck."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, FloatArray
from robot_dynamics.dynamics.samples import gather, Samples
from robot_dynamics.motion.base_motion import BaseMotion

POSE_UNIT = 'm, m, rad'


def gather_mobile(nv: int, names: Sequence[str], values: Sequence[Any],
                  base: Optional[BaseMotion], pose: Any, still: FloatArray
                  ) -> Tuple[Samples, FloatArray]:
    """
    Check joint arrays, deck motion and pose, as :func:`~.samples.gather` does without pose.

    Returns
    -------
    samples : Samples
    pose : ndarray, (3,), or (1, 3) or (T, 3) beside T samples

    Raises
    ------
    InputError
        Also if the deck moves or tilts and there is no pose: where the platform stands then
        makes a difference.
    """
    samples = gather(names, values, nv, base, still)
    if pose is None:
        if base is not None and not pose_makes_no_difference(samples.base):
            raise InputError('pose', 'is missing, but the deck moves or tilts; give x, y [m] and '
                                     'heading [rad] of the platform in the deck frame')
        at = np.zeros(3)
    else:
        series = np.ndim(pose) == 2
        at = as_array('pose', pose, (None, 3) if series else (3,), POSE_UNIT)
        if series and samples.number is None:
            count = len(at)
            arrays = tuple(np.broadcast_to(array, (count, nv)) for array in samples.arrays)
            samples = Samples(arrays, np.atleast_2d(samples.base), count)
        if series and len(at) not in (1, samples.number):
            raise InputError('pose', f'has {len(at)} samples where the others have '
                                     f'{samples.number}')
    return samples, at if samples.number is None else np.atleast_2d(at)


def pose_makes_no_difference(packed: FloatArray) -> bool:
    """Whether a deck (12,) or (T, 12) neither turns nor is accelerated or pulled sideways."""
    return not packed[..., :8].any() and not packed[..., 9:11].any()
