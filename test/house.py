"""What the house tests share: which files are ours, and what a file imports."""

from __future__ import annotations

import ast
from pathlib import Path
import subprocess
from typing import Iterator, List, Tuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = 'robot_dynamics'
GENERATED = {'.git', '.venv', '.mypy_cache', '.pytest_cache', '.hypothesis', '__pycache__',
             'build', 'install', 'log', 'demo_output'}


def our_files() -> List[Path]:
    """List the files of the project: what git tracks, or all of a checkout without git."""
    try:
        listed = subprocess.run(
            ['git', 'ls-files', '-z'], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        files = [ROOT / name for name in listed.split('\0') if name]
    except (OSError, subprocess.CalledProcessError):
        files = [path for path in ROOT.rglob('*')
                 if not GENERATED.intersection(path.relative_to(ROOT).parts)]
    return sorted(path for path in files if path.is_file())


def python_files() -> List[Path]:
    """List the project's Python files."""
    return [path for path in our_files() if path.suffix == '.py']


def relative(path: Path) -> str:
    """Return the path as it stands in messages."""
    return path.relative_to(ROOT).as_posix()


def imports(tree: ast.Module, module: str, is_package: bool) -> Iterator[Tuple[int, str]]:
    """
    Yield (line, dotted name) of every import in a module, within functions too.

    ``from a import b`` yields ``a.b``; relative imports are made absolute with ``module``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ''
            if node.level:
                parts = module.split('.')
                parts = parts[:len(parts) - node.level + (1 if is_package else 0)]
                origin = '.'.join(parts + ([origin] if origin else []))
            for alias in node.names:
                yield node.lineno, f'{origin}.{alias.name}'
