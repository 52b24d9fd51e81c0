"""
Change numbers of a description where they stand: everything else stays to the byte.

Comments, meshes, names, order, indentation and encoding are the user's own; only the values of
``<mass>``, ``<inertia>``, ``<origin xyz>`` of links and of ``<dynamics>`` of joints are written
anew, and added where they were missing.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
import re
from typing import Dict, List, Mapping, Optional, Tuple
from xml.parsers import expat

import numpy as np

from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.model.elements import Inertial
from robot_dynamics.motion.rotations import matrix_from_rpy

_TENSOR = (('ixx', 0, 0), ('ixy', 0, 1), ('ixz', 0, 2), ('iyy', 1, 1), ('iyz', 1, 2),
           ('izz', 2, 2))
_QUOTED = '"[^"]*"|\'[^\']*\''
_ATTRIBUTE = rf'(?<=\s)%s\s*=\s*({_QUOTED})'


def with_numbers(document: bytes, inertials: Mapping[str, Inertial],
                 dynamics: Mapping[str, Tuple[float, float]]) -> bytes:
    """
    Return a URDF with other masses and other friction.

    Parameters
    ----------
    document : bytes
        A URDF that has been read without error.
    inertials : mapping of str to Inertial
        By link, in the link's frame.
    dynamics : mapping of str to (float, float)
        Damping and friction by joint.

    Raises
    ------
    UnknownNameError
        If it has no such link or joint.
    """
    encoding, mark = _encoding(document)
    text = document[len(mark):].decode(encoding)
    found = _Finder(text)
    edits: List[Tuple[int, int, str]] = []
    for name, inertial in inertials.items():
        if name not in found.links:
            raise UnknownNameError('link', name, found.links)
        edits += _link_edits(text, found.links[name], inertial)
    for name, (damping, friction) in dynamics.items():
        if name not in found.joints:
            raise UnknownNameError('joint', name, found.joints)
        edits += _set(text, found.joints[name], 'dynamics',
                      {'damping': _number(damping), 'friction': _number(friction)})
    for start, stop, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[stop:]
    return mark + text.encode(encoding)


@dataclass
class _Node:
    """An element in the text: its start tag, where its content ends, the children of interest."""

    start: int
    stop: int
    end: int = 0
    closed: bool = False  # <tag/>
    children: Optional[Dict[str, _Node]] = None


class _Finder:
    """Finds links and joints of the robot with what lies in them, by place in the text."""

    def __init__(self, text: str) -> None:
        self.links: Dict[str, _Node] = {}
        self.joints: Dict[str, _Node] = {}
        self._data = text.encode('utf-8', 'surrogatepass')
        self._text = text
        self._is_ascii = len(self._data) == len(text)
        self._stack: List[Tuple[str, _Node]] = []
        parser = self._parser = expat.ParserCreate('utf-8')
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.Parse(self._data, True)

    def _place(self) -> int:
        index = self._parser.CurrentByteIndex
        return index if self._is_ascii else len(self._data[:index].decode(
            'utf-8', 'surrogatepass'))

    def _start(self, tag: str, attributes: Dict[str, str]) -> None:
        start = self._place()
        stop = _tag_end(self._text, start)
        node = _Node(start, stop, stop, self._text[stop - 2] == '/', {})
        depth = len(self._stack)
        if depth == 1 and tag in ('link', 'joint'):
            found = self.links if tag == 'link' else self.joints
            found[attributes.get('name', '')] = node
        elif depth > 1:
            children = self._stack[-1][1].children
            assert children is not None
            children.setdefault(tag, node)
        self._stack.append((tag, node))

    def _end(self, tag: str) -> None:
        _, node = self._stack.pop()
        if not node.closed:
            node.end = self._place()


def _tag_end(text: str, start: int) -> int:
    """Return the place after the > of a tag; one in an attribute's value is not it."""
    match = re.compile(rf'<(?:[^>"\']|{_QUOTED})*>').match(text, start)
    assert match is not None
    return match.end()


