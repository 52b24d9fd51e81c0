"""How large a mesh is in its own file: STL and OBJ, which name no unit, and Collada, in m."""

from __future__ import annotations

from pathlib import Path
import re
from typing import Optional, Sequence, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.collada import collada_corners
from robot_dynamics.model.packages import find_package

SUFFIXES = ('.stl', '.obj', '.dae')
MAXIMUM_BYTES = 100 * 1000 * 1000
_TRIANGLE = np.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('extra', '<u2')])
_HEAD = 84  # bytes before the triangles of a binary STL
_VERTEX = re.compile(rb'^\s*v(?:ertex)?\s+(\S+)\s+(\S+)\s+(\S+)', re.MULTILINE)


def find_mesh(uri: str, file: Path, package_paths: Sequence[Path] = ()) -> Optional[Path]:
    """Return the file of a mesh that a description names, or None."""
    if uri.startswith(('package://', 'model://')):
        package, _, rest = uri.partition('://')[2].partition('/')
        directory = find_package(package, file, package_paths)
        path = directory / rest if directory else None
    else:
        path = file.parent / uri.removeprefix('file://')
    try:
        return path if path is not None and path.is_file() else None
    except (OSError, ValueError):
        return None


def mesh_bounds(path: Path) -> Optional[Tuple[FloatArray, FloatArray]]:
    """Return the smallest and the largest coordinates, (3,) each, or None if unreadable."""
    try:
        if path.suffix.lower() not in SUFFIXES or path.stat().st_size > MAXIMUM_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    try:
        with np.errstate(over='ignore', invalid='ignore'):
            corners = _corners(data, path.suffix.lower())
    except ValueError:
        return None
    if not len(corners) or not np.isfinite(corners).all():
        return None
    return corners.min(axis=0).astype(float), corners.max(axis=0).astype(float)


def _corners(data: bytes, suffix: str) -> FloatArray:
    if suffix == '.dae':
        return collada_corners(data)
    count = int.from_bytes(data[_HEAD - 4:_HEAD], 'little')
    if suffix == '.stl' and len(data) == _HEAD + count * _TRIANGLE.itemsize:
        triangles = np.frombuffer(data, _TRIANGLE, count, _HEAD)
        return np.asarray(triangles['corners'].reshape(-1, 3), dtype=np.float64)
    return np.array(_VERTEX.findall(data), dtype=np.float64).reshape(-1, 3)
