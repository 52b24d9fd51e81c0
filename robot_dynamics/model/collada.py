"""Where the points of a Collada file (.dae) lie: its meshes as its scene places them, in m."""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List, Optional, Tuple
from xml.etree.ElementTree import Element

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.safe_xml import parse_xml
from robot_dynamics.motion.rotations import exp

_MOST_NODES = 10_000  # a node that shows itself would have no end


def collada_corners(data: bytes) -> FloatArray:
    """
    Return the smallest and the largest coordinates, m, of each mesh in a Collada file, (2 N, 3).

    The unit that the file states and the transforms of its nodes are applied, its ``up_axis`` is
    not: RViz and Gazebo do not either.  A file without a scene counts as its meshes.

    Raises
    ------
    ValueError
        If it is not XML, holds what is no number, or shows its nodes without end.
    """
    root = parse_xml(data, 'mesh')
    for element in root.iter():
        element.tag = element.tag.rpartition(':')[2]
    named = {element.get('id', ''): element for element in root.iter() if element.get('id')}
    unit = root.find('asset/unit')
    scale = 1.0 if unit is None else float(unit.get('meter', '1'))
    scenes = _linked(root.iterfind('scene/instance_visual_scene'), named) \
        or root.findall('library_visual_scenes/visual_scene')[:1]
    meshes = {id(item): _positions(item, named) for item in root.iter('geometry')}
    corners = [_ends(meshes[id(geometry)] @ T[:3, :3].T + T[:3, 3])
               for geometry, T in _placed(scenes, named)]
    return scale * np.concatenate([
        np.empty((0, 3)), *(corners or map(_ends, meshes.values()))])


def _placed(scenes: List[Element], named: Dict[str, Element]
            ) -> Iterator[Tuple[Element, FloatArray]]:
    """Yield the geometries that scenes show, each with its transform (4, 4)."""
    waiting = [(node, np.eye(4)) for scene in scenes for node in scene.findall('node')]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node, T = waiting.pop()
        for item in node:
            T = T @ _transform(item)
        for item in _linked(node.iterfind('instance_geometry'), named):
            if item.tag == 'geometry':
                yield item, T
        waiting += [(child, T) for child in (
            *node.findall('node'), *_linked(node.iterfind('instance_node'), named))]
    raise ValueError('its nodes show each other without end')


def _ends(points: FloatArray) -> FloatArray:
    return np.array([points.min(axis=0), points.max(axis=0)]) if len(points) else points


def _transform(item: Element) -> FloatArray:
    """Return what an element of a node does to what it shows, (4, 4)."""
    T = np.eye(4)
    if item.tag not in ('matrix', 'translate', 'rotate', 'scale'):
        return T
    values = _numbers(item)
    if item.tag == 'matrix':
        return values.reshape(4, 4)
    if item.tag == 'translate':
        T[:3, 3] = values
    elif item.tag == 'scale':
        T[:3, :3] = np.diag(values)
    else:
        x, y, z, angle = values
        axis = np.array([x, y, z])
        T[:3, :3] = exp(np.radians(angle) * axis / (np.linalg.norm(axis) or 1.0))
    return T


def _positions(geometry: Element, named: Dict[str, Element]) -> FloatArray:
    """Return the points (N, 3) that faces of a geometry use, in its own axes and unit."""
    parts: List[FloatArray] = [np.empty((0, 3))]
    for faces in geometry.iter():
        inputs = {item.get('semantic', ''): item for item in faces.findall('input')}
        corners = faces.findall('p')
        if not corners or 'VERTEX' not in inputs:
            continue
        stride = 1 + max(int(item.get('offset', '0')) for item in faces.findall('input'))
        offset = int(inputs['VERTEX'].get('offset', '0'))
        used = np.unique(np.concatenate([
            np.array((item.text or '').split(), int)[offset::stride] for item in corners]))
        for vertices in _linked([inputs['VERTEX']], named):
            sources = [item for item in vertices.findall('input')
                       if item.get('semantic') == 'POSITION']
            for source in _linked(sources, named):
                values = _numbers(source.find('float_array'))
                points = values[:len(values) // 3 * 3].reshape(-1, 3)
                parts.append(points[used[(0 <= used) & (used < len(points))]])
    return np.concatenate(parts)


def _linked(items: Iterable[Element], named: Dict[str, Element]) -> List[Element]:
    links = [(item.get('url') or item.get('source') or '').removeprefix('#') for item in items]
    return [named[link] for link in links if link in named]


def _numbers(element: Optional[Element]) -> FloatArray:
    return np.array(((element.text if element is not None else '') or '').split(), np.float64)
