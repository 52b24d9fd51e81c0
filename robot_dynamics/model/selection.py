"""
Which joints move, and where the others are held.

A coupled (mimic) joint moves exactly when the joint that drives it moves: choosing either chooses
both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, List, Mapping, Optional, Tuple

from robot_dynamics.core.errors import InputError, UnknownNameError
from robot_dynamics.core.gate import as_mapping, as_scalar
from robot_dynamics.model.description import Description, JointDescription, MOVING_TYPES
from robot_dynamics.model.elements import Mimic, Note
from robot_dynamics.model.structure import Tree

_RANGE_TOLERANCE = 1e-9  # rad or m: a limit that was printed and read back still counts as inside


@dataclass(frozen=True)
class Selection:
    """The outcome: what moves, and the constant value of everything else that could."""

    #: For each moving joint the independent joint behind it (itself if independent)
    coupling: Dict[str, Mimic]
    #: Joint value in rad or m of each joint that could move and is held rigid
    held: Dict[str, float]
    notes: Tuple[Note, ...]


def select(
        description: Description, tree: Tree, base_link: str, coupling: Dict[str, Mimic],
        tip_link: Optional[str], joints: Optional[Iterable[str]],
        positions: Optional[Mapping[str, float]]) -> Selection:
    """
    Decide for each joint under the base whether it moves.

    Parameters
    ----------
    description, tree, base_link
        The robot.
    coupling : dict of str to Mimic
        From :func:`robot_dynamics.model.coupling.resolve_mimics`.
    tip_link : str or None
        Only the joints between the base and this link move.
    joints : iterable of str or None
        Only these joints move.
    positions : mapping of str to float or None
        Where joints that do not move are held; 0 for those without an entry.

    Raises
    ------
    InputError, UnknownNameError
        If the choice contradicts itself or names what does not exist.
    """
    below = [joint for joint in tree.joints_below(base_link) if joint.kind in MOVING_TYPES]
    free = {joint.name for joint in below if _moves_by_itself(joint, coupling)}
    able = [joint for joint in below if coupling[joint.name].joint in free
            and coupling[joint.name].multiplier != 0.0]
    chosen = _chosen(description, tree, base_link, able, tip_link, joints)
    drivers = {coupling[name].joint for name in chosen}
    moving = {joint.name: coupling[joint.name] for joint in able
              if coupling[joint.name].joint in drivers}
    at = _held_positions(description, moving, coupling, positions)
    held: Dict[str, float] = {}
    notes: List[Note] = []
    for joint in below:
        if joint.name not in moving:
            rule = coupling[joint.name]
            held[joint.name] = rule.multiplier * at.get(rule.joint, 0.0) + rule.offset
            notes += _outside(joint, held[joint.name])
    return Selection(moving, held, tuple(notes))


def _moves_by_itself(joint: JointDescription, coupling: Dict[str, Mimic]) -> bool:
    return coupling[joint.name].joint == joint.name


def _chosen(description: Description, tree: Tree, base_link: str, able: List[JointDescription],
            tip_link: Optional[str], joints: Optional[Iterable[str]]) -> List[str]:
    names = [joint.name for joint in able]
    if tip_link is not None and joints is not None:
        raise InputError('`joints`', 'given together with `tip_link`; choose one of the two')
    if tip_link is not None:
        if tip_link not in description.links:
            raise UnknownNameError('link', tip_link, description.links)
        path = tree.path_to(tip_link)
        if base_link != tree.root and base_link not in [joint.child for joint in path]:
            raise InputError('`tip_link`', f"'{tip_link}' does not hang below the base "
                                           f"'{base_link}'; choose a link of its subtree")
        on_path = {joint.name for joint in path}
        return [name for name in names if name in on_path]
    if joints is None:
        return names
    if isinstance(joints, str) or not isinstance(joints, Iterable):
        raise InputError('`joints`', f'is {joints!r}, expected a list of joint names')
    wanted = list(joints)
    known, seen = set(names), set()
    for name in wanted:
        if name not in known:
            raise UnknownNameError('moving joint', name, names)
        if name in seen:
            raise InputError('`joints`', f"'{name}' is listed twice")
        seen.add(name)
    return wanted


def _held_positions(
        description: Description, moving: Dict[str, Mimic], coupling: Dict[str, Mimic],
        positions: Optional[Mapping[str, float]]) -> Dict[str, float]:
    """Check the positions that the user gave; the value of each joint named."""
    at: Dict[str, float] = {}
    movable = [name for name, joint in description.joints.items()
               if joint.kind in MOVING_TYPES and coupling[name].joint == name]
    for name, value in as_mapping('positions', positions, 'joint names to values').items():
        argument = f"`positions['{name}']`"
        if name in coupling and coupling[name].joint != name:
            raise InputError(argument, f"the joint follows joint '{coupling[name].joint}'; "
                                       'give the position of that one')
        if name not in movable:
            raise UnknownNameError('joint', name, movable)
        if name in moving:
            raise InputError(argument, 'the joint moves; only joints that are held rigid have a '
                                       'position (choose `joints` or `tip_link`)')
        number = as_scalar(argument, value)
        joint = description.joints[name]
        if not joint.lower - _RANGE_TOLERANCE <= number <= joint.upper + _RANGE_TOLERANCE:
            raise InputError(argument, f'is {number:g}, outside the limits of the joint, '
                                       f'{joint.lower:g} to {joint.upper:g}')
        at[name] = number
    return at


def _outside(joint: JointDescription, value: float) -> List[Note]:
    """Warn where a joint is held outside its limits because no position was given."""
    if joint.lower - _RANGE_TOLERANCE <= value <= joint.upper + _RANGE_TOLERANCE:
        return []
    return [Note('warning', f"joint '{joint.name}'",
                 f'is held at {value:g}, outside its limits {joint.lower:g} to {joint.upper:g}; '
                 'give it a position')]
