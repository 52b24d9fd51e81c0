"""Tables and time histories that a recomputed paper consists of, and their CSV files."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, List, Protocol, Sequence, Tuple, Union

import numpy as np

from robot_dynamics.core.gate import FloatArray

Cell = Union[str, int, float]


@dataclass(frozen=True)
class ResultTable:
    """
    One table of a recomputed paper.

    Attributes
    ----------
    name : str
        Stem of its CSV file.
    title : str
        What it shows, with the unit.
    header : sequence of str
    rows : sequence of sequence of str, int or float
        Full numbers; they are rounded only when they are shown.
    pattern : str
        Format of the shown floats.
    note : str
        A sentence to print below, or nothing.
    """

    name: str
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    pattern: str = '.4f'
    note: str = ''

    def shown(self) -> List[List[str]]:
        """Return the rows as text, floats in ``pattern`` and without a negative zero."""
        return [[self._cell(value) for value in row] for row in self.rows]

    def _cell(self, value: Cell) -> str:
        if not isinstance(value, float):
            return str(value)
        text = format(value, self.pattern)
        return text[1:] if text.startswith('-') and float(text) == 0 else text


@dataclass(frozen=True)
class TimeHistory:
    """
    Columns over time, for a CSV file.

    Attributes
    ----------
    name : str
        Stem of the file.
    header : sequence of str
        One name a column, the first one that of time.
    columns : ndarray, (T, len(header))
    """

    name: str
    header: Sequence[str]
    columns: FloatArray


class PaperResult(Protocol):
    """What ``compute`` of every paper returns."""

    def tables(self) -> List[ResultTable]:
        """Return the tables to print and to save."""

    def findings(self) -> List[str]:
        """Return the sentences that a reader should take home."""

    def series(self) -> List[TimeHistory]:
        """Return what is only saved."""


def write_csv(result: PaperResult, directory: Path) -> List[Path]:
    """
    Write every table and time history of a result with all digits.

    Returns
    -------
    list of Path
        The files, in the order of the result.
    """
    directory.mkdir(parents=True, exist_ok=True)
    contents: List[Tuple[str, Sequence[str], Iterable[Sequence[Cell]]]] = [
        (table.name, table.header, table.rows) for table in result.tables()]
    contents += [(history.name, history.header, history.columns.tolist())
                 for history in result.series()]
    written = []
    for name, header, rows in contents:
        path = directory / f'{name}.csv'
        with path.open('w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerow(header)
            writer.writerows(rows)
        written.append(path)
    return written


def largest(error: FloatArray) -> List[float]:
    """Return the largest magnitude of each column."""
    return [float(value) for value in np.abs(error).max(axis=0)]


def root_mean_square(error: FloatArray) -> List[float]:
    """Return the root mean square of each column."""
    return [float(value) for value in np.sqrt((error**2).mean(axis=0))]
