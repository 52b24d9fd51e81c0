"""Which files an analysis leaves, and writing them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, Optional, Tuple

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.extras import require
from robot_dynamics.replay.export import write_csv, write_parquet, write_summary
from robot_dynamics.replay.replay_bag import write_replay_bag
from robot_dynamics.replay.result import ReplayResult

Share = Callable[[str, float], None]

FILES: Dict[str, str] = {
    'json': 'summary.json', 'html': 'report.html', 'parquet': 'series.parquet',
    'csv': 'series.csv', 'mcap': 'replay.mcap'}
"""Format -> file name."""

DEFAULT_FORMATS = ('json', 'html', 'parquet')

_NEEDS = {'html': ('jinja2', 'matplotlib'), 'parquet': ('pyarrow',), 'csv': ('pyarrow',)}


@dataclass(frozen=True)
class Outputs:
    """Where to write and what."""

    directory: str  #: Is made if it does not exist
    formats: Tuple[str, ...] = DEFAULT_FORMATS  #: Keys of :data:`FILES`

    def __post_init__(self) -> None:
        for name in self.formats:
            if name not in FILES:
                raise ConfigurationError(f'format {name!r} does not exist; choose from '
                                         f'{", ".join(FILES)}')

    def check(self) -> None:
        """Refuse a format whose packages are missing, before any work is done."""
        for name in self.formats:
            require(f'--formats {name}', *_NEEDS.get(name, ()))


def write_outputs(result: ReplayResult, outputs: Outputs, progress: Optional[Share] = None
                  ) -> Tuple[str, ...]:
    """
    Write the files of one result; return their paths.

    Parameters
    ----------
    result : ReplayResult
        An open result.
    outputs : Outputs
        Where and what.
    progress : callable, optional
        Called with the file's name and the share of it that is done.
    """
    written = []
    for name in outputs.formats:
        path = Path(outputs.directory) / FILES[name]

        def report(share: float, path: Path = path) -> None:
            if progress is not None:
                progress(path.name, share)
        report(0.0)
        if name == 'json':
            write_summary(result, path)
        elif name == 'html':
            from robot_dynamics.replay.report import write_report  # loads matplotlib
            write_report(result, path)
        elif name == 'parquet':
            write_parquet(result, path, report)
        elif name == 'csv':
            write_csv(result, path, report)
        else:
            write_replay_bag(result, path, report)
        written.append(str(path))
    return tuple(written)
