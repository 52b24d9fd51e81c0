"""Ages of inputs, and the stages that silence runs through."""

import pytest

from robot_dynamics.control.watchdog import (
    ACTIVE, FallbackStages, FINAL_ACTION, GRAVITY_ONLY, HOLDING, InputMonitor,
    RAMPING_TO_GRAVITY)

MS = 1_000_000


def stages(final=False):
    """Return hold 50 ms, ramp 500 ms, final after 2 s, recovery 200 ms."""
    return FallbackStages(0.05, 0.5, 2.0, 0.2, final)


def run(machine, fresh, begin, end):
    """Update every 10 ms; returns the stages met."""
    met = []
    for ms in range(begin, end, 10):
        machine.update(fresh, ms * MS)
        if not met or met[-1] != machine.stage:
            met.append(machine.stage)
    return met


def test_silence_runs_through_all_stages_in_time():
    machine = stages(final=True)
    entered = {}
    for ms in range(0, 3000, 10):
        if machine.update(False, ms * MS):
            entered[machine.stage] = ms
    assert entered == {HOLDING: 0, RAMPING_TO_GRAVITY: 50, GRAVITY_ONLY: 550, FINAL_ACTION: 2550}


def test_without_a_final_action_gravity_is_held_for_ever():
    assert run(stages(), False, 0, 60_000)[-1] == GRAVITY_ONLY


def test_a_single_fresh_moment_ends_the_hold():
    machine = stages()
    run(machine, False, 0, 40)
    assert machine.stage == HOLDING
    machine.update(True, 40 * MS)
    assert machine.stage == ACTIVE


def test_later_stages_need_fresh_inputs_for_the_recovery_time_without_a_break():
    machine = stages()
    run(machine, False, 0, 1000)
    assert run(machine, True, 1000, 1190) == [GRAVITY_ONLY]
    run(machine, False, 1190, 1200)
    assert run(machine, True, 1200, 1400) == [GRAVITY_ONLY]
    machine.update(True, 1400 * MS)
    assert machine.stage == ACTIVE


def test_a_long_gap_between_updates_skips_stages_in_order():
    machine = stages(final=True)
    machine.update(False, 0)
    machine.update(False, 10_000 * MS)
    assert machine.stage == FINAL_ACTION


def test_an_input_is_fresh_only_if_stamp_and_arrival_are():
    monitor = InputMonitor('x', 0.02, 0.05)
    assert not monitor.fresh(0)
    monitor.accept(100 * MS, 110 * MS)
    assert monitor.fresh(120 * MS)
    assert not monitor.fresh(121 * MS)  # the stamp is 21 ms old
    late = InputMonitor('x', 0.02, 0.05)
    late.accept(130 * MS, 100 * MS)     # stamped ahead, within tolerance
    assert not late.fresh(121 * MS)     # the arrival is 21 ms ago
    assert late.age(121 * MS) == pytest.approx(0.021)


def test_the_rate_is_that_of_the_stamps():
    monitor = InputMonitor('x', 0.02, 0.05)
    for k in range(200):
        monitor.accept(k * 2 * MS, k * 2 * MS)
    assert monitor.rate == pytest.approx(500)
