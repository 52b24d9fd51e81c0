"""The generated code: exact sines, honest NaN, a cache that cannot hurt."""

import math
import os
import stat
import subprocess
import sys

import casadi as ca
from numba.core.event import install_recorder
import numpy as np
import pytest

from robot_dynamics.core import kernel_cache as cache
from robot_dynamics.core.sincos import RANGE
from robot_dynamics.dynamics.codegen import lowering, module_source
from robot_dynamics.dynamics.codegen.kernel import Kernel
from robot_dynamics.dynamics.codegen.straight_line import Block, straight_line, traced_function
from selections import some


def sine_kernel():
    x = ca.SX.sym('x', 2)
    return Kernel('sines', [Block('x', x)], [Block('y', ca.vertcat(
        ca.sin(x[0]), ca.cos(x[0]), ca.sin(x[1]) * ca.cos(x[1])))], {'x': 2})


def test_sine_and_cosine_in_the_batch_kernel_are_good_to_two_units():
    """Within the inlined, vectorised kernel: a folded reduction would show as 1e-11."""
    rng = np.random.default_rng(0)
    x = np.concatenate([
        rng.uniform(-10, 10, 40000), rng.uniform(-RANGE, RANGE, 40000),
        np.arange(-2000, 2000) * (math.pi / 2), [0.0, -0.0, RANGE, -RANGE]])
    columns = np.column_stack([x, x])
    y = np.empty((len(x), 3))
    assert sine_kernel().batch(columns, y) == 0.0
    for k, function in ((0, math.sin), (1, math.cos)):
        reference = np.array([function(v) for v in x])
        assert np.abs(y[:, k] - reference).max() < 4.5e-16


def test_single_and_batch_kernels_agree_beyond_rounding_nowhere():
    x = np.linspace(-RANGE, RANGE, 501)
    kernel, batch, single = sine_kernel(), np.empty((501, 3)), np.empty(3)
    kernel.batch(np.column_stack([x, x]), batch)
    for value, row in zip(x, batch):
        kernel.single(np.array([value, value]), single)
        assert np.abs(single - row).max() < 1e-15


def test_angles_beyond_the_range_and_non_finite_values_are_handed_back():
    kernel, y = sine_kernel(), np.empty(3)
    for bad in (1.01 * RANGE, -2 * RANGE, math.nan, math.inf, -math.inf):
        assert math.isnan(kernel.single(np.array([0.0, bad]), y))
        column = np.zeros((5, 2))
        column[4, 1] = bad
        assert math.isnan(kernel.batch(column, np.empty((5, 3))))
    assert kernel.interpret_single(np.array([0.0, 3 * RANGE]), y) == 0.0


def test_wrong_lengths_are_handed_back_before_anything_is_read():
    kernel = sine_kernel()
    assert math.isnan(kernel.single(np.zeros(1), np.empty(3)))
    assert math.isnan(kernel.single(np.zeros(2), np.empty(2)))
    assert math.isnan(kernel.batch(np.zeros((4, 2)), np.empty((5, 3))))
    assert math.isnan(kernel.batch(np.zeros((4, 3)), np.empty((4, 3))))


def test_every_supported_operation_computes_what_casadi_does():
    x = ca.SX.sym('x', 3)
    expression = ca.vertcat(
        x[0] + x[1], x[0] - 2.5, x[0] * x[1], x[0] / x[2], -x[1], x[0]**2, 2 * x[1], 1 / x[2],
        ca.sqrt(x[2]), ca.tanh(x[0]), ca.sin(x[0]), ca.cos(x[0] + x[1]), x[0], 3.25)
    kernel = Kernel('operations', [Block('x', x)], [Block('y', expression)], {'x': 3})
    values, y, reference = np.array([0.3, -1.7, 2.2]), np.empty(14), np.empty(14)
    kernel.single(values, y)
    kernel.interpret_single(values, reference)
    assert np.abs(y - reference).max() < 1e-15
    many = np.empty((1100, 14))  # by the lines with numpy
    assert kernel.interpret_batch(np.tile(values, (1100, 1)), many) == 0.0
    assert np.abs(many - reference).max() < 1e-15


