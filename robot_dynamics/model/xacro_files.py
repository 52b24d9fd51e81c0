"""Expand a xacro file; what goes wrong becomes one line that says what to do."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterator, Sequence

from robot_dynamics.core.errors import ModelError
from robot_dynamics.model.packages import find_package

XACRO_FIX = 'convert it: xacro robot.urdf.xacro > robot.urdf'


class _PackageMissingError(Exception):
    """A package of ``$(find)`` is nowhere."""


def expand_xacro(path: Path, arguments: Dict[str, str], package_paths: Sequence[Path]) -> bytes:
    """
    Run xacro on a file.

    Parameters
    ----------
    package_paths : sequence of path
        Where ``$(find package)`` looks first.

    Raises
    ------
    ModelError
        If xacro is not installed, or cannot expand the file.
    """
    try:
        import xacro
    except ImportError:
        raise ModelError(str(path), 'is a xacro file, and the Python module xacro is not '
                         'installed', f'pip install xacro, or {XACRO_FIX}') from None
    try:
        with _finding(path, package_paths):
            expanded = xacro.process_file(
                str(path), mappings={name: str(value) for name, value in arguments.items()})
        return bytes(expanded.toxml(encoding='utf-8'))
    # xacro raises whatever the expressions in the file raise, and exits where a file is missing
    except (Exception, SystemExit) as error:  # noqa: B902
        raise _worded(path, error, getattr(error, 'exc', None) or error) from None


def _worded(path: Path, error: BaseException, cause: BaseException) -> ModelError:
    if isinstance(cause, _PackageMissingError):
        return ModelError(
            str(path), f"its $(find {cause}) finds no package '{cause}', neither with ROS nor "
            'beside or above the file',
            'source the ROS workspace that has it, or name the directory that holds it with '
            '`package_paths=DIR`')
    reason = ' '.join(str(error).split()) or type(error).__name__
    if type(cause).__name__ == 'ArgException':
        return ModelError(str(path), f"its argument '{cause}' has no default and no value",
                          f'give one with `xacro_arguments={cause}:=VALUE`')
    return ModelError(str(path), f'xacro cannot expand it ({reason})',
                      'correct the file, or pass arguments with `xacro_arguments`')


@contextmanager
def _finding(path: Path, package_paths: Sequence[Path]) -> Iterator[None]:
    """Let ``$(find)`` also look where ROS does not; xacro has no hook for it."""
    from xacro import substitution_args

    with_ros = substitution_args._eval_find

    def find(name: str) -> str:
        found = find_package(name, path, package_paths, with_ros)
        if found is None:
            raise _PackageMissingError(name)
        return str(found)
    substitution_args._eval_find = substitution_args._eval_dict['find'] = find
    try:
        yield
    finally:
        substitution_args._eval_find = substitution_args._eval_dict['find'] = with_ros
