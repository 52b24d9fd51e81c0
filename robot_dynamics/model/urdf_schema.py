"""
The part of URDF that dynamics needs, and what else the specification knows.

The reader keeps the first, counts the second and warns of everything that is in neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Mapping, Optional, Tuple


@dataclass(frozen=True)
class Attribute:
    """
    An attribute of an element.

    Attributes
    ----------
    count : int
        How many numbers it holds; 0 for a name.
    default : str or None
        Its text where absent; None if it must be there.
    infinite : bool
        Whether infinity makes sense (limits).
    """

    count: int = 1
    default: Optional[str] = None
    infinite: bool = False


@dataclass(frozen=True)
class ElementRule:
    """Attributes and children of an element, and which of the children must be there."""

    attributes: Mapping[str, Attribute]
    children: Tuple[str, ...] = ()
    required: Tuple[str, ...] = ()


_NUMBER = Attribute()
_NAME = Attribute(0)
_VECTOR = Attribute(3)
_ZERO = Attribute(default='0')
_LIMIT = Attribute(default='inf', infinite=True)

RULES: Dict[str, ElementRule] = {
    'link': ElementRule({'name': _NAME}, ('inertial',)),
    'inertial': ElementRule({}, ('origin', 'mass', 'inertia'), ('mass',)),
    'origin': ElementRule({'xyz': Attribute(3, '0 0 0'), 'rpy': Attribute(3, '0 0 0')}),
    'mass': ElementRule({'value': _NUMBER}),
    'inertia': ElementRule(
        {key: _NUMBER for key in ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')}),
    'joint': ElementRule(
        {'name': _NAME, 'type': _NAME},
        ('origin', 'parent', 'child', 'axis', 'limit', 'dynamics', 'mimic'),
        ('parent', 'child')),
    'parent': ElementRule({'link': _NAME}),
    'child': ElementRule({'link': _NAME}),
    'axis': ElementRule({'xyz': _VECTOR}),
    'limit': ElementRule({
        'lower': Attribute(default='0', infinite=True),
        'upper': Attribute(default='0', infinite=True),
        'velocity': _LIMIT, 'effort': _LIMIT}),
    'dynamics': ElementRule({'damping': _ZERO, 'friction': _ZERO}),
    'mimic': ElementRule({'joint': _NAME, 'multiplier': Attribute(default='1'),
                          'offset': _ZERO}),
}

NOT_DYNAMICS: Dict[str, Tuple[str, ...]] = {
    'robot': ('material', 'transmission', 'gazebo', 'sensor', 'ros2_control'),
    'link': ('visual', 'collision', 'sensor', 'gazebo'),
    'joint': ('safety_controller', 'calibration', 'hardwareInterface'),
}
"""Elements that URDF or its well-known extensions have and that do not enter dynamics."""
