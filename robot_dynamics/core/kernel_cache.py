"""
Keep compiled kernels between processes.

numba's own cache is keyed on one file's time stamp and goes stale when a callee in another
file changes.  Here the key is a digest of everything that decides the machine code: the
generated source, the signature, the versions of Python, numba and LLVM, and the processor.

Machine code finds its functions by name.  numba tells functions of one name apart by a counter
that begins anew in every process, so that of two kernels from two processes one could call
what the other calls: here the digest of its text is part of every function's name.

The files are pickles of machine code, so they are read only from a directory that belongs to
this user and that nobody else can write, and only if their digest is right.  A cache that is
damaged, foreign or not writable means compiling again; it never fails.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import os
from pathlib import Path
import pickle
import stat
import sys
import tempfile
from types import ModuleType
from typing import Any, Callable, FrozenSet, Mapping, Optional, Sequence, TypeVar

from robot_dynamics.core.compiler import options as compiler_options

LOGGER = logging.getLogger(__name__)
_Function = TypeVar('_Function', bound=Callable[..., Any])
VARIABLE = 'ROBOT_DYNAMICS_CACHE'
FORM = 'functions named by their text'  # kernels of an earlier form are not read
MOST_FILES = 1000


def cache_directory() -> Optional[Path]:
    """
    Return the directory of compiled kernels, or None where there is to be none.

    ``ROBOT_DYNAMICS_CACHE`` names another directory; set to nothing, it turns the cache off.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get('XDG_CACHE_HOME')
    try:
        return (Path(base) if base else Path.home() / '.cache') / 'robot_dynamics'
    except RuntimeError:  # no home directory
        return None


def cached_kernel(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """
    Compile a function with numba on its first call, and keep it here instead of in numba's cache.

    It may use what its own file defines, and nothing of other files that changes.
    """
    import numba
    source = inspect.getsource(sys.modules[function.__module__])
    kernel: Any = numba.njit(**options)(named_by(source)(function))
    chosen = sorted((name, sorted(value) if isinstance(value, (set, frozenset)) else value)
                    for name, value in options.items())
    kernel._cache = KernelCache(f'{source}{function.__name__}{chosen!r}')
    return kernel  # type: ignore[no-any-return]


def named_by(text: str) -> Callable[[_Function], _Function]:
    """Return what puts the digest of its text into the name that a function has when compiled."""
    digest = hashlib.sha256(text.encode()).hexdigest()

    def name(function: _Function) -> _Function:
        function.__qualname__ = f'{function.__name__}_{digest}'
        return function

    return name


def compiled_entries(module: ModuleType, source: str, flags: FrozenSet[str],
                     signatures: Mapping[str, Sequence[Any]],
                     names: Optional[Mapping[str, Any]] = None) -> list[Callable[..., Any]]:
    """
    Compile functions of a text for the types that they will see, and for no others, ever.

    Parameters
    ----------
    module : module
        Into which cached kernels are loaded back, and whose file tracebacks show.
    source : str
        With everything that the entries call.
    flags : set of str
        See :mod:`.compiler`.
    signatures : mapping
        The numba types of the arguments of each entry, by its name.
    names : mapping, optional
        What the text uses and does not define.

    Returns
    -------
    list of callable
        The entries, in the order of their signatures.
    """
    import numba
    namespace: dict[str, Any] = {'__name__': module.__name__, **(names or {})}
    exec(compile(source, str(module.__file__), 'exec'), namespace)  # our own text
    for name, function in list(namespace.items()):
        if inspect.isfunction(function):
            chosen = compiler_options(flags, inner=name not in signatures)
            namespace[name] = numba.njit(**chosen)(named_by(source)(function))
    for name, signature in signatures.items():
        entry = namespace[name]
        entry._cache = KernelCache(f'{source}{name}{sorted(flags)}')
        entry.compile(tuple(signature))
        entry.disable_compile()
    return [namespace[name] for name in signatures]


class KernelCache:
    """
    The cache of one kernel, in the form that a numba dispatcher calls.

    Parameters
    ----------
    source : str
        Everything that the kernel runs, including what it inlines.
    """

    def __init__(self, source: str) -> None:
        self._source = source

    def kept(self, signature: Any, target_context: Any) -> bool:
        """Tell whether there is a file to load."""
        path = self._path(signature, target_context)
        return path is not None and path.exists()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled kernel, or None to have it compiled."""
        try:
            target_context.refresh()
            path = self._path(signature, target_context)
            if path is None or not path.exists():
                return None
            if not _private(path.parent) or not _private(path):
                LOGGER.warning('%s is not used: it must belong to you and be writable by '
                               'nobody else (chmod go-w)', path.parent)
                return None
            content = path.read_bytes()
            digest, payload = content[:32], content[32:]
            if hashlib.sha256(payload).digest() != digest:
                LOGGER.warning('%s is damaged and is compiled again', path)
                path.unlink()
                return None
            from numba.core.compiler import CompileResult
            return CompileResult._rebuild(  # type: ignore[no-untyped-call]
                target_context, *pickle.loads(payload))
        except Exception as error:  # noqa: B902  (whatever a broken file makes numba raise)
            LOGGER.warning('a cached kernel could not be loaded and is compiled again: %s', error)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Store a compiled kernel; a problem is logged and otherwise ignored."""
        try:
            from numba.core import serialize
            path = self._path(signature, compiled.target_context)
            if path is None:
                return
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _private(path.parent):
                return
            payload = serialize.dumps(  # type: ignore[no-untyped-call]
                compiled._reduce())
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, 'wb') as stream:
                stream.write(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, path)
            _prune(path.parent)
        except Exception as error:  # noqa: B902  (keeping it is a convenience)
            LOGGER.info('the compiled kernel is not kept: %s', error)

    def flush(self) -> None:
        """Do nothing; a changed kernel has another key."""

    def _path(self, signature: Any, target_context: Any) -> Optional[Path]:
        directory = cache_directory()
        if directory is None:
            return None
        import llvmlite
        import numba
        codegen = target_context.codegen()
        identity = (FORM, self._source, repr(signature), sys.version, numba.__version__,
                    llvmlite.__version__, repr(codegen.magic_tuple()))
        return directory / (hashlib.sha256('\0'.join(identity).encode()).hexdigest() + '.kernel')


def _private(path: Path) -> bool:
    """Tell whether a path is this user's own and writable by nobody else."""
    if not hasattr(os, 'getuid'):
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _prune(directory: Path) -> None:
    """Drop the oldest kernels above :data:`MOST_FILES`."""
    files = sorted(directory.glob('*.kernel'), key=lambda file: file.stat().st_mtime)
    for file in files[:-MOST_FILES]:
        file.unlink(missing_ok=True)
