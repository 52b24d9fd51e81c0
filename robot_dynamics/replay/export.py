"""Files from a result: JSON, Parquet, CSV.  All are written beside their name, then renamed."""

from __future__ import annotations

from contextlib import contextmanager
import json
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional

from robot_dynamics.replay.result import ReplayResult
from robot_dynamics.replay.series import columns

_ROWS = 32768


def write_summary(result: ReplayResult, path: Path) -> Path:
    """Write everything but the series as JSON."""
    with replaced(path) as scratch:
        scratch.write_text(json.dumps(result.to_dict(), indent=2, allow_nan=False) + '\n')
    return path


def write_parquet(result: ReplayResult, path: Path,
                  progress: Optional[Callable[[float], None]] = None) -> Path:
    """Write the series as Parquet (columns as in :func:`robot_dynamics.replay.series.columns`)."""
    from pyarrow import parquet
    with replaced(path) as scratch:
        writer = None
        try:
            for table in _tables(result, progress):
                if writer is None:
                    writer = parquet.ParquetWriter(
                        scratch, table.schema, compression='snappy', use_dictionary=False,
                        write_statistics=False)
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()
    return path


def write_csv(result: ReplayResult, path: Path,
              progress: Optional[Callable[[float], None]] = None) -> Path:
    """Write the series as CSV, with the same columns as the Parquet file."""
    from pyarrow import csv
    with replaced(path) as scratch:
        writer = None
        try:
            for table in _tables(result, progress):
                table = table.rename_columns([_harmless(name) for name in table.column_names])
                if writer is None:
                    writer = csv.CSVWriter(scratch, table.schema)
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()
    return path


def _harmless(header: str) -> str:
    """Keep a spreadsheet from taking a joint's name for a formula."""
    return f"'{header}" if header[:1] in ('=', '+', '-', '@', '\t', '\r') else header


def _tables(result: ReplayResult, progress: Optional[Callable[[float], None]]) -> Iterator[Any]:
    """Yield the series as Arrow tables of some ten thousand rows."""
    import pyarrow
    present = [result.joint_names.index(joint.name) for joint in result.joints]
    start: Optional[int] = None
    parts: List[Any] = []
    rows = done = 0
    for block in result.blocks():
        if start is None:
            start = int(block.samples.stamp_ns[0])
        part = columns(block, result.joint_names, present, start)
        parts.append(pyarrow.table(part))
        rows += len(block.samples.valid)
        if rows >= _ROWS:
            yield pyarrow.concat_tables(parts).combine_chunks()
            done, rows, parts = done + rows, 0, []
            if progress is not None:
                progress(done / max(result.samples, 1))
    if parts:
        yield pyarrow.concat_tables(parts).combine_chunks()


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Give a scratch name in the same directory; rename it on success, remove it otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f'.{path.name}.part')
    try:
        yield scratch
        scratch.replace(path)
    finally:
        if scratch.exists():
            scratch.unlink()
