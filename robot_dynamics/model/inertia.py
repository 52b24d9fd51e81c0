"""
Arithmetic of rigid-body inertia: moving it to another frame, and adding bodies up.

Steiner's theorem in the form I_P = I_C + m (d.d 1 - d d^T), d from P to the centre of mass C.
"""

from __future__ import annotations

from typing import Any, Iterable, List

import numpy as np

from robot_dynamics.core.errors import InputError, ModelError
from robot_dynamics.core.gate import as_matrix3, as_scalar, as_vector, FloatArray
from robot_dynamics.model.elements import Inertial

_ROUNDING = 1e-9  # of the largest entry


def as_inertial(argument: str, mass: Any, com: Any, inertia: Any) -> Inertial:
    """
    Check mass (kg), centre of mass (m) and inertia about it (kg m^2) of a possible body.

    ``argument`` stands before their names in errors.  Points and rods are possible bodies.

    Raises
    ------
    InputError
        If a number is not finite, the mass or a principal moment is negative, or the tensor is
        not symmetric.
    """
    tensor = as_matrix3(f'{argument}inertia', inertia, 'kg m^2')
    scale = float(np.abs(tensor).max())
    if np.abs(tensor - tensor.T).max() > _ROUNDING * scale:
        raise InputError(f'{argument}inertia', 'is not symmetric')
    if np.linalg.eigvalsh(tensor)[0] < -_ROUNDING * scale:
        raise InputError(f'{argument}inertia', 'is not positive semidefinite')
    return Inertial(as_scalar(f'{argument}mass', mass, minimum=0.0, unit='kg'),
                    as_vector(f'{argument}com', com, 3, 'm'), tensor)


def steiner(mass: float, offset: FloatArray) -> FloatArray:
    """
    Inertia of a point mass about a point at ``offset`` from it.

    Parameters
    ----------
    mass : float, kg
    offset : ndarray, (3,), m

    Returns
    -------
    ndarray, (3, 3)
        In kg m^2.
    """
    return np.asarray(mass * (offset @ offset * np.eye(3) - np.outer(offset, offset)))


def inertia_about_origin(inertial: Inertial) -> FloatArray:
    """Inertia tensor about the origin of the body's frame, (3, 3), kg m^2, body axes."""
    return inertial.inertia + steiner(inertial.mass, inertial.com)


def placed(inertial: Inertial, R_BL: FloatArray, p_BL: FloatArray) -> Inertial:
    """
    Express the inertia of a link L in the frame of the body B that it is fixed to.

    Parameters
    ----------
    inertial : Inertial
        In the frame L.
    R_BL : ndarray, (3, 3)
        Orientation of L in B.
    p_BL : ndarray, (3,)
        Origin of L in B, m.
    """
    if np.array_equal(R_BL, np.eye(3)):  # exactly the given numbers where nothing turns
        return Inertial(inertial.mass, inertial.com + p_BL, inertial.inertia)
    inertia = R_BL @ inertial.inertia @ R_BL.T
    return Inertial(inertial.mass, R_BL @ inertial.com + p_BL, 0.5 * (inertia + inertia.T))


def combined(inertials: Iterable[Inertial], element: str = 'body') -> Inertial:
    """
    Add up bodies that move as one, all expressed in the same frame.

    Raises
    ------
    ModelError
        If masses of both signs cancel, so that there is no centre of mass, or overflow.
    """
    parts = [part for part in inertials if not part.is_zero]
    with np.errstate(over='ignore', invalid='ignore'):
        total = _sum(parts, element)
    if not (np.isfinite(total.mass) and np.isfinite(total.com).all()
            and np.isfinite(total.inertia).all()):
        raise ModelError(element, 'its merged mass or inertia overflows',
                         'check the units: kg, m, kg m^2')
    return total


def _sum(parts: List[Inertial], element: str) -> Inertial:
    if len(parts) <= 1:  # exactly the given numbers where nothing is added
        return parts[0] if parts else Inertial()
    mass = float(sum(part.mass for part in parts))
    moment = np.sum([part.mass * part.com for part in parts], axis=0)
    if mass == 0.0 and moment.any():
        raise ModelError(element, 'its masses cancel to zero, it has no centre of mass',
                         'correct the negative mass')
    com = moment / mass if mass else moment
    inertia = np.sum([part.inertia + steiner(part.mass, part.com - com) for part in parts], axis=0)
    return Inertial(mass, com, inertia)
