"""
Logs without ROS: tables in CSV, Parquet or NPZ files, with a column for each signal.

Columns are called ``time`` [s] or ``stamp_ns``, ``JOINT/position``, ``JOINT/velocity``,
``JOINT/effort`` (SI units, or with their unit as in ``arm1/position[deg]``),
``imu/orientation/x`` to ``w``, ``imu/angular_velocity/x`` to ``z`` and
``imu/linear_acceleration/x`` to ``z``; :mod:`robot_dynamics.bags.column_names` knows other ways to
write these.  Others are renamed by a map, in which ``*`` stands for the same text on both sides,
and which may state a unit, as ``q*=joint*/position[deg]``.  An NPZ file may also hold ``names``
(J,) and the matrices ``position``, ``velocity``, ``effort`` (T, J), and ``imu/...`` as (T, 3) or
(T, 4).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
import re
from typing import Dict, Iterable, List, Mapping, Optional, Union
import zipfile

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.column_names import (
    documented, IMU_FIELDS, is_known, SIGNALS, since_1970, with_whole_stamps)
from robot_dynamics.bags.decompression import allowance
from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.bags.joint_source import JointSource
from robot_dynamics.bags.mapping import JointMapping
from robot_dynamics.bags.recorded_streams import ImuSource, RecordedStreams
from robot_dynamics.bags.text_table import read_text
from robot_dynamics.core.errors import BagError, ConfigurationError, UnknownNameError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.units import split_unit
from robot_dynamics.model.named_values import named_words
from robot_dynamics.model.robot_model import RobotModel

_LONG = 2.0  # s between rows: no robot was recorded so slowly

SUFFIXES = ('.csv', '.tsv', '.txt', '.parquet', '.npz')


def is_log(path: Union[str, Path]) -> bool:
    """Tell whether a path names a table and not a bag."""
    return Path(path).suffix.lower() in SUFFIXES


def parse_columns(text: str) -> Dict[str, str]:
    """
    Read ``COLUMN=NAME,COLUMN=NAME``, the form of ``--columns``.

    Raises
    ------
    ConfigurationError
        If a part has another form.
    """
    pairs = named_words('--columns', text.split(','))
    for column, name in pairs.items():
        if column.count('*') != name.count('*') or column.count('*') > 1:
            raise ConfigurationError(f"--columns: '{column}={name}' is not of the form "
                                     'column=name or q*=joint*/position')
    return pairs


@dataclass(frozen=True)
class Log:
    """A table of signals."""

    path: Path  #: Its file
    stamp_ns: NDArray[np.int64]  #: (T,) int64, time of each row
    columns: Dict[str, FloatArray]  #: (T,), by documented name, in SI units

    @property
    def joint_names(self) -> List[str]:
        """Joints that have positions, in the order of the columns."""
        return [name.rpartition('/')[0] for name in self.columns
                if name.endswith('/position') and not name.startswith('base/')]

    def streams(self, model: RobotModel, mapping: JointMapping) -> RecordedStreams:
        """Return the signals of the model's joints and of the IMU as streams."""
        names = sorted(mapping.to_model, key=lambda name: model.index(mapping.to_model[name]))
        source = JointSource(self.path.name, tuple(
            model.index(mapping.to_model[name]) for name in names), model)
        nothing = np.full(len(self.stamp_ns), np.nan)
        rows = np.column_stack([self.columns.get(f'{name}/{field}', nothing)
                                for field in ('position', 'velocity', 'effort')
                                for name in names])
        source.append(self.stamp_ns, self.stamp_ns, rows)
        return RecordedStreams([source] if len(source.table) else [], self._imu(), len(rows))

    def _imu(self) -> Optional[ImuSource]:
        found = {f'imu/{field}/{axis}': self.columns.get(f'imu/{field}/{axis}')
                 for field, axes in IMU_FIELDS for axis in axes}
        if all(values is None for values in found.values()):
            return None
        missing = [name for name, values in found.items() if values is None
                   and not name.startswith('imu/orientation')]
        if missing:
            raise BagError(f'{self.path}: has columns of an IMU but no {", ".join(missing)}')
        source = ImuSource(self.path.name)
        source.has_orientation = all(found[f'imu/orientation/{axis}'] is not None
                                     for axis in 'xyzw')
        source.unreported = not source.has_orientation
        still = {'imu/orientation/w': np.ones(len(self.stamp_ns))}
        rows = np.column_stack([
            (values if values is not None and (source.has_orientation or 'orientation' not in name)
             else still.get(name, np.zeros(len(self.stamp_ns))))
            for name, values in found.items()])
        rows = rows[np.isfinite(rows).all(axis=1)]
        finite = np.isfinite(np.column_stack([v for v in found.values() if v is not None])).all(1)
        stamps, keep = source.timeline.accept(self.stamp_ns[finite], self.stamp_ns[finite])
        source.table.append(stamps[keep], rows[keep])
        return source if len(source.table) else None


