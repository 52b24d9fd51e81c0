"""Logs without ROS give what the same motion in a bag gives, or one line on what is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict

import numpy as np
import pytest
from replay_bags import PA10, START_NS, Truth, write

from robot_dynamics.app.cli import main
from robot_dynamics.bags.findings import Findings
from robot_dynamics.bags.log_file import parse_columns, read_log
from robot_dynamics.bags.mapping import map_joints
from robot_dynamics.core.errors import BagError, ConfigurationError, UnknownNameError
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions


def columns(motion: Truth) -> Dict[str, Any]:
    """Return the motion as columns with documented names."""
    out: Dict[str, Any] = {'time': (motion.stamp_ns - START_NS) * 1e-9 + 5.0}
    for j, name in enumerate(motion.names):
        out[f'{name}/position'] = motion.q[:, j]
        out[f'{name}/velocity'] = motion.qd[:, j]
        out[f'{name}/effort'] = motion.effort[:, j]
    for field, values in (('orientation', motion.quat_xyzw),
                          ('angular_velocity', motion.angular_velocity),
                          ('linear_acceleration', motion.specific_force)):
        for axis, column in zip('xyzw', values.T):
            out[f'imu/{field}/{axis}'] = column
    return out


def save(path: Path, table: Dict[str, Any], separator: str = ',') -> Path:
    """Write columns in the format that the name says."""
    if path.suffix == '.npz':
        np.savez_compressed(path, **table)
    elif path.suffix == '.parquet':
        import pyarrow
        from pyarrow import parquet
        parquet.write_table(pyarrow.table(table), path)
    else:
        rows = np.column_stack(list(table.values()))
        np.savetxt(path, rows, '%.17g', separator, header=separator.join(table), comments='')
    return path


@pytest.mark.parametrize('name', ['a.csv', 'a.tsv', 'a.parquet', 'a.npz'])
def test_a_log_gives_what_the_bag_gives(motion: Truth, bag: Path, tmp_path: Path, name: str
                                        ) -> None:
    path = save(tmp_path / name, columns(motion), '\t' if name.endswith('.tsv') else ',')
    result, expected = analyze_bag(path, PA10), analyze_bag(bag, PA10)
    assert result.base.known and result.samples == expected.samples
    for ours, theirs in zip(result.joints, expected.joints):
        assert ours.residual_rms == pytest.approx(theirs.residual_rms, rel=1e-3, abs=1e-6)


def test_matrices_of_an_npz_file_go_with_their_names(motion: Truth, tmp_path: Path) -> None:
    path = tmp_path / 'a.npz'
    np.savez(path, time=(motion.stamp_ns - START_NS) * 1e-9, names=np.array(motion.names),
             position=motion.q, velocity=motion.qd, effort=motion.effort,
             **{'imu/angular_velocity': motion.angular_velocity,
                'imu/linear_acceleration': motion.specific_force,
                'imu/orientation': motion.quat_xyzw})
    assert min(j.explained for j in analyze_bag(path, PA10).joints) > 0.9999


def test_columns_are_renamed_by_a_map_and_rows_timed_by_a_rate(motion: Truth, tmp_path: Path
                                                               ) -> None:
    table = {f'q{j + 1}[deg]': np.degrees(motion.q[:, j]) for j in range(6)}
    table.update({f'tau{j + 1} (N m)': motion.effort[:, j] for j in range(6)})
    path = save(tmp_path / 'kuka.csv', table, ';')
    options = ReplayOptions(
        columns=parse_columns('q*=joint*/position, tau*=joint*/effort'), rate=100.0)
    result = analyze_bag(path, PA10, options)
    assert result.rate == pytest.approx(100.0)
    with_base = analyze_bag(write(tmp_path / 'a.mcap', motion, imu=False), PA10)
    assert result.joint('joint2').residual_rms == pytest.approx(
        with_base.joint('joint2').residual_rms, rel=0.05)


def test_the_series_that_the_analysis_writes_is_a_log_itself(bag: Path, tmp_path: Path,
                                                             capsys: Any) -> None:
    out = tmp_path / 'out'
    assert main(['analyze', str(bag), '--robot', 'pa10', '--output', str(out), '--formats',
                 'csv']) == 0
    capsys.readouterr()
    assert main(['analyze', str(out / 'series.csv'), '--robot', 'pa10', '--imu-topic', 'none',
                 '--formats', 'none', '--json']) == 0
    summary = json.loads(capsys.readouterr().out)
    assert [joint['name'] for joint in summary['joints']] == [f'joint{i}' for i in range(1, 7)]
    assert all(joint['samples'] > 1000 for joint in summary['joints'])


@pytest.mark.parametrize('change, says', [
    ({'time': None}, 'has no column time .* --rate'),
    ({'time': 0.0}, 'time never changes'),
    ({'time': np.nan}, 'time of row 1 is not a number'),
    ({'imu/angular_velocity/y': None}, 'no imu/angular_velocity/y'),
    ({'time[fortnight]': 1.0}, "unit that is not known .'fortnight'")])
def test_what_is_missing_is_named_in_one_line(motion: Truth, tmp_path: Path,
                                              change: Dict[str, Any], says: str) -> None:
    table = columns(motion)
    for name, value in change.items():
        table.pop(name, None)
        if value is not None:
            table[name] = np.full(len(motion.q), value)
    with pytest.raises(BagError, match=says):
        analyze_bag(save(tmp_path / 'a.csv', table), PA10)


def test_a_log_without_positions_lists_its_columns(tmp_path: Path) -> None:
    path = save(tmp_path / 'a.csv', {'t': np.arange(5.0), 'q1': np.zeros(5)})
    with pytest.raises(BagError, match=r'no column JOINT/position.*time, q1.*--columns'):
        read_log(path)
    with pytest.raises(UnknownNameError, match='known: q1, t'):
        read_log(path, {'qq1': 'joint1/position'})


def other(motion: Truth, rename: Callable[[str], str], time: Any = 1.0, angle: float = 1.0,
          beside: str = ',', top: str = '', comma: str = '.', units: str = '') -> str:
    """Write the motion's joints as another tool does; rename makes the headers."""
    table = {name: values for name, values in columns(motion).items() if 'imu' not in name}
    table['time'] = table['time'] * time
    lines = [beside.join(f'{(angle if "pos" in name or "vel" in name else 1.0) * values[row]:.15g}'
                         .replace('.', comma) for name, values in table.items())
             for row in range(len(motion.q))]
    header = beside.join(map(rename, table))
    return '\n'.join([*filter(None, [top, header, units]), *lines])


