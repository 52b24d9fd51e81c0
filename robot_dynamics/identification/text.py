"""The result in words and tables, for the terminal and the report."""

from __future__ import annotations

import math
import textwrap
from typing import List, Tuple

import numpy as np

from robot_dynamics.core.table import table
from robot_dynamics.identification.result import Identification, KNOWN, PARTLY
from robot_dynamics.replay.formatting import number, told, WIDTH

JOINT_HEADER = ('joint', 'unit', 'measured', 'described', '+ friction', 'identified',
                'uncertainty', 'rotor', 'viscous', 'Coulomb', 'offset')
BODY_HEADER = ('body', 'mass kg', 'described', 'centre m', 'described', 'known')


def headline(result: Identification) -> str:
    """Return what was learned from what, in one line."""
    training = result.training
    base = 'on a moving base' if training.base_known else 'on a base assumed level and still'
    return (f'{result.described.name} {base}, learned from {training.duration:.1f} s of '
            f'{", ".join(training.recordings)}; tried on {training.validation}')


def verdict(result: Identification) -> List[str]:
    """Return what the validation says."""
    validation = result.validation
    if not len(validation.time):
        return ['Nothing was held back, so nothing says how good the model is.']
    described, friction, identified = (
        100 * validation.relative(name) for name in ('described', 'with_friction', 'identified'))
    deviation, torque = result.trust
    sure = 100 * np.sqrt(np.sum(deviation**2) / max(np.sum(torque**2), 1e-300))
    return [f'Torque error on {result.training.validation}: {described:.2f} % as described, '
            f'{friction:.2f} % with fitted friction, {identified:.2f} % identified (RMS, below '
            f'{result.training.cutoff:g} Hz, all joints).',
            f'All over the ranges of its joints its torque is known to {sure:.2g} % (one standard '
            f'deviation); {100 * validation.coverage():.0f} % of the errors held back lie within '
            'two.']


def joint_rows(result: Identification) -> List[Tuple[str, ...]]:
    """Return cells under :data:`JOINT_HEADER`; torques are RMS."""
    validation = result.validation
    measured = np.sqrt(np.mean(validation.measured**2, axis=0)) if len(validation.time) else \
        np.full(result.described.nv, math.nan)
    errors = [validation.error(name) for name in ('described', 'with_friction', 'identified')]
    rows = []
    for j, joint in enumerate(result.described.joints):
        losses = result.identified.joints[joint.name]
        rows.append((joint.name, 'N' if joint.kind == 'prismatic' else 'N m',
                     number(float(measured[j])), *(number(float(error[j])) for error in errors),
                     number(float(result.trust[0][j])), number(losses.rotor_inertia),
                     number(losses.viscous), number(losses.coulomb), number(losses.offset)))
    return rows


def body_rows(result: Identification) -> List[Tuple[str, ...]]:
    """Return cells under :data:`BODY_HEADER`."""
    rows: List[Tuple[str, ...]] = []
    for name in result.layout.bodies:
        own = [item for item in result.parameters if item.element == name][:10]
        known = sum(item.knowledge == KNOWN for item in own)
        partly = sum(item.knowledge == PARTLY for item in own)
        mass = own[0]
        rows.append((name, _with_error(mass.identified, mass.error), number(mass.described),
                     ' '.join(f'{item.identified:.3f}' for item in own[1:4]),
                     ' '.join(f'{item.described:.3f}' for item in own[1:4]),
                     f'{known} of 10' + (f', {partly} partly' if partly else '')))
    return rows


def text_report(result: Identification) -> str:
    """Return the result as text for a terminal."""
    joints, bodies = (textwrap.indent(table(header, rows), '   ') for header, rows in (
        (JOINT_HEADER, joint_rows(result)), (BODY_HEADER, body_rows(result))))
    lines = [*textwrap.wrap(headline(result), WIDTH), '', *told(result.findings), '', joints,
             '   RMS torques of what was held back, and errors of each model; uncertainty: one '
             'standard deviation', '   of the identified torque all over the range', '', bodies,
             '']
    for sentence in verdict(result):
        lines += textwrap.wrap(sentence, WIDTH)
    return '\n'.join(lines)


def _with_error(value: float, error: float) -> str:
    if not math.isfinite(error):
        return f'{value:.3g} held'
    return f'{value:.2f} ± {error:.2f}'
