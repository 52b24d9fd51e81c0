"""Whatever bytes a recording holds, the outcome is an analysis or one clear error."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
import random
from typing import List
import warnings

import pytest
from replay_bags import PA10, truth, write

from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.replay.replay import analyze_bag

from test_bag_files import write_rosbag1


@pytest.fixture(scope='module')
def files(tmp_path_factory: pytest.TempPathFactory) -> List[Path]:
    """One short recording in four formats."""
    folder, motion = tmp_path_factory.mktemp('bytes'), truth(4.0)
    return [write(folder / 'plain.mcap', motion), write(folder / 'table.db3', motion),
            write(folder / 'packed.mcap', motion, compression='storage'),
            write_rosbag1(folder / 'old.bag', motion)]


def damaged(raw: bytearray, rng: random.Random) -> bytearray:
    """Flip, scatter, cut, wipe or insert."""
    at = rng.randrange(len(raw))
    how = rng.choice(('flip', 'scatter', 'cut', 'wipe', 'insert'))
    if how == 'flip':
        raw[at] ^= 1 << rng.randrange(8)
    elif how == 'scatter':
        for _ in range(rng.randrange(2, 200)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
    elif how == 'cut':
        raw = raw[:at + 1]
    elif how == 'wipe':
        part = raw[at:at + rng.randrange(1, 5000)]
        raw[at:at + len(part)] = bytes(len(part))
    else:
        raw[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 100)))
    return raw


def outcomes(files: List[Path], folder: Path, seed: int, count: int) -> Counter:
    """Analyse so many damaged recordings; count what came of it."""
    rng = random.Random(seed)
    seen: Counter = Counter()
    for case in range(count):
        source = rng.choice(files)
        path = folder / f'{case}{source.suffix}'
        path.write_bytes(damaged(bytearray(source.read_bytes()), rng))
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            try:
                with analyze_bag(path, PA10) as result:
                    result.to_dict()
                seen['analysed'] += 1
            except RobotDynamicsError as error:
                assert '\n' not in str(error)
                seen['refused'] += 1
        path.unlink()
    return seen


@pytest.mark.slow
def test_damaged_recordings_are_analysed_or_refused_in_one_line(files: List[Path], tmp_path: Path
                                                                ) -> None:
    seen = outcomes(files, tmp_path, 7, 40)
    assert seen['analysed'] > 20 and seen['refused'] > 3


@pytest.mark.slow
def test_many_damaged_recordings_are_analysed_or_refused(files: List[Path], tmp_path: Path
                                                         ) -> None:
    seen = outcomes(files, tmp_path, 11, 1000)
    assert seen['analysed'] > 500
