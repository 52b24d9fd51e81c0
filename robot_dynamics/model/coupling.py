"""
Mimic joints: chains multiplied out, so that each joint depends on one independent joint.

If a follows b with (k1, c1) and b follows c with (k2, c2), then a = k1 k2 c + k1 c2 + c1.
"""

from __future__ import annotations

import math
from typing import Dict

from robot_dynamics.core.errors import ModelError, UnknownNameError
from robot_dynamics.model.description import BASE_TYPES, Description
from robot_dynamics.model.elements import Mimic


def resolve_mimics(description: Description) -> Dict[str, Mimic]:
    """
    Express every joint that is not fixed by an independent joint.

    Returns
    -------
    dict of str to Mimic
        For an independent joint the identity: itself, 1, 0.  A joint that follows a fixed joint
        keeps that joint's name.

    Raises
    ------
    ModelError
        For a cycle, for a joint that follows an unknown, a floating or a planar joint, and for
        a product of multipliers that overflows.
    """
    resolved: Dict[str, Mimic] = {}
    for start in description.joints:
        chain: Dict[str, None] = {}  # in order
        name = start
        while name not in resolved:
            if name in chain:
                order = list(chain)
                shown = ' -> '.join(order[order.index(name):][:8] + [name])
                raise ModelError(f"joint '{name}'", f'<mimic> forms a cycle: {shown}',
                                 'one joint of the cycle must move by itself')
            chain[name] = None
            joint = description.joints[name]
            if joint.mimic is None or joint.kind == 'fixed':
                resolved[name] = Mimic(name)
                break
            _check_driver(description, name, joint.mimic.joint)
            name = joint.mimic.joint
        for name in reversed(list(chain)):
            if name not in resolved:
                resolved[name] = _follow(name, description, resolved)
    return resolved


def _check_driver(description: Description, name: str, driver: str) -> None:
    if driver not in description.joints:
        unknown = UnknownNameError('joint', driver, description.joints)
        raise ModelError(f"joint '{name}'", f'<mimic>: {unknown}', 'correct the name')
    kind = description.joints[driver].kind
    if kind in BASE_TYPES:
        raise ModelError(f"joint '{name}'", f"<mimic>: joint '{driver}' is {kind}",
                         'a joint can only follow one with a single degree of freedom')


def _follow(name: str, description: Description, resolved: Dict[str, Mimic]) -> Mimic:
    own = description.joints[name].mimic
    assert own is not None
    driver = resolved[own.joint]
    result = Mimic(driver.joint, own.multiplier * driver.multiplier,
                   own.multiplier * driver.offset + own.offset)
    if not (math.isfinite(result.multiplier) and math.isfinite(result.offset)):
        raise ModelError(f"joint '{name}'", '<mimic>: the multipliers of its chain overflow',
                         'correct multiplier and offset')
    return result
