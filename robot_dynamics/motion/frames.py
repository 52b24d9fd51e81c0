"""
Axes of robots against axes of ships.

ROS bodies are FLU (x forward, y left, z up) in an ENU world (REP-103); marine instruments use
FRD bodies in a NED world, and ROS marks such frames with the suffix ``_ned``.  Between the two,
roll keeps its sign while pitch and yaw flip: bow UP is positive pitch in NED, bow DOWN in FLU.
Every conversion here is its own inverse.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.core.gate import FloatArray

R_FLU_FRD = np.diag([1.0, -1.0, -1.0])
R_ENU_NED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
R_NWU_NED = R_FLU_FRD
R_FLU_FRD.flags.writeable = R_ENU_NED.flags.writeable = False

_WORLDS = {'enu': R_ENU_NED, 'nwu': R_NWU_NED}


def is_ned(frame_id: str) -> bool:
    """Say whether a frame's name marks it as NED (suffix ``_ned``)."""
    return frame_id.endswith('_ned')


def swap_body(vector: ArrayLike) -> FloatArray:
    """Re-express a body vector, (..., 3), from FRD to FLU axes or back: y and z flip."""
    result: FloatArray = np.asarray(vector, dtype=np.float64) * np.array([1.0, -1.0, -1.0])
    return result


def swap_matrix(R: ArrayLike, world: str = 'enu') -> FloatArray:
    """
    Orientation of an FRD body in NED to that of the FLU body in ENU, or back.

    Parameters
    ----------
    R : array_like, (..., 3, 3)
    world : {'enu', 'nwu'}
        The z-up world: ``enu`` as REP-103 wants it, or ``nwu``, which keeps x north.
    """
    if world not in _WORLDS:
        raise UnknownNameError('world frame', world, _WORLDS)
    return np.asarray(_WORLDS[world] @ np.asarray(R, dtype=np.float64) @ R_FLU_FRD)
