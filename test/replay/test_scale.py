"""Long recordings need no more memory than short ones."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys

import numpy as np
import pytest
from replay_bags import PA10, START_NS

from robot_dynamics.bags.writing import RecordingWriter

CHILD = """
from pathlib import Path
from robot_dynamics.bags import columns
from robot_dynamics.replay.export import write_parquet
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
import sys
columns.MEMORY_LIMIT = 4 * 2**20
with analyze_bag(sys.argv[1], sys.argv[2], ReplayOptions(backend='numba')) as result:
    write_parquet(result, Path(sys.argv[1] + '.parquet'))
    assert result.samples == int(sys.argv[3])
lines = Path('/proc/self/status').read_text().splitlines()
print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))
"""


def peak_memory(path: Path, samples: int) -> float:
    """Record so many joint states, analyse them in a fresh process, return its peak in MB."""
    t = np.arange(samples) / 500.0
    q = 0.3 * np.sin(t[:, None] * np.arange(1, 7))
    qd = 0.3 * np.arange(1, 7) * np.cos(t[:, None] * np.arange(1, 7))
    stamps = START_NS + np.arange(samples) * 2_000_000
    with RecordingWriter(path) as bag:
        bag.joint_states(stamps, [f'joint{i}' for i in range(1, 7)], q, qd, q)
        bag.imu(stamps[::5], np.zeros(3), [0.0, 0.0, 9.81], [0.0, 0.0, 0.0, 1.0])
    run = subprocess.run([sys.executable, '-c', CHILD, str(path), str(PA10), str(samples)],
                         capture_output=True, text=True, check=True)
    return int(run.stdout.split()[-1]) / 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path('/proc/self/status').exists(), reason='reads /proc')
def test_memory_does_not_grow_with_the_recording(tmp_path: Path) -> None:
    short = peak_memory(tmp_path / 'short.mcap', 100_000)
    long = peak_memory(tmp_path / 'long.mcap', 500_000)
    # held in memory the additional rows alone would take 60 MB, their series 310 MB
    assert long - short < 40
