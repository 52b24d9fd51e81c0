"""
Loops that a file closes outside URDF: in ``<gazebo>``, ``<loop_joint>`` or Drake's extension.

URDF is a tree.  What closes a loop is not computed, so whoever reads torques must know of it.
"""

from __future__ import annotations

from typing import List, Optional, Tuple
from xml.etree.ElementTree import Element

from robot_dynamics.model.elements import Note

_CLOSING = ('joint', 'constraint', 'bushing', 'spring', 'coupler', 'loop', 'chain', 'connect',
            'weld')
_ENDS = (('parent', 'child'), ('link1', 'link2'), ('body1', 'body2'), ('first', 'second'),
         ('predecessor', 'successor'), ('a', 'b'))


def closed_loops(robot: Element) -> List[Note]:
    """Warn of each joint or constraint between two links that stands outside ``<joint>``."""
    notes = []
    for outer in robot:
        if outer.tag in ('link', 'joint', 'transmission', 'ros2_control', 'sensor'):
            continue
        for element in outer.iter():
            local = element.tag.rpartition(':')[2].lower()
            ends = _ends(element) if any(word in local for word in _CLOSING) else None
            if ends is not None:
                name = element.get('name')
                named = f" '{name}'" if name else ''
                notes.append(Note(
                    'warning', f'<{outer.tag}>', f"its <{element.tag}>{named} ties '{ends[0]}' to "
                    f"'{ends[1]}' outside the tree of URDF: the loop is not computed"))
    return notes


def _ends(element: Element) -> Optional[Tuple[str, str]]:
    for first, second in _ENDS:
        found = [_named(element, first), _named(element, second)]
        if all(found):
            return str(found[0]), str(found[1])
    return None


def _named(element: Element, end: str) -> Optional[str]:
    for key, value in element.attrib.items():
        if key.lower() == end or (len(end) == 1 and key.lower().endswith(f'_{end}')):
            return value
    for child in element:
        local = child.tag.rpartition(':')[2].lower()
        if local == end or (len(end) == 1 and local.endswith(f'_{end}')) or (
                len(end) == 1 and child.tag.endswith(f'frame{end.upper()}')):
            return child.get('link') or child.get('name') or (child.text or '').strip() or None
    return None