def read_log(path: Union[str, Path], columns: Optional[Mapping[str, str]] = None,
             rate: Optional[float] = None, findings: Optional[Findings] = None) -> Log:
    """
    Read a table.

    Parameters
    ----------
    path : path-like
        A file whose name ends in one of :data:`SUFFIXES`.
    columns : mapping, optional
        Column of the file -> documented name.
    rate : float, optional
        Rows per second, where the file has no time.
    findings : Findings, optional
        Where to note columns that were not used.

    Raises
    ------
    BagError
        If the file cannot be read, or lacks what is needed.
    """
    path = Path(path)
    raw = read_columns(path, columns or {}, strict=False)
    if 'time' not in raw and 'stamp_ns' not in raw:
        raw = with_whole_stamps(raw)
    raw = {name.replace('measured', 'effort') if name.endswith('/measured') else name: values
           for name, values in raw.items()}
    stamp_ns = _stamps(path, raw, rate, Findings() if findings is None else findings)
    known = {name: values for name, values in raw.items() if is_known(name)}
    unused = [name for name in raw if name not in known and name not in ('time', 'stamp_ns')]
    if not any(name.endswith('/position') for name in known):
        raise BagError(f'{path}: has no column JOINT/position; it has {_listing(raw)}; say which '
                       'is which with --columns, as --columns "q*=joint*/position"')
    if unused and findings is not None and not any('/computed' in name for name in unused):
        findings.add(WARNING, 'columns-unused', path.name, f'columns {_listing(unused)} have no '
                     'known name and were not used; see --columns')
    return Log(path, stamp_ns, known)


def read_columns(path: Path, columns: Mapping[str, str], strict: bool = True
                 ) -> Dict[str, FloatArray]:
    """
    Read all columns of a table, renamed by a map and in SI units where they state theirs.

    One whose unit is not known is an error; unless ``strict`` it keeps its whole header as name.
    """
    if not path.is_file():
        raise BagError(f'{path}: no such file')
    return _named(path, _read(path), columns, strict)


def _stamps(path: Path, raw: Mapping[str, FloatArray], rate: Optional[float],
            findings: Findings) -> NDArray[np.int64]:
    count = len(next(iter(raw.values()), ()))
    if rate is not None:
        if not 0 < rate < 1e6:
            raise ConfigurationError(f'--rate: is {rate:g} Hz, expected a positive number')
        return np.rint(np.arange(count) * (1e9 / rate)).astype(np.int64)
    if 'stamp_ns' in raw:
        stamps = np.rint(raw['stamp_ns']).astype(np.int64)
    elif 'time' in raw:
        time = raw['time']
        if not np.isfinite(time).all():
            row = int(np.flatnonzero(~np.isfinite(time))[0])
            raise BagError(f'{path}: time of row {row + 1} is not a number')
        time, unit = since_1970(time)
        if unit:
            findings.add(INFO, 'time-unit', path.name, f'time begins at {raw["time"][0]:.4g}: it '
                         f'counts {unit} since 1970')
        step = float(np.median(np.diff(time))) if len(time) > 1 else 0.0
        if step > _LONG:
            findings.add(WARNING, 'time-unit', path.name, f'rows are {step:.4g} s apart; if its '
                         'time is in another unit, say so as in time[ms], also with --columns')
        whole = np.floor(time)
        stamps = whole.astype(np.int64) * 10**9 + np.rint((time - whole) * 1e9).astype(np.int64)
    else:
        raise BagError(f'{path}: has no column time (s) or stamp_ns; it has {_listing(raw)}; say '
                       'which it is with --columns, or how many rows are a second with --rate')
    if len(stamps) > 1 and stamps.max() == stamps.min():
        raise BagError(f'{path}: time never changes; give --rate')
    return stamps