FROM_RAD = 180 / np.pi
OTHERS: Dict[str, Dict[str, Any]] = {
    'capitals and units of time': {'rename': lambda n: n.replace('time', 'Time[ms]'), 'time': 1e3},
    'a unit behind the name': {'rename': lambda n: n.replace('time', 'timestamp_us'), 'time': 1e6},
    'PlotJuggler': {'rename': lambda n: n.replace('time', '__time').replace(
        'joint', '/joint_states/joint')},
    'fields first': {'rename': lambda n: '.'.join(n.split('/')[::-1])},
    'underscores': {'rename': lambda n: n.replace('/', '_')},
    'degrees behind the name': {'rename': lambda n: n.replace('ition', 'ition_deg').replace(
        'city', 'city_deg_s'), 'angle': FROM_RAD},
    'a line of units': {'rename': str, 'angle': FROM_RAD, 'units': ','.join(
        ['s'] + ['deg', 'deg/s', 'N·m'] * 6)},
    'decimal commas': {'rename': str, 'beside': ';', 'comma': ','},
    'a title': {'rename': str, 'top': 'measured in March'},
    'remarks': {'rename': str, 'top': '# measured in March\n# with the new drive'},
    'a header that is a remark': {'rename': lambda n: n.replace('time', '# time')},
}


@pytest.mark.parametrize('how', OTHERS.values(), ids=OTHERS.keys())
def test_a_log_written_as_another_tool_does_gives_the_same(motion: Truth, tmp_path: Path, how: Any
                                                           ) -> None:
    path = tmp_path / 'a.csv'
    path.write_text(other(motion, **how))
    log, plain = read_log(path), columns(motion)
    np.testing.assert_allclose(1e-9 * log.stamp_ns, plain['time'], atol=1e-6)
    to_model = map_joints(motion.names, log.joint_names).to_model
    assert sorted(to_model.values()) == sorted(motion.names)
    for name, joint in to_model.items():
        for field in ('position', 'velocity', 'effort'):
            np.testing.assert_allclose(
                log.columns[f'{name}/{field}'], plain[f'{joint}/{field}'], atol=1e-9)


