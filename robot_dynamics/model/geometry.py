"""
Shapes of links, from ``<collision>`` and ``<visual>``.

Shapes take no part in dynamics, so nothing here is an error: what cannot be read is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Dict, List, Optional, Tuple
from xml.etree.ElementTree import Element

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.rotations import matrix_from_quat, matrix_from_rpy

Triple = Tuple[float, float, float]


@dataclass(frozen=True)
class Shape:
    """A box, sphere, cylinder, capsule or mesh on a link."""

    kind: str  #: Tag of the shape
    role: str  #: 'collision' or 'visual'
    centre: Triple  #: In the link's frame, m
    axes: Tuple[float, ...]  #: Orientation in the link's frame, row by row
    half: Triple = (0.0, 0.0, 0.0)  #: Half of its size along its own axes, m; zero for a mesh
    mesh: str = ''  #: Its file as the description names it
    scale: Triple = (1.0, 1.0, 1.0)  #: Of the mesh

    @property
    def R(self) -> FloatArray:
        """Orientation in the link's frame, (3, 3)."""
        return np.array(self.axes).reshape(3, 3)


def link_shapes(robot: Element) -> Dict[str, Tuple[Shape, ...]]:
    """Collect the shapes of every link that has one."""
    found: Dict[str, Tuple[Shape, ...]] = {}
    for link in robot.findall('link'):
        shapes = [shape for role in ('collision', 'visual') for element in link.findall(role)
                  for shape in _shapes(element, role)]
        if shapes:
            found[link.get('name', '')] = tuple(shapes)
    return found


def _shapes(element: Element, role: str) -> List[Shape]:
    origin = element.find('origin')
    pose = _pose({} if origin is None else origin.attrib)
    geometry = element.find('geometry')
    if pose is None or geometry is None:
        return []
    shapes = []
    for item in geometry:
        scale = _numbers(item.get('scale', '1 1 1'), 3)
        if item.tag == 'mesh':
            if scale is not None and item.get('filename'):
                shapes.append(Shape('mesh', role, *pose, mesh=item.get('filename', ''),
                                    scale=_triple(scale)))
            continue
        half = _half(item)
        if half is not None and min(half) > 0.0:
            shapes.append(Shape(item.tag, role, *pose, half=half))
    return shapes


def _pose(origin: Dict[str, str]) -> Optional[Tuple[Triple, Tuple[float, ...]]]:
    xyz = _numbers(origin.get('xyz', '0 0 0'), 3)
    rpy = _numbers(origin.get('rpy', '0 0 0'), 3)
    quat = _numbers(origin.get('quat_xyzw', '0 0 0 1'), 4)
    if xyz is None or rpy is None or quat is None or not quat.any():
        return None
    R = matrix_from_quat(quat) if 'quat_xyzw' in origin else matrix_from_rpy(rpy)
    return _triple(xyz), tuple(R.ravel().tolist())


def _half(item: Element) -> Optional[Triple]:
    if item.tag == 'box':
        size = _numbers(item.get('size'), 3)
        return None if size is None else _triple(size / 2)
    radius, length = _numbers(item.get('radius'), 1), _numbers(item.get('length'), 1)
    if radius is None or (length is None and item.tag != 'sphere'):
        return None
    r = float(radius[0])
    half = 0.0 if length is None else float(length[0]) / 2
    ends = {'sphere': r, 'cylinder': half, 'capsule': half + r}
    return (r, r, ends[item.tag]) if item.tag in ends else None


def _numbers(text: Optional[str], count: int) -> Optional[FloatArray]:
    try:
        values = [float(word) for word in (text or '').split()]
    except ValueError:
        return None
    return np.array(values) if len(values) == count and all(map(math.isfinite, values)) else None


def _triple(values: FloatArray) -> Triple:
    return float(values[0]), float(values[1]), float(values[2])
