"""
The part of URDF that dynamics needs, and what else the specification knows.

The reader keeps the first, counts the second and warns of everything that is in neither.
"""

from __future__ import annotations

from dataclasses import dataclass
import difflib
from typing import Dict, Iterable, Mapping, Optional, Tuple


@dataclass(frozen=True)
class Attribute:
    """An attribute of an element."""

    count: int = 1  #: How many numbers it holds; 0 for a name
    default: Optional[str] = None  #: Its text where absent; None if it must be there
    infinite: bool = False  #: Whether infinity makes sense (limits)
    #: Whether it came after URDF 1.0, so that the parser does not know it: kept beside the copy
    #: where it is given
    later: bool = False


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
_LATER = Attribute(infinite=True, later=True)

RULES: Dict[str, ElementRule] = {
    'link': ElementRule({'name': _NAME}, ('inertial',)),
    'inertial': ElementRule({}, ('origin', 'mass', 'inertia'), ('mass',)),
    'origin': ElementRule({'xyz': Attribute(3, '0 0 0'), 'rpy': Attribute(3, '0 0 0'),
                           'quat_xyzw': Attribute(4, later=True)}),
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
        'velocity': _LIMIT, 'effort': _LIMIT,
        'acceleration': _LATER, 'deceleration': _LATER, 'jerk': _LATER}),
    'dynamics': ElementRule({'damping': _ZERO, 'friction': _ZERO,
                             'armature': Attribute(later=True)}),
    'mimic': ElementRule({'joint': _NAME, 'multiplier': Attribute(default='1'),
                          'offset': _ZERO}),
}

NOT_DYNAMICS: Dict[str, Tuple[str, ...]] = {
    'robot': ('material', 'transmission', 'gazebo', 'sensor', 'ros2_control'),
    'link': ('visual', 'collision', 'sensor', 'gazebo', 'contact', 'contact_coefficients',
             'material', 'kinematic', 'gravity', 'surface', 'self_collide', 'self_filter',
             'self_collision_checking', 'collision_checking', 'verbose', '@type'),
    'joint': ('safety_controller', 'calibration', 'hardwareInterface', 'gazebo', 'sensor',
              '@dont_collapse'),
    'dynamics': ('@D', '@K'),  # gains of a simulated controller
}
"""Elements and @attributes of URDF or its well-known extensions that do not enter dynamics."""

EXACT = ('inertial', 'origin', 'mass', 'inertia', 'axis', 'parent', 'child', 'mimic', 'dynamics')
"""Elements in which whatever is unknown was meant to change the dynamics."""

SHAPES = ('visual', 'collision')
"""Elements in which masses do not belong: who puts them there means the link's."""

MASSES = ('inertial', 'mass', 'inertia')

_MEANT = ('axis', 'mass', 'inertia', 'damping', 'friction', 'armature', 'rotor', 'gear', 'stiff',
          'mimic', 'effort', 'velocity', 'lower', 'upper', 'parent', 'child', 'xyz', 'rpy',
          'origin')
_LIMITS = {'@effort': ('effort', 'torque', 'force'), '@velocity': ('vel', 'speed'),
           '@lower': ('min', 'low'), '@upper': ('max', 'high', 'up')}


def is_suspicious(parent: str, item: str, given: Iterable[str]) -> bool:
    """
    Tell whether an unknown element or @attribute was meant to enter the dynamics.

    Parameters
    ----------
    parent : str
        Tag of the element that it stands in.
    given : iterable of str
        Elements and @attributes that stand beside it.
    """
    if parent in EXACT:
        return True
    if ':' in item or item.startswith('@xmlns'):
        return False  # an extension that names itself
    if item in RULES and item != parent:
        return True  # misplaced
    rule = RULES.get(parent, ElementRule({}, ('link', 'joint')))
    known = set(rule.children) | {f'@{key}' for key in rule.attributes}
    absent = [name for name in known if name in ('link', 'joint') or name not in given]
    if difflib.get_close_matches(item.lower(), absent, n=1, cutoff=0.81):
        return True
    word = item.lower()
    if parent == 'limit':
        return any(limit not in given and any(part in word for part in parts)
                   for limit, parts in _LIMITS.items())
    if parent in ('link', 'joint'):
        return not item.startswith('@') or any(part in word for part in _MEANT)
    return False
