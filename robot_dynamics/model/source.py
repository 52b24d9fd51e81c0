"""Get hold of a description: a path or the text itself, of a sane size, in the right format."""

from __future__ import annotations

from dataclasses import dataclass
import os
from pathlib import Path
import re
import stat
from typing import Iterable, Mapping, Optional, Tuple, Union
from xml.etree.ElementTree import Element

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import as_mapping
from robot_dynamics.model.safe_xml import parse_xml
from robot_dynamics.model.xacro_files import expand_xacro, XACRO_FIX

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
_BLANK = b' \t\r\n'
_BYTE_ORDER = {b'\xef\xbb\xbf': 'utf-8', b'\xff\xfe': 'utf-16', b'\xfe\xff': 'utf-16'}
_DECLARATION = re.compile(r'<\?xml\b[^>]*\?>')
_ENCODING = re.compile(r'\s+encoding\s*=\s*("[^"]*"|\'[^\']*\')')


@dataclass(frozen=True)
class Document:
    """A description as it was written, and parsed."""

    data: bytes  #: XML; a xacro file is expanded already
    source: str  #: Where it is from, for errors
    root: Element  #: ``<robot>``
    #: Where it was read, so that what it refers to can be found; None for text
    path: Optional[Path] = None
    package_paths: Tuple[Path, ...] = ()  #: Where its packages are

    @classmethod
    def read(cls, given: PathOrText, xacro_arguments: Optional[Mapping[str, str]] = None,
             package_paths: Iterable[Union[str, os.PathLike[str]]] = ()) -> Document:
        """
        Read and parse a description.

        Parameters
        ----------
        given : path, or str or bytes that begins with '<', or Document
            A file whose name ends in ``.xacro`` is expanded where ``xacro`` can be imported.
        xacro_arguments : mapping of str to str, optional
            Arguments of the xacro file.
        package_paths : iterable of path
            Where packages that it names are looked for, beside ROS and what is around the file.

        Raises
        ------
        ModelError
            If nothing can be read, or what was read is not URDF.
        """
        if isinstance(given, Document):
            return given
        data, source, path = _read(given)
        root = parse_xml(data, source)
        paths = tuple(Path(entry) for entry in package_paths)
        if path is not None and path.suffix == '.xacro':
            arguments = as_mapping('`xacro_arguments`', xacro_arguments,
                                   'argument names to values')
            data = expand_xacro(path, dict(arguments), paths)
            root = parse_xml(data, source)
        elif xacro_arguments:
            raise ModelError(source, 'is not a .xacro file, so it takes no `xacro_arguments`',
                             'leave them out, or give the .xacro file')
        _check_format(root, source)
        return cls(data, source, root, path, paths)

    @classmethod
    def from_xml(cls, text: Union[str, bytes], source: str = 'description text') -> Document:
        """
        Take XML and nothing else: no path is opened, no xacro expanded.

        Raises
        ------
        ModelError
            If the text is not XML, or not URDF.
        """
        data = _as_bytes(text)
        if data and data.lstrip(b'\xef\xbb\xbf' + _BLANK)[:1] != b'<' and \
                data[:2] not in _BYTE_ORDER:
            shown = data[:40].decode('utf-8', 'replace')
            raise ModelError(source, f'is not XML: it begins with {shown!r}',
                             'give the text of a URDF; a path is not opened here')
        _check_size(len(data), source)
        root = parse_xml(data.lstrip(), source)
        _check_format(root, source)
        return cls(data.lstrip(), source, root)

    @property
    def text(self) -> str:
        """The same as text, with a declared encoding left out: it no longer applies."""
        head = self.data[:200]
        encoding = next((name for mark, name in _BYTE_ORDER.items() if head.startswith(mark)), '')
        if not encoding:
            declared = _ENCODING.search(head.split(b'?>')[0].decode('latin-1'))
            encoding = declared.group(1)[1:-1] if declared else 'utf-8'
        text = self.data.decode(encoding, 'surrogatepass' if 'utf' in encoding.lower()
                                else 'strict').lstrip('\ufeff')
        return _DECLARATION.sub(lambda match: _ENCODING.sub('', match.group()), text, count=1)


PathOrText = Union[str, bytes, 'os.PathLike[str]', Document]


def _read(given: Union[str, bytes, os.PathLike[str]]) -> Tuple[bytes, str, Optional[Path]]:
    """Return the bytes, a name for errors, and the path if it was one."""
    if isinstance(given, (str, bytes)):
        data = _as_bytes(given)
        start = data.lstrip(b'\xef\xbb\xbf' + _BLANK)[:1]
        if start == b'<' or isinstance(given, bytes) or not start:
            _check_size(len(data), 'description text')
            return data.lstrip(), 'description text', None
    elif not hasattr(given, '__fspath__'):
        raise ModelError('description', f'is a {type(given).__name__}',
                         'give a path or the text of a URDF')
    path = Path(os.fspath(given))  # type: ignore[arg-type]
    shown = str(path) if len(str(path)) < 200 else str(path)[:200] + '...'
    try:
        return _read_file(path, shown).lstrip(), shown, path
    except (OSError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        reason = getattr(error, 'strerror', None) or str(error)
        raise ModelError(shown, f'cannot be read ({reason})',
                         'give the path of a URDF, or its text beginning with <') from None


def _read_file(path: Path, shown: str) -> bytes:
    if path.is_dir():
        raise ModelError(shown, 'is a directory', 'give the .urdf file in it')
    if not path.exists():
        raise ModelError(shown, 'no such file',
                         'give the path of a URDF, or its text beginning with <')
    status = path.stat()
    if stat.S_ISFIFO(status.st_mode):  # <(xacro ...), /dev/stdin
        with path.open('rb') as pipe:
            data = pipe.read(MAXIMUM_BYTES + 1)
        _check_size(len(data), shown)
        return data
    if not path.is_file():
        raise ModelError(shown, 'is not a regular file', 'give the path of a URDF')
    _check_size(status.st_size, shown)
    return path.read_bytes()


def _as_bytes(text: Union[str, bytes]) -> bytes:
    """Encode a str, without the encoding that it declares: that no longer applies."""
    if isinstance(text, bytes):
        return text
    body = text.lstrip('\ufeff \t\r\n')
    if body.startswith('<?xml'):
        body = _DECLARATION.sub(lambda match: _ENCODING.sub('', match.group()), body, count=1)
    return body.encode('utf-8', 'surrogatepass')


def _check_size(size: int, source: str) -> None:
    if size > MAXIMUM_BYTES:
        raise ModelError(source, f'has {size / 1e6:.0f} MB, more than '
                                 f'{MAXIMUM_BYTES / 1e6:.0f} MB', 'this is not a URDF')


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
                             XACRO_FIX + ' (or name the file .xacro)')
