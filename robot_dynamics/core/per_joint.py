"""Spread list parameters over the joints."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray


def per_joint(name: str, values: Sequence[float], joints: Sequence[str],
              default: Any = 0.0) -> FloatArray:
    """
    Spread a list parameter over the joints.

    Parameters
    ----------
    name : str
        Name of the parameter, for the error.
    values : sequence of float
        Empty (the default), one value for all joints, or one per joint.
    joints : sequence of str
        Joint names in order.
    default : float or (n,) array
        Taken where ``values`` is empty.

    Returns
    -------
    (n,) float64 array
    """
    if len(values) not in (0, 1, len(joints)):
        raise ConfigurationError(
            f'{name}: has {len(values)} values, expected one, or one for each of the '
            f'{len(joints)} joints ({", ".join(joints)})')
    source = values if len(values) else default
    return np.array(np.broadcast_to(np.asarray(source, dtype=np.float64), (len(joints),)))
