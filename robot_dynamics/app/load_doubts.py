"""What a description says of the drives, against what gravity asks of them."""

from __future__ import annotations

import math
from typing import List

import numpy as np

from robot_dynamics.model.elements import Note
from robot_dynamics.model.robot_model import LARGEST_EFFORT, RobotModel

_POSTURES = 200
_USUAL = 5.0  # times what gravity asks is what drives are built for


def doubts_of_limits(model: RobotModel) -> List[Note]:
    """
    List limits that no drive has, and those that gravity alone exceeds.

    Gravity is that of the level base, in random postures within the position limits.
    """
    notes = []
    for index, joint in enumerate(model.joints):
        unit = 'N' if joint.kind == 'prismatic' else 'Nm'
        rate = 'm/s' if joint.kind == 'prismatic' else 'rad/s'
        texts = []
        if joint.effort == 0.0:
            texts.append(f'has effort limit 0 {unit}: it could not hold itself, and nodes find no '
                         'limit in it')
        elif np.isfinite(joint.effort) and not model.has_effort_limit[index]:
            texts.append(f'has effort limit {joint.effort:g} {unit}, above {LARGEST_EFFORT:g}: '
                         'nodes find no limit in it')
        if joint.velocity == 0.0:
            texts.append(f'has velocity limit 0 {rate}: it could not move')
        notes += [Note('warning', f"joint '{joint.name}'", text) for text in texts]
    return notes + _too_heavy(model)


def _too_heavy(model: RobotModel) -> List[Note]:
    limited = np.flatnonzero(model.has_effort_limit)
    if not limited.size:
        return []
    from robot_dynamics.dynamics.inverse import InverseDynamics
    dynamics = InverseDynamics(model, backend='interpreted')
    rng = np.random.default_rng(0)
    low = np.where(np.isfinite(model.lower), model.lower, -np.pi)
    high = np.where(np.isfinite(model.upper), model.upper, np.pi)
    postures = rng.uniform(low, high, (_POSTURES, model.nv))
    still = np.zeros_like(postures)
    least = np.quantile(np.abs(dynamics.torque(postures, still, still)), 0.5, axis=0)
    notes = []
    for index in limited:
        joint, asked = model.joints[index], float(least[index])
        if asked > joint.effort:
            unit = 'N' if joint.kind == 'prismatic' else 'Nm'
            notes.append(Note(
                'warning', f"joint '{joint.name}'", f'has effort limit {joint.effort:g} {unit}, '
                f'and gravity alone asks more than {asked:.3g} {unit} in half of its postures'
                f'{_in_unit(joint.effort, asked, unit)}'))
    return notes


def _in_unit(limit: float, asked: float, unit: str) -> str:
    """Name the unit in which a limit would be some times what gravity asks."""
    length = unit.removeprefix('N')
    name, factor = min(((f'kgf{" " * bool(length)}{length}', 9.80665), (f'kN{length}', 1000.0)),
                       key=lambda item: abs(math.log(item[1] * limit / asked / _USUAL)))
    if not 1.0 < factor * limit / asked < 100.0:
        return ''
    masses = f', or with masses in g gravity would ask {asked / 1000:.3g} {unit}'
    return (f'; in {name} it would be {factor * limit:.4g} {unit}'
            + (masses if factor == 1000.0 else ''))
