"""Limits on residuals, for a recording that has to pass: the meaning of ``--fail-above``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Sequence

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.replay.formatting import number


@dataclass(frozen=True)
class Limit:
    """The largest RMS residual that passes."""

    joint: str  #: Empty: every joint without a limit of its own
    value: float  #: N m (N), or percent of the measured RMS
    percent: bool  #: Which of the two


def parse_limits(texts: Sequence[str]) -> List[Limit]:
    """
    Read limits of the form ``2.5``, ``15%``, ``joint2=3`` or ``joint2=10%``.

    Raises
    ------
    ConfigurationError
        If one has another form.
    """
    limits = []
    for text in texts:
        joint, _, value = text.rpartition('=')
        try:
            amount = float(value.rstrip('%'))
        except ValueError:
            amount = -1.0
        if not 0 <= amount < float('inf'):
            raise ConfigurationError(f'--fail-above: {text!r} is not of the form 2.5, 15%, '
                                     'joint=2.5 or joint=15%')
        limits.append(Limit(joint, amount, value.endswith('%')))
    return limits


def violations(summary: Dict[str, Any], limits: Sequence[Limit]) -> List[str]:
    """
    Return one line for each joint above its limit; also if nothing could be compared.

    Parameters
    ----------
    summary : dict
        ``ReplayResult.to_dict()``.
    limits : sequence of Limit
        None of them: everything passes.

    Raises
    ------
    UnknownNameError
        If a limit names a joint that the recording does not have.
    """
    if not limits:
        return []
    joints = {joint['name']: joint for joint in summary['joints']}
    own = {limit.joint for limit in limits if limit.joint}
    for name in own:
        if name not in joints:
            raise UnknownNameError('joint', name, joints)
    lines, compared = [], 0
    for limit in limits:
        for name in [limit.joint] if limit.joint else [n for n in joints if n not in own]:
            joint = joints[name]
            if not joint['samples']:
                if limit.joint:
                    lines.append(f'{summary["bag"]}: {name} has no measured effort to compare')
                continue
            compared += 1
            residual, unit = joint['residual_rms'], joint['unit']
            bound = limit.value
            if limit.percent:
                bound = 0.01 * limit.value * joint['measured_rms']
            if residual > bound:
                lines.append(f'{summary["bag"]}: residual of {name} is {number(residual)} {unit}, '
                             f'above {number(bound)}')
    if not compared and not lines:
        lines.append(f'{summary["bag"]}: no measured effort to compare')
    return lines