def test_runs_given_to_llvm_are_bit_for_bit_what_numba_makes_of_them(monkeypatch):
    """Also where a value of the run goes into the check behind it, and a constant is negative."""
    monkeypatch.setenv(cache.VARIABLE, '')
    x, z = ca.SX.sym('x', 2), ca.SX.sym('z', 1)
    turned = ca.sin(x) * ca.cos(x[::-1]) - 2.5 * x
    expression = z * ca.vertcat(
        turned / (x[0]**2 + 0.3), ca.sqrt(ca.fabs(turned)), ca.tanh(x), -x)
    values, results = np.random.default_rng(4).normal(size=(300, 3)), []
    for calls in (True, False):
        monkeypatch.setattr(lowering, 'SHORTEST', 1 if calls else math.inf)
        kernel = Kernel('run', [Block('x', x), Block('z', z)], [Block('y', expression)], {'x': 2})
        single, batch, made = np.empty(8), np.empty((300, 8)), {}
        lowering.lowered(kernel.source, made)
        assert (len(made) > 1) == calls
        assert kernel.single(*np.split(values[7], [2]), single) == 0.0
        assert kernel.batch(*np.split(values, [2], axis=1), batch) == 0.0
        results.append(single.tobytes() + batch.tobytes())
    assert results[0] == results[1]


@pytest.mark.parametrize('count', some(2, [7, 8, 20]))
def test_many_sines_are_those_of_casadi_also_where_one_goes_into_another(count):
    x = ca.SX.sym('x', count)
    inner = ca.sin(2 * x + 0.5)
    expression = ca.vertcat(inner * ca.cos(x), ca.cos(3 * inner), ca.sin(x[0]), ca.sin(x[0] * 0.1))
    kernel = Kernel('turns', [Block('x', x)], [Block('y', expression)], {'x': count})
    values = np.linspace(-7.0, 9.0, count)
    y, reference = np.empty(2 * count + 2), np.empty(2 * count + 2)
    assert kernel.single(values, y) == 0.0
    kernel.interpret_single(values, reference)
    assert np.abs(y - reference).max() < 2e-15
    assert ('stack_memory' in kernel.source) == (2 * count + 1 >= module_source.TOGETHER)


def test_what_all_kernels_call_is_compiled_once_in_a_process(monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, '')
    assert not np.isnan(sine_kernel().batch(np.zeros((4, 2)), np.empty((4, 3))))
    with install_recorder('numba:compile') as compiled:
        assert not np.isnan(sine_kernel().batch(np.zeros((4, 2)), np.empty((4, 3))))
    assert {event.data['dispatcher'].py_func.__name__
            for _, event in compiled.buffer} == {'line', 'entry'}


def test_an_operation_without_source_is_refused_rather_than_guessed():
    x = ca.SX.sym('x', 1)
    blocks = [Block('x', x)], [Block('y', ca.erf(x))]
    with pytest.raises(ValueError, match='operation'):
        straight_line(traced_function(*blocks), lambda i, k: 'x', lambda i, k, v: v)


def use_directory(monkeypatch, path):
    monkeypatch.setenv(cache.VARIABLE, str(path))


def squares(value):
    x = ca.SX.sym('x', 1)
    kernel = Kernel('square', [Block('x', x)], [Block('y', x * x + 17.125)])
    y = np.empty(1)
    kernel.single(np.array([value]), y)
    return y[0], sum(kernel.single._cache_hits.values())


def test_second_compilation_is_read_from_the_cache(monkeypatch, tmp_path):
    use_directory(monkeypatch, tmp_path / 'kernels')
    assert squares(3.0) == (26.125, 0)
    assert squares(2.0) == (21.125, 1)
    mode = (tmp_path / 'kernels').stat().st_mode
    assert not mode & (stat.S_IWGRP | stat.S_IWOTH)


PROCESS = (
    'import casadi as ca, numpy as np, logging\n'
    'logging.basicConfig(level="WARNING")\n'
    'from robot_dynamics.dynamics.codegen.kernel import Kernel\n'
    'from robot_dynamics.dynamics.codegen.straight_line import Block\n'
    'x = ca.SX.sym("x", 1); y = np.empty((2, 1))\n'
    'kernel = Kernel("k", [Block("x", x)], [Block("y", ca.sin(x) + 2 * x)], {"x": 1})\n'
    'kernel.batch(np.ones((2, 1)), y)\n'
    'print(y[0, 0], sum(kernel.batch._cache_hits.values()))')


