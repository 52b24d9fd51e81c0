"""Get hold of a description: a path or the text itself, of a sane size, in the right format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Dict, Mapping, Optional, Tuple, Union
from xml.etree.ElementTree import Element

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import as_mapping
from robot_dynamics.model.safe_xml import parse_xml

PathOrText = Union[str, bytes, 'os.PathLike[str]']

MAXIMUM_BYTES = 100 * 1000 * 1000

_OTHER_FORMATS = {
    'mujoco': ('MJCF (MuJoCo)', 'export a URDF from the tool that made it'),
    'mujocoinclude': ('MJCF (MuJoCo)', 'export a URDF from the tool that made it'),
    'sdf': ('SDF (Gazebo)', 'use the URDF that it was made from, or convert it with sdf2urdf'),
    'gazebo': ('SDF (Gazebo)', 'use the URDF that it was made from, or convert it with sdf2urdf'),
    'world': ('SDF (Gazebo)', 'use the URDF that it was made from, or convert it with sdf2urdf'),
    'model': ('SDF (Gazebo)', 'use the URDF that it was made from, or convert it with sdf2urdf'),
    'COLLADA': ('COLLADA', 'convert it with collada_to_urdf'),
}
_XACRO_FIX = 'convert it: xacro robot.urdf.xacro > robot.urdf'


def read_robot_element(path_or_text: PathOrText,
                       xacro_arguments: Optional[Mapping[str, str]] = None) -> Element:
    """
    Read and parse a description up to its ``<robot>`` element.

    Parameters
    ----------
    path_or_text : path, or str or bytes that begins with '<'
        A file whose name ends in ``.xacro`` is expanded where ``xacro`` can be imported.
    xacro_arguments : mapping of str to str, optional
        Arguments of the xacro file.

    Raises
    ------
    ModelError
        If nothing can be read, or what was read is not URDF.
    """
    document, source, path = _read(path_or_text)
    root = parse_xml(document, source)
    if path is not None and path.suffix == '.xacro':
        given = as_mapping('xacro_arguments', xacro_arguments, 'argument names to values')
        root = parse_xml(_expand_xacro(path, dict(given)), source)
    elif xacro_arguments:
        raise ModelError(source, 'is not a .xacro file, so it takes no xacro_arguments',
                         'leave them out, or give the .xacro file')
    _check_format(root, source)
    return root


def _read(path_or_text: PathOrText) -> Tuple[bytes, str, Optional[Path]]:
    """Return the bytes, a name for errors, and the path if it was one."""
    if isinstance(path_or_text, (str, bytes)):
        text = path_or_text.encode('utf-8', 'surrogatepass') \
            if isinstance(path_or_text, str) else path_or_text
        start = text.lstrip(b'\xef\xbb\xbf \t\r\n')[:1]
        if start == b'<' or isinstance(path_or_text, bytes) or not start:
            _check_size(len(text), 'description text')
            if isinstance(path_or_text, str):
                text = _without_encoding(text)
            return text.lstrip(), 'description text', None
    elif not hasattr(path_or_text, '__fspath__'):
        raise ModelError('description', f'is a {type(path_or_text).__name__}',
                         'give a path or the text of a URDF')
    path = Path(os.fspath(path_or_text))  # type: ignore[arg-type]
    shown = str(path) if len(str(path)) < 200 else str(path)[:200] + '...'
    try:
        if path.is_dir():
            raise ModelError(shown, 'is a directory', 'give the .urdf file in it')
        if not path.exists():
            raise ModelError(shown, 'no such file',
                             'give the path of a URDF, or its text beginning with <')
        if not path.is_file():
            raise ModelError(shown, 'is not a regular file', 'give the path of a URDF')
        _check_size(path.stat().st_size, shown)
        return path.read_bytes().lstrip(), shown, path
    except (OSError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        reason = getattr(error, 'strerror', None) or str(error)
        raise ModelError(shown, f'cannot be read ({reason})',
                         'give the path of a URDF, or its text beginning with <') from None


def _check_size(size: int, source: str) -> None:
    if size > MAXIMUM_BYTES:
        raise ModelError(source, f'has {size / 1e6:.0f} MB, more than '
                                 f'{MAXIMUM_BYTES / 1e6:.0f} MB', 'this is not a URDF')


def _without_encoding(text: bytes) -> bytes:
    """Drop the XML declaration of a str: its encoding no longer applies."""
    body = text.lstrip(b'\xef\xbb\xbf \t\r\n')
    if body.startswith(b'<?xml') and b'?>' in body:
        declaration, rest = body.split(b'?>', 1)
        return b'\n' * declaration.count(b'\n') + rest if rest.strip() else rest
    return body


def _check_format(root: Element, source: str) -> None:
    """Refuse other formats by name, and xacro that has not been expanded."""
    if root.tag in _OTHER_FORMATS:
        name, fix = _OTHER_FORMATS[root.tag]
        raise ModelError(source, f'is {name}, not URDF', fix)
    if root.tag != 'robot':
        raise ModelError(source, f'its root element is <{root.tag:.60}>, not <robot>',
                         'give a URDF')
    for element in root.iter():
        if element.tag.startswith('xacro:'):
            raise ModelError(source, f'contains <{element.tag}>: it is xacro, not URDF',
                             _XACRO_FIX + ' (or name the file .xacro)')


def _expand_xacro(path: Path, arguments: Dict[str, str]) -> bytes:
    """Run xacro on a file; its errors become one clear line."""
    try:
        import xacro
    except ImportError:
        raise ModelError(str(path), 'is a xacro file, and the Python module xacro is not '
                         'installed', f'pip install xacro, or {_XACRO_FIX}') from None
    try:
        expanded = xacro.process_file(
            str(path), mappings={name: str(value) for name, value in arguments.items()})
        return bytes(expanded.toxml(encoding='utf-8'))
    # xacro raises whatever the expressions in the file raise, and exits where a file is missing
    except (Exception, SystemExit) as error:  # noqa: B902
        reason = ' '.join(str(error).split()) or type(error).__name__
        raise ModelError(str(path), f'xacro cannot expand it ({reason})',
                         'correct the file, or pass xacro_arguments') from None
