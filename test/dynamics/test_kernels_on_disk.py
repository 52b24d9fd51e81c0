"""Hand-written kernels are kept where only their user writes, and nowhere that numba would."""

import os
import subprocess
import sys

import pytest

from robot_dynamics.core.kernel_cache import cache_directory

PROCESS = (
    'import os, sys\n'
    'import numpy as np\n'
    'from robot_dynamics.estimation.estimators import make_estimator\n'
    'from robot_dynamics.imu.sample import ImuSample\n'
    'from robot_dynamics.replay.differentiation import compiled, derivatives\n'
    't = np.arange(0.0, 1.0, 0.01)\n'
    'print(np.nanmax(derivatives(t, t[:, None], t, 0.05)[0]))\n'
    'print(sum(compiled()._cache_hits.values()))\n'
    'os.environ.update(zip(["ROBOT_DYNAMICS_CACHE"], sys.argv[1:]))\n'
    'estimator = make_estimator("adaptive", None, 9.80665, 0.0)\n'
    'for k in range(1, 80):\n'
    '    estimator.update(ImuSample(k * 10**7, (0.0, 0.0, 0.0), (0.0, 0.0, 9.8),\n'
    '                               (0.0, 0.0, 0.0, 1.0)))\n')


def run(tmp_path):
    """Return what a process prints that has used both kinds; the larger are not made again."""
    return subprocess.run(
        [sys.executable, '-c', PROCESS, str(cache_directory() or '')], check=True,
        capture_output=True, text=True,
        env={**os.environ, 'ROBOT_DYNAMICS_CACHE': str(tmp_path / 'own'),
             'NUMBA_CACHE_DIR': str(tmp_path / 'open')}).stdout.split()


@pytest.mark.slow
def test_kernels_are_read_back_and_numba_keeps_none_beside(tmp_path):
    value, hits = run(tmp_path)
    assert hits == '0' and list((tmp_path / 'own').glob('*.kernel'))
    assert run(tmp_path) == [value, '1']
    assert not (tmp_path / 'open').exists() or not [
        path for path in (tmp_path / 'open').rglob('*') if path.is_file()]
