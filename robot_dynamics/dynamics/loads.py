"""Loads on links that come and go at run time: payloads and external wrenches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, as_matrix3, as_scalar, as_vector, FloatArray
from robot_dynamics.model.robot_model import RobotModel


@dataclass(frozen=True)
class ExternalWrench:
    """Force and moment of the environment on a link, at the origin of the link's frame."""

    wrench: ArrayLike  #: (6,) or (T, 6), force [N], then moment [N m]
    #: 'link' for components in the link's axes, 'base' for those of the robot's base
    frame: str = 'link'


ExternalWrenches = Mapping[str, Union[ArrayLike, ExternalWrench]]


@dataclass(frozen=True)
class Payload:
    """A rigid load: the body that carries it and ten inertial parameters in its frame."""

    link: str
    body: int
    parameters: FloatArray  # mass, com (3), inertia xx xy xz yy yz zz about the com

    @classmethod
    def at_link(cls, model: RobotModel, link: str, mass: float, com: ArrayLike,
                inertia: ArrayLike) -> Payload:
        """
        Express a load given in a link's frame in the frame of the body it moves with.

        Raises
        ------
        InputError
            If the mass is negative, or the inertia not symmetric and positive semidefinite.
        UnknownNameError
            If there is no such link.
        """
        frame = model.frame(link)
        mass = as_scalar('mass', mass, minimum=0.0, unit='kg')
        com = frame.p_BL + frame.R_BL @ as_vector('com', com, 3, 'm')
        tensor = as_matrix3('inertia', inertia, 'kg m^2')
        scale = max(np.abs(tensor).max(), 1e-300)
        if np.abs(tensor - tensor.T).max() > 1e-9 * scale:
            raise InputError('inertia', 'is not symmetric')
        if np.linalg.eigvalsh(tensor)[0] < -1e-9 * scale:
            raise InputError('inertia', 'has a negative principal moment')
        if mass == 0.0 and tensor.any():
            raise InputError('inertia', 'belongs to a load without mass; set the mass, too')
        turned = frame.R_BL @ tensor @ frame.R_BL.T
        return cls(link, frame.body, np.array([
            mass, *com, turned[0, 0], turned[0, 1], turned[0, 2], turned[1, 1], turned[1, 2],
            turned[2, 2]]))


def checked_wrench(link: str, value: Any) -> Tuple[FloatArray, bool]:
    """Return the components of a wrench, (6,) or (T, 6), and whether they are in base axes."""
    frame = 'link'
    if isinstance(value, ExternalWrench):
        frame, value = value.frame, value.wrench
    name = f'external_wrenches[{link!r}]'
    if frame not in ('link', 'base'):
        raise InputError(name, f"frame {frame!r} does not exist; choose 'link' or 'base'")
    array = as_array(name, value, (None, 6) if np.ndim(value) == 2 else (6,), 'N and N m')
    return array, frame == 'base'
