"""
Copy the part of a URDF that dynamics needs, with every number and name checked on the way.

What is not copied is counted or noted, never dropped silently.  The copy holds no element or
attribute that a URDF parser could stumble over.
"""

from __future__ import annotations

from collections import Counter
import math
import re
from typing import Dict, List, Set, Tuple
from xml.etree.ElementTree import Element, SubElement

from robot_dynamics.core.errors import ModelError
from robot_dynamics.model.elements import Note
from robot_dynamics.model.safe_xml import line_of
from robot_dynamics.model.urdf_schema import Attribute, NOT_DYNAMICS, RULES

MAXIMUM_LINKS = 10_000

_NUMBER = re.compile(r'[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?', re.ASCII)
_INFINITY = re.compile(r'[+-]?\.?(inf|infinity)', re.IGNORECASE)
_NOT_A_NUMBER = re.compile(r'[+-]?\.?nan', re.IGNORECASE)
_SUBSTITUTION = re.compile(r'\$[({]')
_XACRO_FIX = 'expand it first: xacro robot.urdf.xacro > robot.urdf'


class UrdfSubset:
    """
    The checked copy of a ``<robot>`` element.

    Attributes
    ----------
    robot : Element
        Holds only ``<link>`` and ``<joint>`` with what :mod:`urdf_schema` lists.
    notes : list of Note
    unused : Counter
        How often each element occurs that does not enter dynamics.
    """

    def __init__(self, root: Element) -> None:
        self.notes: List[Note] = []
        self.unused: Counter[str] = Counter()
        self._unknown: Dict[Tuple[str, str], List[str]] = {}
        self._names: Dict[str, Set[str]] = {'link': set(), 'joint': set()}
        name = root.get('name', '').strip()
        if not name:
            self.notes.append(Note('warning', 'robot', 'has no name; many tools refuse that'))
        self.robot = Element('robot', {'name': name or 'robot'})
        if sum(1 for child in root if child.tag == 'link') > MAXIMUM_LINKS:
            raise ModelError('robot', f'has more than {MAXIMUM_LINKS} links',
                             'this is not a robot description')
        for child in root:
            if child.tag in self._names:
                self._check_name(child)
                self._copy(child, self.robot, f"{child.tag} '{child.get('name')}'")
            else:
                self._count(root.tag, child.tag, 'robot')
        self._report_unknown()

    def _check_name(self, element: Element) -> None:
        name = element.get('name', '')
        if not name.strip():
            raise ModelError(f'{element.tag} in line {line_of(element)}', 'has no name',
                             f'add one: <{element.tag} name="...">')
        if name in self._names[element.tag]:
            raise ModelError(f"{element.tag} '{name}'", 'is defined twice '
                             f'(again in line {line_of(element)})', 'rename one of them')
        self._names[element.tag].add(name)

    def _copy(self, element: Element, parent: Element, owner: str) -> None:
        rule = RULES[element.tag]
        copy = SubElement(parent, element.tag)
        for key, attribute in rule.attributes.items():
            copy.set(key, _checked(element, key, attribute, owner))
        if element.tag == 'limit' and not {'lower', 'upper'} & set(element.keys()):
            copy.set('lower', '-inf')  # only effort and velocity are limited
            copy.set('upper', 'inf')
        for key in element.attrib:
            if key not in rule.attributes:
                self._count(element.tag, f'@{key}', owner)
        seen: Set[str] = set()
        for child in element:
            if child.tag not in rule.children:
                self._count(element.tag, child.tag, owner)
                continue
            if child.tag in seen:
                raise ModelError(owner, f'has two <{child.tag}> (line {line_of(child)})',
                                 'remove one of them')
            seen.add(child.tag)
            self._copy(child, copy, owner)
        for tag in rule.required:
            if tag not in seen:
                raise ModelError(owner, f'<{element.tag}> has no <{tag}>', 'add it')
        if element.tag == 'inertial' and 'inertia' not in seen:
            self.notes.append(Note('warning', owner, '<inertial> has no <inertia>: taken as zero'))

    def _count(self, parent: str, item: str, owner: str) -> None:
        if item in NOT_DYNAMICS.get(parent, ()):
            self.unused[item] += 1
        else:
            self._unknown.setdefault((parent, item), []).append(owner)

    def _report_unknown(self) -> None:
        for (parent, item), owners in self._unknown.items():
            what = f'attribute {item[1:]!r}' if item.startswith('@') else f'<{item:.60}>'
            more = f' ({len(owners)} times, first here)' if len(owners) > 1 else ''
            self.notes.append(Note('info', owners[0], f'{what} of <{parent}> is not known and '
                                                      f'not used{more}'))


def _checked(element: Element, key: str, rule: Attribute, owner: str) -> str:
    """Return the text of an attribute once it is what it should be."""
    where = f'<{element.tag} {key}> in line {line_of(element)}'
    text = element.get(key)
    if text is None:
        if rule.default is None:
            raise ModelError(owner, f'{where} is missing', f'add {key}="..."')
        return rule.default
    if rule.count == 0:
        if not text.strip():
            raise ModelError(owner, f'{where} is empty', 'give a name')
        if _SUBSTITUTION.search(text):
            raise ModelError(owner, f'{where}: {text!r:.60} is a xacro expression', _XACRO_FIX)
        return text
    words = text.split()
    for word in words:
        _check_number(word, where, rule, owner)
    if len(words) != rule.count:
        noun = 'number' if rule.count == 1 else 'numbers'
        raise ModelError(owner, f'{where} holds {len(words)} numbers ({text!r:.60})',
                         f'give {rule.count} {noun}')
    return ' '.join(word.lstrip('.') if _INFINITY.fullmatch(word) else word for word in words)


def _check_number(word: str, where: str, rule: Attribute, owner: str) -> None:
    if _NUMBER.fullmatch(word) and math.isfinite(float(word)):
        return
    if _INFINITY.fullmatch(word) and rule.infinite:
        return
    if _NUMBER.fullmatch(word) or _INFINITY.fullmatch(word) or _NOT_A_NUMBER.fullmatch(word):
        raise ModelError(owner, f'{where}: {word:.40} is not finite', 'give a finite number')
    fix = _XACRO_FIX if _SUBSTITUTION.search(word) else 'write it as in 0.25 or -1e-3'
    raise ModelError(owner, f'{where}: {word!r:.60} is not a number', fix)
