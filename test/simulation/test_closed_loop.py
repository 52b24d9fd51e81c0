"""On a moving ship, feedforward with the base's motion tracks as on a still deck."""

import dataclasses

import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.control.feedforward import ACTIVE, RAMPING_IN
from robot_dynamics.simulation.closed_loop import ClosedLoop, run_closed_loop

SHIP = ShipMotion.regular()


def loop(duration, **feedforward):
    """Return the demo's loop with a changed feedforward."""
    standard = ClosedLoop(duration=duration)
    return dataclasses.replace(
        standard, feedforward=dataclasses.replace(standard.feedforward, **feedforward))


def overall(rms):
    """Return the RMS over all joints."""
    return np.sqrt((rms**2).mean())


@pytest.fixture(scope='module')
def commands():
    """Return the commands of the moving base's run, which ``short`` makes."""
    return []


@pytest.fixture(scope='module')
def short(pa10, commands):
    """Return tracking RMS per joint by mode, from a short run."""
    modes = {'moving': ({}, SHIP), 'fixed': ({'base_motion': 'fixed'}, SHIP),
             'gravity_only': ({'base_motion': 'gravity_only'}, SHIP),
             'feedback': ({'feedforward': False}, SHIP), 'still': ({}, None)}
    return {name: run_closed_loop(
        pa10, ship, loop(3.5, **changes),
        watch=commands.append if name == 'moving' else None).error_rms(2.5, 3.5)
        for name, (changes, ship) in modes.items()}


def test_moving_base_feedforward_tracks_many_times_better_than_fixed_base(short):
    assert overall(short['fixed']) > 15 * overall(short['moving'])
    assert (short['fixed'] > 5 * short['moving']).all()


def test_moving_base_feedforward_tracks_as_on_a_still_deck(short):
    assert overall(short['moving']) < max(1.15 * overall(short['still']), 1e-3)


def test_what_is_left_is_a_tenth_of_a_millirad(short):
    # an error of 10 ms in the instant at which the base is predicted would cost three times that
    assert overall(short['moving']) < 1.2e-4


def test_every_part_of_the_model_improves_the_tracking(short):
    order = ['feedback', 'fixed', 'gravity_only', 'moving']
    errors = [overall(short[name]) for name in order]
    assert errors == sorted(errors, reverse=True)
    assert errors[2] < 0.5 * errors[1]


@pytest.mark.slow
def test_ten_seconds_of_the_demo_reach_its_targets(pa10):
    moving = run_closed_loop(pa10, SHIP, loop(12.5))
    fixed = run_closed_loop(pa10, SHIP, loop(12.5, base_motion='fixed'))
    still = run_closed_loop(pa10, None, loop(12.5))
    rms = [run.error_rms(2.5, 12.5) for run in (moving, fixed, still)]
    assert overall(rms[1]) > 15 * overall(rms[0])
    assert (rms[1] > 5 * rms[0]).all()
    assert overall(rms[0]) < max(1.15 * overall(rms[2]), 1e-3)
    assert moving.feedback_share(2.5, 12.5) < 0.01


@pytest.mark.slow
def test_with_a_mass_error_the_moving_base_still_helps(pa10):
    robot = dataclasses.replace(ClosedLoop().robot, mass_error_percent=10.0)
    runs = [run_closed_loop(pa10, SHIP, dataclasses.replace(
        loop(8.5, **changes), robot=robot)).error_rms(2.5, 8.5)
        for changes in ({}, {'base_motion': 'fixed'})]
    assert overall(runs[1]) > 2.5 * overall(runs[0])


@pytest.mark.slow
def test_modelled_friction_is_compensated(pa10):
    robot = dataclasses.replace(ClosedLoop().robot, friction=True)
    runs = [run_closed_loop(pa10, SHIP, dataclasses.replace(
        loop(6.5, friction=friction), robot=robot)).error_rms(2.5, 6.5)
        for friction in (True, False)]
    assert overall(runs[1]) > 5 * overall(runs[0])


def test_the_arm_is_taken_over_from_the_brake_without_a_drop(pa10):
    run = run_closed_loop(pa10, SHIP, dataclasses.replace(loop(2.0), reference_start=10.0))
    assert np.isfinite(run.effort[-1]).all()
    assert np.abs(run.position).max() < 2e-3


def test_commands_never_step(pa10, short, commands):
    states = {command.state for command in commands}
    assert states == {RAMPING_IN, ACTIVE}
    efforts = np.array([command.effort for command in commands])
    assert (np.abs(np.diff(efforts, axis=0)) / pa10.effort_limit).max() < 0.02
    assert not any(command.saturated or command.rate_limited for command in commands)


def test_a_run_repeats_bit_for_bit(pa10):
    one, other = (run_closed_loop(pa10, SHIP, loop(1.0)) for _ in range(2))
    assert one.position.tobytes() == other.position.tobytes()
    assert one.effort.tobytes() == other.effort.tobytes()


@pytest.mark.slow
def test_the_cycles_of_another_run_replace_the_regular_ones(pa10):
    period, age = 2_000_000, 3_000_000
    regular = [(k * period - age, k * period) for k in range(2500)]
    usual = dataclasses.replace(loop(5.0), state_age=1e-9 * age)
    own = run_closed_loop(pa10, SHIP, usual)
    same = run_closed_loop(
        pa10, SHIP, dataclasses.replace(usual, state_age=0.0, cycles=regular))
    assert (own.position == same.position).all() and (own.effort == same.effort)[750:].all()
    missed = [(regular[k][0] - 5 * period * (k % 10 == 9), regular[k][1])
              for k in range(2500) if k % 10 < 6 or k % 10 == 9]
    worse = run_closed_loop(pa10, SHIP, dataclasses.replace(usual, cycles=missed))
    assert len(worse.time) == len(missed) and worse.time[-1] == own.time[-1]
    ratio = worse.error_rms(2.5, 5.0) / own.error_rms(2.5, 5.0)
    assert (ratio > 1.1).all(), ratio


@pytest.mark.slow
def test_joint_states_that_are_old_at_their_stamps_cost_tracking_as_they_are_old(pa10):
    errors = [run_closed_loop(pa10, SHIP, dataclasses.replace(
        loop(12.0, natural_frequency=(6.0,)), state_age=age)).error_rms(10.0, 12.0)
        for age in (0.0, 0.002, 0.005)]
    assert overall(errors[1]) > 5.0 * overall(errors[0])
    assert overall(errors[2]) == pytest.approx(2.5 * overall(errors[1]), rel=0.1)
