"""
What is possible, but not plausible, about the links of a description.

Each doubt names the link, its value, and what it would be in the unit that was likely meant.  The
bounds were chosen so that published descriptions pass: see the tests.  What is too much is said of
each link; what is too little of each moving body, as many links are light on purpose and lie on
one that is not.
"""

from __future__ import annotations

from functools import lru_cache
import math
from pathlib import Path
import re
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.body_tree import BodyTree
from robot_dynamics.model.contents import Contents
from robot_dynamics.model.elements import BASE, Inertial, Note
from robot_dynamics.model.geometry import Shape
from robot_dynamics.model.mesh_size import find_mesh, mesh_bounds

Bounds = Tuple[FloatArray, FloatArray]
"""Smallest and largest coordinates in the link's frame, m."""

LARGEST_GYRATION = 2.0  # m; 0.5 % of 3,750 bodies of public descriptions lie above
_BEYOND = 4.0  # times the geometry: a collision shape may be smaller than the body
_NOTICEABLE = 0.02  # kg m^2: what is below hardly changes a torque
SMALLEST_GYRATION = 0.02  # of the geometry; of 949 bodies of public descriptions 0.9 % lie below
SMALLEST_DENSITY = 2.0  # kg/m^3 of the bounding box; air has 1.2, a propeller in its box 4
_SOLID = 0.25  # radius of gyration of a solid body, of its diagonal
LARGEST_DENSITY = 1e5  # kg/m^3 of the bounding box; lead has 11,340
LARGEST_MASS = 1e4  # kg of a moving link
LARGEST_OFFSET = 5.0  # m from the link's origin to its centre of mass
LARGEST_MESH = 20.0  # m
_UNLIKE = 1.5  # ratio of the masses of left and right

_INERTIA_UNITS = (('kg cm^2', 1e-4), ('kg mm^2', 1e-6), ('g cm^2', 1e-7), ('g mm^2', 1e-9))
_SIDES = (('left', 'right'), ('Left', 'Right'), ('LEFT', 'RIGHT'))
_LEFT = re.compile(r'(?<![A-Za-z])([fbhr]?)l([fbh]?)(?![A-Za-z])')
_UPPER_LEFT = re.compile(r'(?<![A-Za-z])([FBHR]?)L([FBH]?)(?![A-Za-z])')


def doubts(model: BodyTree) -> List[Note]:
    """List what is not plausible about masses, inertias, centres of mass and meshes."""
    contents = model.contents
    if contents is None:
        return []
    sizes = _Sizes(contents)
    notes: List[Note] = []
    for link in model.frames:
        bounds = sizes.bounds(link)
        if link in contents.inertials and link not in contents.outside:
            for text in _of_link(contents.inertials[link], bounds, model.frame(link).body != BASE):
                notes.append(Note('warning', f"link '{link}'", text))
    for index, body in enumerate(model.bodies):
        links = [link for link, frame in model.frames.items() if frame.body == index]
        notes += [Note('warning', f"link '{body.name}'", text) for text in _too_little(
            body.inertial, [sizes.bounds(link) for link in links])]
    return notes + sizes.notes + list(_unlike_sides(contents))


def _of_link(inertial: Inertial, bounds: Optional[Bounds], moves: bool) -> Iterator[str]:
    mass, com = inertial.mass, inertial.com
    if mass <= 0.0:
        return  # impossible, and said already
    size = None if bounds is None else float(np.linalg.norm(bounds[1] - bounds[0]))
    largest = float(np.abs(np.linalg.eigvalsh(inertial.inertia)).max())
    gyration = math.sqrt(largest / mass)
    if not moves or largest < _NOTICEABLE:
        pass  # it does not enter a torque, or hardly
    elif size and gyration > _BEYOND * size:
        yield (f'{mass:g} kg with {largest:.4g} kg m^2 has a radius of gyration of {gyration:.3g} '
               f'm, and its geometry measures {size:.2g} m{_in_unit(largest, mass, size)}')
    elif gyration > LARGEST_GYRATION:
        yield (f'{mass:g} kg with {largest:.4g} kg m^2 has a radius of gyration of {gyration:.3g} '
               f'm{_in_unit(largest, mass, size or 0.3)}')
    if bounds is not None and size:
        volume = float(np.prod(np.maximum(bounds[1] - bounds[0], 0.05 * size)))
        if mass > 1.0 and mass > LARGEST_DENSITY * volume:
            yield (f'{mass:g} kg in a geometry of {size:.2g} m would be {mass / volume:.2g} '
                   f'kg/m^3; in g it would be {mass / 1000:g} kg')
    if moves and mass > LARGEST_MASS:
        yield f'has a mass of {mass:g} kg; in g it would be {mass / 1000:g} kg'
    offset = float(np.linalg.norm(com))
    outside = 0.0 if bounds is None else float(np.linalg.norm(
        com - np.clip(com, *bounds)))
    if size and outside > max(_BEYOND * size, 0.2):
        yield (f'its centre of mass is {outside:.3g} m away from its geometry, which measures '
               f'{size:.2g} m{_in_length_unit(offset, size)}')
    elif offset > LARGEST_OFFSET:
        yield (f'its centre of mass is {offset:.3g} m away from its origin'
               f'{_in_length_unit(offset, 0.0)}')


