"""Tables in text files as tools write them: other separators, decimal commas, titles, units."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.units import split_unit

_SEPARATORS = (';', '\t', ',', ' ')
_TOP = 20  # lines among which the header is


def read_text(path: Path) -> Dict[str, FloatArray]:
    """
    Read a table with a header; a second header line of units is added to the names.

    Lines that begin with ``#`` are remarks, except the last before the numbers where no other line
    is a header.

    Raises
    ------
    ValueError
        If it is no table, or two columns have one name.
    """
    with path.open(newline='', encoding='utf-8-sig', errors='replace') as file:
        lines = (line for line in file if line.strip())
        top = list(islice(lines, _TOP))
        header, begin, separator = _header(top)
        rows = [[_number(word, separator) for word in row]
                for row in _cells(_no_remarks(_chained(top[begin:], lines)), separator)]
    if not rows:
        raise ValueError('has no rows')
    if len(set(header)) < len(header):
        raise ValueError(f'two columns are called {max(header, key=header.count)!r}')
    table = np.full((len(rows), len(header)), np.nan)
    for i, row in enumerate(rows):
        if len(row) < len(header) or len(row) > len(header) + 1:
            raise ValueError(f'row {i + 1} has {len(row)} values where the header has '
                             f'{len(header)}')
        table[i] = row[:len(header)]
    return dict(zip(header, np.ascontiguousarray(table.T)))


def _header(top: List[str]) -> Tuple[List[str], int, str]:
    """Return the names of the columns, the number of the first line of values, the separator."""
    for i, line in enumerate(top):
        text = line.lstrip('#').strip()
        separator = next((mark for mark in _SEPARATORS if mark in text), ',')
        names, = _cells([text], separator) or [[]]
        if all(_is_number(word, separator) for word in names):
            break  # values, and nothing above them was a header
        after = _cells(top[i + 1:i + 2], separator)
        if after and (len(after[0]) in (len(names), len(names) + 1)) and not (
                top[i + 1].startswith('#')):
            units = [split_unit(f'x[{word}]')[1] for word in after[0]]
            if not any(_is_number(word, separator) for word in after[0]) and all(
                    unit is not None for unit in units):
                return [f'{name}[{unit}]' if split_unit(name)[2] == '' and unit else name
                        for name, unit in zip(names, after[0])], i + 2, separator
            return names, i + 1, separator
        if len(top) == 1:
            return names, 1, separator
    first = top[0].lstrip('#').strip() if top else ''
    separator = next((mark for mark in _SEPARATORS if mark in first), ',')
    names, = _cells([first], separator) or [[]]
    if not names or all(_is_number(word, separator) for word in names):
        raise ValueError('its first line is no header; name the columns there')
    return names, 1, separator


def _cells(lines: Iterable[str], separator: str) -> List[List[str]]:
    return [[word.strip() for word in row]
            for row in csv.reader(lines, delimiter=separator, skipinitialspace=True)]


def _no_remarks(lines: Iterable[str]) -> Iterator[str]:
    return (line for line in lines if not line.startswith('#'))


def _chained(first: List[str], rest: Iterable[str]) -> Iterator[str]:
    yield from first
    yield from rest


def _is_number(word: str, separator: str) -> bool:
    value = _number(word, separator)
    return value == value or word.lower() in ('nan', '')


def _number(word: str, separator: str) -> float:
    try:
        return float(word if separator == ',' else word.replace(',', '.'))
    except ValueError:
        return {'true': 1.0, 'false': 0.0}.get(word.strip().lower(), float('nan'))
