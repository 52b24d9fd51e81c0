"""The table that moves to disk when it grows, and finding rows in it."""

from __future__ import annotations

import numpy as np
import pytest

from robot_dynamics.bags.columns import Columns
from robot_dynamics.bags.timeline import Timeline
from robot_dynamics.replay.segments import split


@pytest.mark.parametrize('limit', [10**9, 50_000])
def test_rows_come_back_as_they_went_in_from_memory_and_from_disk(limit: int) -> None:
    rng = np.random.default_rng(0)
    table = Columns(3, memory_limit=limit)
    stamps = np.cumsum(rng.integers(1, 1000, 20_000))
    values = rng.normal(size=(20_000, 3))
    values[5, 1] = np.nan
    for start in range(0, 20_000, 777):
        table.append(stamps[start:start + 777], values[start:start + 777])
    assert len(table) == 20_000
    for start, stop in ((0, 10), (4090, 4100), (19_995, 30_000), (7, 7)):
        got_stamps, got = table.read(start, stop)
        assert np.array_equal(got_stamps, stamps[start:stop])
        assert np.array_equal(got, values[start:stop], equal_nan=True)


@pytest.mark.parametrize('limit', [10**9, 50_000])
def test_finding_a_stamp_equals_a_search_in_the_whole_column(limit: int) -> None:
    rng = np.random.default_rng(1)
    table = Columns(1, memory_limit=limit)
    stamps = np.cumsum(rng.integers(1, 5, 20_000))
    for start in range(0, 20_000, 1234):
        table.append(stamps[start:start + 1234], np.zeros((len(stamps[start:start + 1234]), 1)))
    for start, stop in ((0, 20_000), (4096, 8192), (5000, 5001), (19_000, 20_000), (100, 4096)):
        for stamp in (*rng.integers(0, stamps[-1] + 10, 50), stamps[start], stamps[stop - 1],
                      stamps[-1] + 100, 0):
            expected = start + int(np.searchsorted(stamps[start:stop], stamp))
            assert table.find(int(stamp), start, stop) == expected


def test_the_timeline_is_the_same_however_the_stream_is_cut() -> None:
    rng = np.random.default_rng(2)
    stamps = np.cumsum(rng.integers(0, 3, 3000)) * 10**7 + 10**9
    stamps[1200:] -= stamps[1200] - 10**9  # restart
    stamps[[40, 2000]] = 0
    stamps[[300, 301]] = stamps[[301, 300]]
    results = []
    for size in (1, 7, 100, 3000):
        timeline = Timeline()
        timeline.clock = 'header'
        kept = []
        for start in range(0, 3000, size):
            part = stamps[start:start + size]
            used, keep = timeline.accept(part, part)
            kept.append(used[keep])
        results.append((np.concatenate(kept).tolist(), timeline.epochs, timeline.equal,
                        timeline.backward, timeline.unset))
    assert all(result == results[0] for result in results)
    assert len(results[0][1]) == 2


def test_segments_end_at_gaps_also_across_blocks() -> None:
    stamps = np.arange(200_000) * 10**6
    stamps[65_536:] += 10**9  # exactly where one block of rows ends
    stamps[100_000:] += 10**9
    timeline, table = Timeline(), Columns(1)
    used, keep = timeline.accept(stamps + 1, stamps)
    table.append(used[keep], np.zeros((200_000, 1)))
    segments, gaps = split('/t', table, timeline)
    assert [(s.start, s.stop) for s in segments] == [
        (0, 65_536), (65_536, 100_000), (100_000, 200_000)]
    assert [gap.duration for gap in gaps] == pytest.approx([1.001, 1.001])
