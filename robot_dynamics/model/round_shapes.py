"""Cylinders and spheres of links: what tells the radius of a wheel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Mapping, Optional, Sequence, Tuple

from robot_dynamics.model.geometry import Shape, Triple


@dataclass(frozen=True)
class RoundShape:
    """A cylinder or a sphere on a link."""

    radius: float  #: In m
    centre: Triple  #: In the link's frame, m
    axis: Optional[Triple]  #: Direction of a cylinder in the link's frame; None for a sphere


def round_shapes(shapes: Mapping[str, Sequence[Shape]]) -> Dict[str, Tuple[RoundShape, ...]]:
    """
    Pick the round shapes of every link that has one.

    The ``<collision>`` shapes count; the ``<visual>`` ones only on a link without any of those.
    """
    found: Dict[str, Tuple[RoundShape, ...]] = {}
    for link, all_of_link in shapes.items():
        for role in ('collision', 'visual'):
            wheels = tuple(_round(shape) for shape in all_of_link if shape.role == role
                           and shape.kind in ('cylinder', 'sphere'))
            if wheels:
                found[link] = wheels
                break
    return found


def _round(shape: Shape) -> RoundShape:
    x, y, z = (float(value) for value in shape.R[:, 2])
    return RoundShape(shape.half[0], shape.centre, None if shape.kind == 'sphere' else (x, y, z))