def _too_little(inertial: Inertial, boxes: Iterable[Optional[Bounds]]) -> Iterator[str]:
    """Doubt a body (kg, kg m^2) that is too light or too compact for its largest link."""
    edges = [box[1] - box[0] for box in boxes if box is not None]
    if inertial.mass <= 0.0 or not edges:
        return
    size = max(float(np.linalg.norm(edge)) for edge in edges)
    volume = max(float(np.prod(np.maximum(edge, 0.05 * size))) for edge in edges)
    if size > 0.1 and inertial.mass < SMALLEST_DENSITY * volume:
        yield (f'with all that is fixed to it {inertial.mass:g} kg in a geometry of {size:.2g} m '
               f'would be {inertial.mass / volume:.2g} kg/m^3, about as light as air; in t it '
               f'would be {1000 * inertial.mass:g} kg')
    largest = float(np.linalg.eigvalsh(inertial.inertia).max())
    solid = inertial.mass * (_SOLID * size)**2
    if solid > 0.1 * _NOTICEABLE and 0.0 <= largest < inertial.mass * (
            SMALLEST_GYRATION * size)**2:
        yield (f'with all that is fixed to it {inertial.mass:g} kg with {largest:.2g} kg m^2 '
               f'would be nearly a point, and its geometry measures {size:.2g} m: a solid of '
               f'that size has about {solid:.2g} kg m^2')


def _in_unit(largest: float, mass: float, size: float) -> str:
    """Name the unit in which the inertia would fit a body of this size."""
    def misfit(unit: Tuple[str, float]) -> float:
        return abs(math.log(math.sqrt(largest * unit[1] / mass) / (0.25 * size)))
    name, factor = min(_INERTIA_UNITS, key=misfit)
    if misfit((name, factor)) > math.log(10.0):
        return ''
    return f'; in {name} it would be {math.sqrt(largest * factor / mass):.2g} m'


def _in_length_unit(offset: float, size: float) -> str:
    name, factor = ('mm', 1e-3) if offset > 100.0 * size else ('cm', 1e-2)
    return f'; in {name} it would be {factor * offset:.2g} m'


class _Sizes:
    """Bounds of links, with meshes where their files are found; and what is odd about meshes."""

    def __init__(self, contents: Contents) -> None:
        self.notes: List[Note] = []
        self._contents = contents
        self._bounds_of: Callable[[str], Optional[Bounds]] = lru_cache(None)(self._mesh)
        self._told: Dict[str, None] = {}

    def bounds(self, link: str) -> Optional[Bounds]:
        """Return the box around all shapes of a link, or None if one is of unknown size."""
        corners: List[FloatArray] = []
        for shape in self._contents.shapes.get(link, ()):
            box = self._of_shape(link, shape)
            if box is None:
                return None
            signs = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1)
            inner = np.where(signs.T, box[1], box[0])
            corners.append(np.array(shape.centre) + inner @ shape.R.T)
        if not corners:
            return None
        every = np.vstack(corners)
        return every.min(axis=0), every.max(axis=0)

    def _of_shape(self, link: str, shape: Shape) -> Optional[Bounds]:
        if shape.kind != 'mesh':
            return -np.array(shape.half), np.array(shape.half)
        box = self._bounds_of(shape.mesh)
        scale = np.abs(shape.scale)
        if box is None:
            if scale.max() >= 100.0:
                self._tell(link, shape, f'has scale {scale.max():g}')
            return None
        ends = np.sort(np.stack([box[0] * shape.scale, box[1] * shape.scale]), axis=0)
        size = float((ends[1] - ends[0]).max())
        if size > LARGEST_MESH:
            self._tell(link, shape, f'measures {size:.3g} m; if its file is in mm, give '
                                    f'scale="{" ".join(f"{s / 1000:g}" for s in shape.scale)}" '
                                    f'for {size / 1000:.2g} m')
            return None
        return ends[0], ends[1]

    def _tell(self, link: str, shape: Shape, text: str) -> None:
        if shape.mesh not in self._told:
            self._told[shape.mesh] = None
            self.notes.append(Note('warning', f"link '{link}'",
                                   f'its mesh {Path(shape.mesh).name} {text}'))

    def _mesh(self, uri: str) -> Optional[Bounds]:
        if self._contents.path is None:
            return None
        file = find_mesh(uri, self._contents.path, self._contents.package_paths)
        return None if file is None else mesh_bounds(file)


def _unlike_sides(contents: Contents) -> Iterator[Note]:
    """Compare each link of the left with its counterpart on the right."""
    for link, inertial in contents.inertials.items():
        other = next((name for name in _mirrored(link) if name in contents.inertials), None)
        if other is None:
            continue
        masses = sorted((inertial.mass, contents.inertials[other].mass))
        if masses[0] > 0.0 and masses[1] > _UNLIKE * masses[0]:
            yield Note('warning', f"link '{link}'",
                       f"has {inertial.mass:g} kg, and '{other}' on the other side has "
                       f'{contents.inertials[other].mass:g} kg')


def _mirrored(link: str) -> Iterator[str]:
    """Yield what a link of the left would be called on the right."""
    for left, right in _SIDES:
        if left in link:
            yield link.replace(left, right)
    for pattern, letter in ((_LEFT, 'r'), (_UPPER_LEFT, 'R')):
        if pattern.search(link):  # l_arm, arm_L, and fl, rl, bl, lf, lh of legs
            yield pattern.sub(rf'\g<1>{letter}\g<2>', link)