@pytest.mark.slow
def test_another_process_reads_the_cache_and_computes_the_same(tmp_path):
    environment = {**os.environ, cache.VARIABLE: str(tmp_path / 'kernels')}
    runs = [subprocess.run([sys.executable, '-c', PROCESS], capture_output=True, text=True,
                           env=environment, check=True) for _ in range(2)]
    first, second = (run.stdout.split() for run in runs)
    assert first[1] == '0' and second[1] == '1'
    assert first[0] == second[0] and abs(float(first[0]) - 2 - math.sin(1)) < 1e-15
    assert [run.stderr for run in runs] == ['', '']


TWO_KERNELS = (
    'import casadi as ca, numpy as np, sys\n'
    'from robot_dynamics.dynamics.codegen.kernel import Kernel\n'
    'from robot_dynamics.dynamics.codegen.straight_line import Block\n'
    'for size in map(int, sys.argv[1:]):\n'
    '    x = ca.SX.sym("x", size); power = x\n'
    '    for _ in range(40): power = ca.sin(power) + size * x[0]\n'
    '    kernel = Kernel("k", [Block("x", x)], [Block("y", power)], {"x": 0})\n'
    '    y, z = np.empty((2, 300, size))\n'
    '    samples = np.random.default_rng(0).normal(size=(300, size))\n'
    '    assert kernel.batch(samples, y) == 0.0 == kernel.interpret_batch(samples, z)\n'
    '    print(sum(kernel.batch._cache_hits.values()), np.abs(y - z).max())\n')


@pytest.mark.slow
def test_kernels_of_two_processes_do_not_call_one_another_in_a_third(tmp_path):
    """Functions of one name are told apart by a counter that begins anew in each process."""
    environment = {**os.environ, cache.VARIABLE: str(tmp_path / 'kernels'), 'PYTHONHASHSEED': '0'}
    for sizes in (['2'], ['7'], ['2', '7'], ['7', '2']):
        run = subprocess.run([sys.executable, '-c', TWO_KERNELS, *sizes], capture_output=True,
                             text=True, env=environment)
        assert (run.returncode, run.stderr) == (0, '')
        for line in run.stdout.splitlines():
            hits, error = line.split()
            assert int(hits) == len(sizes) - 1 and float(error) < 1e-12


@pytest.mark.parametrize('damage', [
    lambda content: b'', lambda content: content[:100], lambda content: b'x' * len(content),
    lambda content: content[:-1] + bytes([content[-1] ^ 1])])
def test_damaged_cache_means_compiling_again(monkeypatch, tmp_path, damage):
    use_directory(monkeypatch, tmp_path)
    squares(3.0)
    [file] = tmp_path.glob('*.kernel')
    file.write_bytes(damage(file.read_bytes()))
    assert squares(3.0) == (26.125, 0)
    assert squares(3.0) == (26.125, 1)


def test_cache_that_others_can_write_is_not_trusted(monkeypatch, tmp_path):
    use_directory(monkeypatch, tmp_path)
    squares(3.0)
    os.chmod(tmp_path, 0o777)
    assert squares(3.0) == (26.125, 0)


def test_cache_that_cannot_be_written_is_done_without(monkeypatch, tmp_path):
    (tmp_path / 'file').write_text('in the way')
    use_directory(monkeypatch, tmp_path / 'file')
    assert squares(3.0) == (26.125, 0)
    monkeypatch.setenv(cache.VARIABLE, '')
    assert squares(3.0) == (26.125, 0)


@pytest.mark.parametrize('home', some(1, [{'HOME': '/nonexistent'}, {}]))
def test_a_process_without_a_home_still_computes(home):
    environment = {key: value for key, value in os.environ.items()
                   if key not in ('HOME', 'XDG_CACHE_HOME', cache.VARIABLE)}
    result = subprocess.run([sys.executable, '-c', PROCESS], capture_output=True, text=True,
                            env={**environment, **home}, check=True)
    assert abs(float(result.stdout.split()[0]) - 2 - math.sin(1)) < 1e-15
