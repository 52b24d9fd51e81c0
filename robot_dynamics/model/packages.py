"""Find a ROS package by name: on given paths, with ROS, or beside and above a file."""

from __future__ import annotations

from pathlib import Path
import re
from typing import Callable, Iterable, Iterator, Optional, Sequence

_HEIGHT = 6  # directories above a file that are searched
_NAME = re.compile(r'<name[^>]*>\s*([^<\s]+)\s*</name>')


def find_package(name: str, file: Path, paths: Sequence[Path] = (),
                 with_ros: Optional[Callable[[str], str]] = None) -> Optional[Path]:
    """
    Return the directory of a package, or None.

    Parameters
    ----------
    file : path
        The description that names it.
    paths : sequence of path
        Searched first: a package, or a directory that holds packages, as sources or installed.
    with_ros : callable, optional
        Answers the directory of an installed package, or raises.
    """
    if not name or '/' in name or name in ('.', '..'):
        return None
    for path in paths:
        found = _first(name, (path / name / 'share', path / 'share', path / 'src', path,
                              *_directories(path)))
        if found:
            return found
    if with_ros is not None:
        try:
            return Path(with_ros(name))
        except Exception:  # noqa: B902, no ROS at all, or no such package there
            pass
    return _first(name, list(file.resolve().parents)[:_HEIGHT])


def _first(name: str, places: Iterable[Path]) -> Optional[Path]:
    """Return the first that its package.xml calls so, else the first directory of that name."""
    places = list(places)
    for place in places:
        for candidate in (place, place / name, *_directories(place)):
            if _declared_name(candidate) == name:
                return candidate
    return next((candidate for place in places for candidate in (place, place / name)
                 if candidate.name == name and candidate.is_dir()), None)


def _declared_name(directory: Path) -> Optional[str]:
    try:
        match = _NAME.search((directory / 'package.xml').read_text(errors='replace'))
    except (OSError, ValueError):
        return None
    return match.group(1) if match else None


def _directories(path: Path) -> Iterator[Path]:
    try:
        yield from sorted(entry for entry in path.iterdir() if entry.is_dir())
    except OSError:
        return
