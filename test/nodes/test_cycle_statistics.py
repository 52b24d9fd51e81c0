import pytest
from robot_dynamics.nodes.cycle_statistics import CycleStatistics


def noted(stamps_ms, compute_us=10):
    statistics = CycleStatistics(2_000_000)
    for stamp in stamps_ms:
        statistics.note(int(stamp * 1e6), compute_us * 1000)
    return statistics


@pytest.mark.parametrize('stamps, missed', [
    ([0, 2, 4, 6], 0), ([0, 2, 6], 1), ([0, 2.6, 4.4, 6.9], 0), ([0, 10, 12, 18], 6),
    ([0, 0, 2, 2], 0), ([4, 2, 0], 0), ([0, 60_000], 0)],
    ids=['regular', 'one', 'jitter', 'several', 'twice', 'backwards', 'stopped'])
def test_missed_cycles_are_the_gaps_between_stamps(stamps, missed):
    assert noted(stamps).missed == missed


def test_compute_times_are_those_since_the_last_look():
    statistics = noted([0, 2, 4], compute_us=10)
    statistics.note(6_000_000, 50_000)
    first, second = statistics.drain(), statistics.drain()
    assert first['compute_time_mean'] == pytest.approx(20e-6)
    assert first['compute_time_max'] == pytest.approx(50e-6)
    assert first['missed_share'] == 0.0
    assert second['compute_time_mean'] == second['compute_time_max'] == 0.0


def test_the_share_of_missed_cycles_is_that_since_the_last_look():
    statistics = noted([0, 2, 4, 6, 8, 10, 12, 16, 18])
    assert statistics.drain()['missed_share'] == pytest.approx(0.1)
    statistics.note(20_000_000, 0)
    assert statistics.drain()['missed_share'] == 0.0
