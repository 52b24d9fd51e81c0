"""What a loaded description leaves to say: what was merged, coupled, held, and left out."""

from __future__ import annotations

from typing import Dict, List

from robot_dynamics.core.formatting import listed
from robot_dynamics.model.assembly import Assembly
from robot_dynamics.model.description import Description
from robot_dynamics.model.elements import BASE, Note
from robot_dynamics.model.selection import Selection

NO_INERTIAL = (
    'the description has no <inertial> at all (so have those of ABB, Fanuc, Motoman and MoveIt): '
    'it tells where the joints are, and no link has a mass')
WHERE_MASSES_COME_FROM = (
    'add masses from the data sheet or CAD as <inertial>, build the arm with RobotModel.from_dh, '
    'or add estimates and identify the arm from a recording')


def lacks_inertial(description: Description, assembly: Assembly) -> bool:
    """Tell whether joints move and no link of the file has mass properties."""
    return bool(assembly.bodies) and all(
        link.mass is None for link in description.links.values())


def notes_on_loading(description: Description, base_link: str, assembly: Assembly,
                     selection: Selection) -> List[Note]:
    """List the notes on how the description became a model."""
    notes: List[Note] = []
    if lacks_inertial(description, assembly):
        notes.append(Note('warning', 'robot', f'{NO_INERTIAL}; {WHERE_MASSES_COME_FROM}'))
    carriers = [base_link] + [body.name for body in assembly.bodies]
    merged: Dict[str, List[str]] = {}
    for name, frame in assembly.frames.items():
        carrier = carriers[frame.body - BASE]
        if name != carrier:
            merged.setdefault(carrier, []).append(name)
    for carrier, names in merged.items():
        notes.append(Note('info', f"link '{carrier}'", f'carries {listed(names)}'))
    for body in assembly.bodies:
        mimic = body.joint.mimic
        if mimic is not None:
            offset = f' {mimic.offset:+g}' if mimic.offset else ''
            notes.append(Note('info', f"joint '{body.joint.name}'", 'follows: '
                              f"{mimic.multiplier:g} * '{mimic.joint}'{offset}"))
    for name, value in selection.held.items():
        notes.append(Note('info', f"joint '{name}'", f'is held at {value:g}'))
    notes += _frictions(description, assembly)
    outside = [name for name in description.links if name not in assembly.frames]
    if outside:
        notes.append(Note('info', f"link '{base_link}'", 'is the base; not below it, and not '
                          f'used: {listed(outside)}'))
    if description.unused:
        counted = ', '.join(f'{count} <{tag}>' for tag, count in description.unused.items())
        notes.append(Note('info', 'robot', f'not used for dynamics: {counted}'))
    if not assembly.bodies:
        notes.append(Note('warning', 'robot', 'no joint moves'))
    return notes


def _frictions(description: Description, assembly: Assembly) -> List[Note]:
    """Say whose ``<dynamics>`` can be used, and whose cannot because the joint is rigid."""
    moving = {body.joint.name for body in assembly.bodies}
    given = [joint.name for joint in description.joints.values()
             if joint.damping or joint.friction]
    notes = []
    used = [name for name in given if name in moving]
    if used:
        notes.append(Note('info', 'robot', f'damping and friction of {listed(used)}: used where '
                                           'friction is asked for'))
    rigid = [name for name in given if name not in moving]
    if rigid:
        notes.append(Note('info', 'robot', f'damping and friction of {listed(rigid)}: not used, '
                                           'these joints do not move'))
    return notes
