"""
Cylinders and spheres of links: what tells the radius of a wheel.

Shapes take no part in dynamics, so nothing here is an error: what cannot be read is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Dict, List, Optional, Tuple
from xml.etree.ElementTree import Element

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.rotations import matrix_from_rpy


@dataclass(frozen=True)
class RoundShape:
    """
    A cylinder or a sphere on a link.

    Attributes
    ----------
    radius : float
        In m.
    centre : tuple of 3 float
        In the link's frame, m.
    axis : tuple of 3 float or None
        Direction of a cylinder in the link's frame; None for a sphere.
    """

    radius: float
    centre: Tuple[float, float, float]
    axis: Optional[Tuple[float, float, float]]


def round_shapes(robot: Element) -> Dict[str, Tuple[RoundShape, ...]]:
    """
    Collect the round shapes of every link that has one.

    The ``<collision>`` shapes count; the ``<visual>`` ones only on a link without any of those.
    """
    found: Dict[str, Tuple[RoundShape, ...]] = {}
    for link in robot.findall('link'):
        shapes = _shapes(link, 'collision') or _shapes(link, 'visual')
        if shapes:
            found[link.get('name', '')] = tuple(shapes)
    return found


def _shapes(link: Element, tag: str) -> List[RoundShape]:
    shapes = []
    for element in link.findall(tag):
        shape = element.find('geometry/cylinder')
        round_ = shape if shape is not None else element.find('geometry/sphere')
        if round_ is None:
            continue
        radius = _numbers(round_.get('radius'), 1)
        origin = element.find('origin')
        xyz = _numbers('0 0 0' if origin is None else origin.get('xyz', '0 0 0'), 3)
        rpy = _numbers('0 0 0' if origin is None else origin.get('rpy', '0 0 0'), 3)
        if radius is None or xyz is None or rpy is None or not radius[0] > 0.0:
            continue
        axis = None if shape is None else _triple(matrix_from_rpy(rpy)[:, 2])
        shapes.append(RoundShape(float(radius[0]), _triple(xyz), axis))
    return shapes


def _numbers(text: Optional[str], count: int) -> Optional[FloatArray]:
    try:
        values = [float(word) for word in (text or '').split()]
    except ValueError:
        return None
    return np.array(values) if len(values) == count and all(map(math.isfinite, values)) else None


def _triple(values: FloatArray) -> Tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