def test_a_map_may_state_the_unit(motion: Truth, tmp_path: Path) -> None:
    path = tmp_path / 'a.csv'
    path.write_text(other(motion, lambda n: n.replace('joint', 'q').replace('/position', ''),
                          angle=FROM_RAD))
    log = read_log(path, {'q*': 'joint*/position[deg]', 'q*/velocity': 'joint*/velocity[deg/s]',
                          'q*/effort': 'joint*/effort'})
    np.testing.assert_allclose(log.columns['joint3/position'], motion.q[:, 2], atol=1e-9)
    np.testing.assert_allclose(log.columns['joint3/velocity'], motion.qd[:, 2], atol=1e-9)


def test_stamps_in_two_columns_are_put_together(motion: Truth, tmp_path: Path) -> None:
    table = {'header.stamp.sec': motion.stamp_ns // 10**9,
             'header.stamp.nanosec': motion.stamp_ns % 10**9, **columns(motion)}
    table.pop('time')
    findings = Findings()
    log = read_log(save(tmp_path / 'a.parquet', table), findings=findings)
    assert np.abs(log.stamp_ns - motion.stamp_ns).max() < 1000
    assert not findings.has('columns-unused')


@pytest.mark.parametrize('factor, says', [
    (1e9, 'it counts ns since 1970'), (1e6, 'it counts us since 1970'),
    (1e3, 'it counts ms since 1970')])
def test_a_time_since_1970_is_told_by_its_size(motion: Truth, tmp_path: Path, factor: float,
                                               says: str) -> None:
    table = {'t': motion.stamp_ns * 1e-9 * factor, 'joint1/position': motion.q[:, 0]}
    findings = Findings()
    log = read_log(save(tmp_path / 'a.npz', table), findings=findings)
    assert np.abs(log.stamp_ns - motion.stamp_ns).max() < 1000
    assert [says in item.text for item in findings if item.code == 'time-unit'] == [True]


def test_a_time_that_is_not_in_seconds_is_doubted(motion: Truth, tmp_path: Path) -> None:
    table = columns(motion)
    table['time'] = 1e3 * table['time']
    findings = Findings()
    read_log(save(tmp_path / 'a.csv', table), findings=findings)
    assert any('rows are 10 s apart' in item.text and 'time[ms]' in item.text for item in findings)


def test_columns_of_an_unknown_unit_are_left_out_and_named(motion: Truth, tmp_path: Path) -> None:
    path = tmp_path / 'a.csv'
    path.write_text(other(motion, lambda n: n.replace('effort', 'effort[mA]')))
    findings = Findings()
    log = read_log(path, findings=findings)
    assert 'joint1/effort' not in log.columns and 'joint1/position' in log.columns
    assert any('joint1/effort[mA]' in item.text for item in findings)


@pytest.mark.parametrize('header, mapped', [
    ('time,j/position,j/position', {}), ('time,j/position,p', {'p': 'j/position'})])
def test_two_columns_of_one_name_are_not_guessed_between(tmp_path: Path, header: str, mapped: Any
                                                         ) -> None:
    path = tmp_path / 'a.csv'
    path.write_text(f'{header}\n0,1,2\n1,1,2\n')
    with pytest.raises(BagError, match='two columns are called|are both j/position'):
        read_log(path, mapped)


@pytest.mark.parametrize('content', [
    '', '1,2\n3,4\n', 'time,a/position\n', 'time,a/position\n1\n'])
def test_a_file_that_is_no_table_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / 'a.csv'
    path.write_text(content)
    with pytest.raises(BagError, match='a.csv'):
        analyze_bag(path, PA10)


@pytest.mark.parametrize('text', ['q1', 'q*=joint1/position', '=a', 'a='])
def test_a_malformed_map_of_columns_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match='--columns'):
        parse_columns(text)


def test_options_of_logs_are_refused_for_a_bag(bag: Path, capsys: Any) -> None:
    assert main(['analyze', str(bag), '--robot', 'pa10', '--rate', '100']) == 2
    assert '--columns and --rate are for logs' in capsys.readouterr().err
