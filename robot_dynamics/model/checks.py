"""
Physical checks of the merged bodies: can they exist, is every acceleration determined.

They run on merged bodies because many real files have odd single links that add up to sound ones.
"""

from __future__ import annotations

from typing import List, Sequence, Tuple

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.formatting import listed
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.coordinate_inertia import undetermined_coordinates
from robot_dynamics.model.elements import Body, Inertial, Note

_ROUNDING = 1e-9  # of the largest principal moment
_POINT = 1e-12  # m^2, radius of gyration squared: a moment below mass times this is zero
_TRIANGLE_TOLERANCE = 1e-6  # of the largest principal moment: files print few digits


def impossibilities(inertial: Inertial) -> List[str]:
    """
    Say what is physically impossible about a body's mass and inertia.

    A mass must be positive, an inertia tensor about the centre of mass positive definite, and its
    largest principal moment at most the sum of the other two (triangle inequality).
    """
    found = []
    if inertial.mass <= 0.0:
        found.append('has no mass' if inertial.mass == 0.0
                     else f'has the negative mass {inertial.mass:g} kg')
    moments = np.linalg.eigvalsh(inertial.inertia)
    smallest, middle, largest = (float(value) for value in moments)
    zero = _ROUNDING * max(abs(smallest), abs(largest)) + _POINT * abs(inertial.mass)
    shown = f'principal moments {smallest:.4g}, {middle:.4g}, {largest:.4g} kg m^2'
    if inertial.is_zero:
        return found
    if smallest < -zero:
        found.append(f'its inertia is not positive definite ({shown})')
    elif smallest <= zero:
        found.append(f'its inertia is not positive definite ({shown}): like that of a point or '
                     'a thin rod')
    elif largest > smallest + middle + _TRIANGLE_TOLERANCE * largest:
        found.append(f'its inertia is against the triangle inequality ({shown})')
    return found


def check_physics(base_link: str, base_inertial: Inertial, bodies: Sequence[Body],
                  joint_names: Tuple[str, ...], rotor_inertia: FloatArray,
                  strict: bool) -> List[Note]:
    """
    Check the base and every moving body.

    Parameters
    ----------
    base_inertial : Inertial
        A base without mass is in order.
    joint_names : tuple of str
        Of the independent coordinates.
    rotor_inertia : ndarray, (nv,)
        Reflected to the joints, kg m^2 or kg; what has some may be massless otherwise.
    strict : bool
        Raise instead of noting.

    Raises
    ------
    ModelError
        If no joint moves anything that has inertia, so that every torque would be zero; and with
        ``strict`` for every impossibility.

    Notes
    -----
    A joint that moves nothing with inertia beside others that do is noted: its torque is zero,
    only its acceleration is undetermined, and forward dynamics refuses it.
    """
    named = [] if base_inertial.is_zero else [(base_link, base_inertial)]
    named += [(body.name, body.inertial) for body in bodies]
    notes = [Note('warning', f"link '{name}'", text)
             for name, inertial in named for text in impossibilities(inertial)]
    weightless = undetermined_coordinates(bodies, rotor_inertia)
    if weightless:
        error = undetermined(bodies, joint_names, weightless)
        if len(weightless) == len(joint_names):
            raise error
        notes.append(Note('warning', error.element, f'{error.problem}; its torque is zero'))
    if strict and notes:
        more = f' (and {len(notes) - 1} more)' if len(notes) > 1 else ''
        raise ModelError(notes[0].element, notes[0].text + more,
                         'correct its <inertial> and those of the links fixed to it, or load '
                         'with `strict=False`')
    return notes


def undetermined(bodies: Sequence[Body], joint_names: Tuple[str, ...],
                 coordinates: Sequence[int]) -> ModelError:
    """Word the error of joints whose acceleration is undetermined."""
    weightless = [joint_names[k] for k in coordinates]
    link = next(body.name for body in bodies if body.joint.name == weightless[0])
    return ModelError(
        f"link '{link}'", f"nothing that joint '{weightless[0]}' moves has inertia along it, so "
        'its acceleration is undetermined'
        + (f' (likewise {listed(weightless[1:])})' if weightless[1:] else ''),
        'give the links mass and inertia, hold the joints rigid (`joints`), or state their '
        '`rotor_inertia`')