def _named(path: Path, raw: Mapping[str, FloatArray], columns: Mapping[str, str],
           strict: bool) -> Dict[str, FloatArray]:
    """Rename columns and bring those that state a unit to SI units."""
    named: Dict[str, FloatArray] = {}
    origin: Dict[str, str] = {}
    used = set()
    for header, values in raw.items():
        plain, factor, unit = split_unit(header)
        name, by_name = documented(plain)
        mapped = False
        for pattern, target in columns.items():
            wanted = re.escape(pattern).replace(r'\*', '(.+)')
            match = re.fullmatch(wanted, plain) or re.fullmatch(wanted, header)
            if match is not None:
                name, given, unit_given = split_unit(
                    target.replace('*', match[1]) if '*' in target else target)
                factor, unit = (given, unit_given) if unit_given else (factor, unit)
                mapped, by_name = True, 1.0
                used.add(pattern)
        if factor is None:
            if strict or name == 'time':
                raise BagError(f'{path}: column {header!r} states a unit that is not known '
                               f'({unit!r})')
            name, factor = header, 1.0
        elif by_name != 1.0 and not unit:
            factor = by_name
        if name in named and (mapped or name != 'time'):
            raise BagError(f'{path}: columns {origin[name]!r} and {header!r} are both {name}; '
                           'say which it is with --columns')
        if name not in named:
            named[name], origin[name] = values if factor == 1.0 else factor * values, header
    for pattern in columns:
        if pattern not in used:
            raise UnknownNameError('column', pattern, raw)
    return named


def _read(path: Path) -> Dict[str, FloatArray]:
    suffix = path.suffix.lower()
    try:
        if suffix == '.parquet':
            return _read_parquet(path)
        return _read_npz(path) if suffix == '.npz' else read_text(path)
    except (OSError, ValueError, csv.Error, zipfile.BadZipFile) as error:
        raise BagError(f'{path}: cannot be read ({" ".join(str(error).split())[:120]})') from error


def _read_parquet(path: Path) -> Dict[str, FloatArray]:
    from pyarrow import ArrowException, parquet
    try:
        table = parquet.read_table(path)
    except ArrowException as error:
        raise ValueError(str(error)) from error
    return {name: np.asarray(column.to_numpy(), np.float64)
            for name, column in zip(table.column_names, table.columns)
            if str(column.type) in ('double', 'float', 'bool')
            or str(column.type).startswith(('int', 'uint'))}


def _read_npz(path: Path) -> Dict[str, FloatArray]:
    with zipfile.ZipFile(path) as archive:
        total = sum(item.file_size for item in archive.infolist())
    if total > allowance(path.stat().st_size):
        raise ValueError('unpacks to more than a recording would: a decompression bomb')
    out: Dict[str, FloatArray] = {}
    with np.load(path, allow_pickle=False) as arrays:
        names = [str(name) for name in np.ravel(arrays['names'])] if 'names' in arrays else []
        for key in arrays.files:
            if key == 'names':
                continue
            values = np.asarray(arrays[key], np.float64)
            axes = dict(IMU_FIELDS).get(key.removeprefix('imu/'), '') if key.startswith('imu/') \
                else ''
            labels = [f'{key}/{axis}' for axis in axes] or [
                f'{name}/{SIGNALS.get(key, key)}' for name in names]
            if values.ndim == 1:
                out[key] = values
            elif values.ndim == 2 and values.shape[1] == len(labels):
                out.update(zip(labels, values.T))
            else:
                raise ValueError(f'{key} has shape {values.shape}, expected (T,) or '
                                 f'(T, {len(labels)}) for names {", ".join(labels) or "(none)"}')
    if len({len(values) for values in out.values()}) > 1:
        raise ValueError('its arrays have different lengths')
    return out


def _listing(names: Iterable[str]) -> str:
    words = list(names)
    return ', '.join(words[:8]) + (f' and {len(words) - 8} more' if len(words) > 8 else '')
