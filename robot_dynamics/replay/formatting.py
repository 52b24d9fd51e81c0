"""The result in words: the sentences and table cells that text and HTML reports share."""

from __future__ import annotations

import math
import textwrap
from typing import Iterable, List, Optional, Sequence

from robot_dynamics.bags.findings import Finding, INFO, SEVERE, WARNING
from robot_dynamics.replay.result import JointStatistics, ReplayResult

WIDTH = 99  # of a line on a terminal
_MARKS = {SEVERE: '!!', WARNING: '! ', INFO: '  '}
LABELS = {
    'inertia': 'arm acceleration', 'coriolis': 'Coriolis, centrifugal',
    'gravity': 'gravity, level base', 'tilt': 'tilt of the base',
    'base_inertial': 'acceleration of the base', 'base_coriolis': 'base rotation × joint speed',
    'friction': 'friction (model)', 'rotor': 'rotors'}
"""How each cause is called in reports."""


def cause_label(name: str, gravity_known: bool) -> str:
    """Return the label of a cause; without an orientation, tilt includes acceleration."""
    if not gravity_known and name == 'tilt':
        return 'tilt and linear acceleration of the base'
    if not gravity_known and name == 'base_inertial':
        return 'angular acceleration of the base'
    return LABELS.get(name, name)


def number(value: Optional[float], digits: int = 3) -> str:
    """Return a number with significant digits, or a dash where there is none."""
    if value is None or not math.isfinite(value):
        return '-'
    if value == 0:
        return '0'
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f'{value:.{min(decimals, 4)}f}'


def share(value: float) -> str:
    """Return a share of variance in percent; all that is worse than nothing is below zero."""
    if not math.isfinite(value):
        return '-'
    if value < 0:
        return '< 0 %'
    if value > 0.9999:
        return '> 99.99 %'
    return f'{100 * value:.2f} %' if value > 0.99 else f'{100 * value:.1f} %'


def milliseconds(value: float) -> str:
    """Return a time in ms."""
    return f'{1e3 * value:+.1f}' if math.isfinite(value) else '-'


def with_error(value: float, error: float) -> str:
    """Return a value and its standard error, to the digit that the error leaves certain."""
    decimals = 4 if error <= 0 else min(max(-math.floor(math.log10(error)), 0), 4)
    return f'{value:.{decimals}f} ± {error:.{decimals}f}'


def told(findings: Iterable[Finding]) -> List[str]:
    """Return the findings as lines for a terminal, marked by how severe they are."""
    return [line for finding in findings for line in textwrap.wrap(
        str(finding), WIDTH, initial_indent=f'{_MARKS[finding.severity]} ',
        subsequent_indent='   ')]


def headline(result: ReplayResult) -> str:
    """Return what was analysed, in one line."""
    base = 'on a moving base' if result.base.known else 'on a base assumed level and still'
    return (f'{result.robot} {base}, {result.duration:.1f} s, {result.samples} joint states at '
            f'{result.rate:.0f} Hz ({result.valid_samples} used)')


def verdict(result: ReplayResult) -> List[str]:
    """Return the answers in the order of the questions: effort, causes, base."""
    return [*_agreement(result), *_causes(result), *_ship(result)]


def _agreement(result: ReplayResult) -> List[str]:
    if not result.compared:
        return ['No effort was measured, so there is nothing to compare the model with.']
    joints = [joint for joint in result.compared if joint.varied]
    still = [joint for joint in result.compared if not joint.varied and joint.measured_rms]
    resting = []
    if still:
        worst = max(still, key=lambda joint: joint.residual_rms)
        resting = [f'The torque of {", ".join(joint.name for joint in still)} hardly varied, so '
                   'how much of its variance the model explains says nothing; the residual is up '
                   f'to {number(worst.residual_rms)} of {number(worst.measured_rms)} '
                   f'{worst.unit} ({100 * worst.residual_rms / worst.measured_rms:.1f} %) at '
                   f'{worst.name}.']
    if not joints:
        return resting
    good = [joint for joint in joints if joint.explained > 0.9]
    worst = min(joints, key=lambda joint: joint.explained)
    text = (f'The model explains more than 90 % of the measured effort on {len(good)} of '
            f'{len(joints)} joints')
    if len(good) < len(joints):
        text += (f'; least on {worst.name} ({share(worst.explained)}, residual '
                 f'{number(worst.residual_rms)} of {number(worst.measured_rms)} {worst.unit})')
        if worst.explained_with_friction - worst.explained > 0.1:
            text += (f', there with fitted friction '
                     f'{share(worst.explained_with_friction)}')
    return [text + '.', *resting]


def _causes(result: ReplayResult) -> List[str]:
    moved = [joint for joint in result.joints if joint.computed_rms > 0]
    if not moved:
        return []
    heavy = max(moved, key=lambda joint: joint.computed_rms)
    name = max(heavy.cause_rms, key=lambda cause: heavy.cause_rms[cause])
    return [f'Most of the torque of the most loaded joint, {heavy.name} '
            f'({number(heavy.computed_rms)} {heavy.unit} RMS), comes from '
            f'{cause_label(name, result.base.gravity_known or not result.base.known)} '
            f'({number(heavy.cause_rms[name])} {heavy.unit}).']


def _ship(result: ReplayResult) -> List[str]:
    base = result.base
    if not base.known:
        return ['The motion of the base was not measured.']
    shaken = max(result.joints, key=lambda joint: joint.base_rms)
    text = (f'The base tilted by up to {base.roll_peak_deg:.1f} deg in roll and '
            f'{base.pitch_peak_deg:.1f} deg in pitch and caused up to '
            f'{number(shaken.base_peak)} {shaken.unit} at {shaken.name}')
    worth = [joint for joint in result.compared if math.isfinite(joint.moving_base_worth)]
    if worth:
        best = max(worth, key=lambda joint: joint.fixed_residual_rms - joint.residual_rms)
        ratio = best.moving_base_worth
        text += (f'; without it the residual of {best.name} would be '
                 f'{number(best.fixed_residual_rms)} instead of {number(best.residual_rms)} '
                 f'{best.unit} ({ratio:.1f} times)')
    return [text + '.']


HEADER = ('joint', 'unit', 'measured', 'computed', 'residual', 'explained', 'with friction',
          'fixed base', 'from base', 'scale', 'offset', 'lag ms', 'viscous', 'Coulomb')
"""Columns of the table of joints; all torques are RMS."""


def row(joint: JointStatistics) -> Sequence[str]:
    """Return the cells of one joint under :data:`HEADER`."""
    friction = joint.friction
    return (joint.name, joint.unit, number(joint.measured_rms), number(joint.computed_rms),
            number(joint.residual_rms), share(joint.explained),
            share(joint.explained_with_friction),
            number(joint.fixed_residual_rms) if joint.base_peak else '-',
            number(joint.base_rms) if joint.base_peak else '-', number(joint.scale),
            number(joint.offset), milliseconds(joint.lag),
            '-' if friction is None else with_error(friction.viscous, friction.viscous_error),
            '-' if friction is None else with_error(friction.coulomb, friction.coulomb_error))
