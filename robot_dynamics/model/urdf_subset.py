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

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.model.elements import Note
from robot_dynamics.model.safe_xml import line_of
from robot_dynamics.model.urdf_schema import (
    Attribute, is_suspicious, MASSES, NOT_DYNAMICS, RULES, SHAPES)
from robot_dynamics.motion.rotations import rpy_from_quat

MAXIMUM_LINKS = 10_000

_NUMBER = re.compile(r'[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?', re.ASCII)
_INFINITY = re.compile(r'[+-]?\.?(inf|infinity)', re.IGNORECASE)
_NOT_A_NUMBER = re.compile(r'[+-]?\.?nan', re.IGNORECASE)
_UNIT_TOLERANCE = 1e-3  # files print quaternions with few digits
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
    later : dict of (str, str) to float
        By joint and attribute: what came after URDF 1.0, such as an acceleration limit.
    """

    def __init__(self, root: Element) -> None:
        self.notes: List[Note] = []
        self.unused: Counter[str] = Counter()
        self.later: Dict[Tuple[str, str], float] = {}
        self._unknown: Dict[Tuple[str, str, bool], List[str]] = {}
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
                self._count(root, child.tag, 'robot')
        for shape in (item for link in root.findall('link') for item in link
                      if item.tag in SHAPES):
            for item in shape.iter():
                if item.tag in MASSES:
                    self._unknown.setdefault((shape.tag, item.tag, True), []).append('robot')
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
            if not attribute.later:
                copy.set(key, _checked(element, key, attribute, owner))
            elif key == 'quat_xyzw' and key in element.attrib:
                copy.set('rpy', self._rpy(element, owner))
            elif key in element.attrib:
                self.later[parent.get('name', ''), key] = float(
                    _checked(element, key, attribute, owner))
        if element.tag == 'limit' and not {'lower', 'upper'} & set(element.keys()):
            copy.set('lower', '-inf')  # only effort and velocity are limited
            copy.set('upper', 'inf')
        for key in element.attrib:
            if key not in rule.attributes:
                self._count(element, f'@{key}', owner)
        self._note_text(element, owner)
        seen: Set[str] = set()
        for child in element:
            if child.tag not in rule.children:
                self._count(element, child.tag, owner)
                continue
            if child.tag in ('axis', 'limit') and element.get('type') == 'fixed':
                self._note_malformed(child, owner)
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

    def _rpy(self, element: Element, owner: str) -> str:
        """Turn the ``quat_xyzw`` of URDF 1.1 into ``rpy``."""
        words = _checked(element, 'quat_xyzw', RULES['origin'].attributes['quat_xyzw'], owner)
        where = f'<origin quat_xyzw> in line {line_of(element)}'
        quat = np.array([float(word) for word in words.split()])
        length = float(np.linalg.norm(quat))
        if element.get('rpy') is not None:
            raise ModelError(owner, f'{where} stands beside rpy', 'give one of the two')
        if not 1e-6 < length < 1e6:
            raise ModelError(owner, f'{where} has length {length:g}', 'give a unit quaternion')
        if abs(length - 1.0) > _UNIT_TOLERANCE:
            self.notes.append(Note('warning', owner, f'{where} has length {length:g}: scaled to '
                                                     'one'))
        return ' '.join(repr(float(angle)) for angle in rpy_from_quat(quat / length))

    def _note_malformed(self, element: Element, owner: str) -> None:
        """Say what is wrong with an element that a fixed joint does not use."""
        try:
            self._copy(element, Element('joint'), owner)
        except ModelError as error:
            self.notes.append(Note('info', owner, f'is fixed, so its <{element.tag}> is not used, '
                                                  f'though it is wrong ({error.problem})'))

    def _note_text(self, element: Element, owner: str) -> None:
        """Warn of text, as in ``<origin>0 0 1</origin>``, unless an attribute says the same."""
        text = ' '.join(word for part in (element.text, *(child.tail for child in element))
                        for word in (part or '').split())
        if text and text not in (' '.join(value.split()) for value in element.attrib.values()):
            self.notes.append(Note('warning', owner, f'the text {text!r:.60} of <{element.tag}> '
                                                     'is not used: URDF has attributes'))

    def _count(self, parent: Element, item: str, owner: str) -> None:
        if item in NOT_DYNAMICS.get(parent.tag, ()):
            self.unused[item] += 1
            return
        given = {child.tag for child in parent} | {f'@{key}' for key in parent.attrib}
        key = (parent.tag, item, is_suspicious(parent.tag, item, given))
        self._unknown.setdefault(key, []).append(owner)

    def _report_unknown(self) -> None:
        for (parent, item, suspicious), owners in self._unknown.items():
            what = f'attribute {item[1:]!r}' if item.startswith('@') else f'<{item:.60}>'
            more = f' ({len(owners)} times, first here)' if len(owners) > 1 else ''
            self.notes.append(Note('warning' if suspicious else 'info', owners[0],
                                   f'{what} of <{parent}> is not known and not used{more}'))


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
