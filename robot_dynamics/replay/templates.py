"""The HTML templates of the reports: files beside this one, filled in by Jinja2."""

from __future__ import annotations

import functools
from pathlib import Path
import re
from typing import Any, TYPE_CHECKING

from robot_dynamics.replay import figures
from robot_dynamics.replay.formatting import row, share

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, folder: Path = Path(__file__).parent, **values: Any) -> str:
    """Fill in a template of a folder or of this one; everything is escaped but figures."""
    return _environment(folder).get_template(template).render(figures=figures, **values)


@functools.lru_cache(maxsize=4)
def _environment(folder: Path) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup
    environment = Environment(
        loader=FileSystemLoader([folder, Path(__file__).parent]), autoescape=True,
        trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters.update(
        glued=_glued, row=row, share=share, svg=lambda figure: Markup(figures.svg(figure)))
    return environment


def _glued(text: str) -> str:
    """Keep the numbers of a sentence and their units on one line."""
    return re.sub(r'(\d) (N m|N|%|deg)\b', '\\1\u00a0\\2', text).replace('N m', 'N\u00a0m')