def _link_edits(text: str, link: _Node, inertial: Inertial) -> List[Tuple[int, int, str]]:
    assert link.children is not None
    node = link.children.get('inertial')
    if node is None or node.closed:
        block = '<inertial>{}{}{}</inertial>'.format(*(
            f'<{tag} {_words(values)}/>' for tag, values in _parts(inertial, np.eye(3))))
        if node is not None:
            return [(node.start, node.stop, block)]
        return [_inside(text, link, block)]
    assert node.children is not None
    origin = node.children.get('origin')
    rpy = _value(text, origin, 'rpy') if origin is not None else None
    R = matrix_from_rpy([float(word) for word in rpy.split()]) if rpy and rpy.split() else \
        np.eye(3)
    edits = []
    for tag, values in _parts(inertial, R):
        edits += _set(text, node, tag, values)
    return edits


def _parts(inertial: Inertial, R: np.ndarray) -> List[Tuple[str, Dict[str, str]]]:
    """Return what an <inertial> says whose axes are turned by R."""
    tensor = R.T @ inertial.inertia @ R
    return [('origin', {'xyz': ' '.join(_number(value) for value in inertial.com)}),
            ('mass', {'value': _number(inertial.mass)}),
            ('inertia', {name: _number(tensor[i, j]) for name, i, j in _TENSOR})]


def _set(text: str, parent: _Node, tag: str, values: Mapping[str, str]
         ) -> List[Tuple[int, int, str]]:
    """Set attributes of a child, or add the child."""
    assert parent.children is not None
    node = parent.children.get(tag)
    if node is None:
        return [_inside(text, parent, f'<{tag} {_words(values)}/>')]
    edits = []
    missing = {}
    for name, value in values.items():
        match = re.compile(_ATTRIBUTE % name).search(text, node.start, node.stop)
        if match is None:
            missing[name] = value
        else:
            edits.append((match.start(1), match.end(1), f'"{value}"'))
    if missing:
        place = node.stop - (2 if node.closed else 1)
        edits.append((place, place, f' {_words(missing)}'))
    return edits


def _inside(text: str, node: _Node, new: str) -> Tuple[int, int, str]:
    """Return the edit that puts text before an element's end."""
    if not node.closed:
        # on a line of its own where the end tag has one
        line = re.compile(r'\n([ \t]*)$').search(text, node.start, node.end)
        if line is None:
            return node.end, node.end, new
        return line.start(), line.start(), f'\n{line.group(1)}  {new}'
    tag = re.match(r'<([^\s/>]+)', text[node.start:node.stop])
    assert tag is not None
    return node.stop - 2, node.stop, f'>{new}</{tag.group(1)}>'


def _value(text: str, node: _Node, name: str) -> Optional[str]:
    match = re.compile(_ATTRIBUTE % name).search(text, node.start, node.stop)
    return None if match is None else match.group(1)[1:-1]


def _words(values: Mapping[str, str]) -> str:
    return ' '.join(f'{name}="{value}"' for name, value in values.items())


def _number(value: float) -> str:
    """Twelve digits: more than any identification knows."""
    return f'{float(value) + 0.0:.12g}'


def _encoding(document: bytes) -> Tuple[str, bytes]:
    """Return the encoding of a document and its byte order mark."""
    for mark, name in ((codecs.BOM_UTF8, 'utf-8'), (codecs.BOM_UTF16_LE, 'utf-16-le'),
                       (codecs.BOM_UTF16_BE, 'utf-16-be')):
        if document.startswith(mark):
            return name, mark
    declared = re.match(rb'\s*<\?xml[^>]*?encoding\s*=\s*["\']([A-Za-z0-9._-]+)["\']', document)
    return (declared.group(1).decode('ascii') if declared else 'utf-8'), b''
