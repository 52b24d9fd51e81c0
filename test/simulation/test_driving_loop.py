"""Wheels and arm in the closed loop: coupled against separate, on level ground and on a deck."""

import dataclasses

from driving_robots import FOUR_WHEELS, on_four_wheels, TWO_WHEELS
from gentle_ship import gentle_ship
import numpy as np
import pytest

from robot_dynamics.estimation.estimators import SAVITZKY_GOLAY
from robot_dynamics.simulation.closed_loop import ClosedLoop, run_closed_loop
from robot_dynamics.simulation.demo_feedforward import DEMO_FEEDFORWARD
from robot_dynamics.simulation.motions import (
    PointToPoint, TABLE_3_DURATION, table_3_motion)

BEGIN = 1.5  # s before the reference starts
LOOP = ClosedLoop(
    estimator=SAVITZKY_GOLAY, driving=TWO_WHEELS, reference_start=BEGIN,
    duration=BEGIN + TABLE_3_DURATION + 0.5, begins_at_reference=True)


def run(model, ship=None, coupled=True, reference=None, **change):
    """Run wheels and arm along Table 3, or another reference."""
    loop = dataclasses.replace(LOOP, **change)
    loop = dataclasses.replace(
        loop, driving=dataclasses.replace(loop.driving, coupled=coupled),
        feedforward=dataclasses.replace(
            DEMO_FEEDFORWARD, base_motion='fixed' if ship is None else 'moving'))
    return run_closed_loop(model, ship, loop, reference or table_3_motion())


def rms(result):
    """Return the RMS of the tracking error per joint while the reference moves, rad."""
    return result.error_rms(BEGIN, BEGIN + TABLE_3_DURATION)


@pytest.fixture(scope='module')
def level(wheeled):
    return {coupled: run(wheeled, coupled=coupled) for coupled in (True, False)}


@pytest.fixture(scope='module')
def on_ship(wheeled):
    return {coupled: run(wheeled, gentle_ship(), coupled) for coupled in (True, False)}


@pytest.mark.slow
def test_coupled_feedforward_tracks_many_times_better_on_level_ground(level):
    apart, coupled = (np.linalg.norm(rms(level[k])) for k in (False, True))
    assert apart > 5 * coupled
    assert coupled / np.sqrt(5) < 1e-4


@pytest.mark.slow
def test_coupled_feedforward_tracks_many_times_better_on_a_deck(on_ship):
    assert (rms(on_ship[False]) > 5 * rms(on_ship[True])).all()


@pytest.mark.slow
def test_the_platform_drives_where_table_3_says(level):
    """Back by 1.2 m on a straight line."""
    assert np.abs(level[True].pose[-1] - [-1.2, 0.0, 0.0]).max() < 1e-4


@pytest.mark.slow
def test_efforts_stay_within_the_description(wheeled, on_ship):
    peak = np.nanmax(np.abs(on_ship[True].effort), axis=0)
    assert (peak < 0.5 * wheeled.effort_limit).all()


@pytest.mark.slow
def test_an_imu_on_the_platform_serves_as_well_as_one_on_the_deck(wheeled, on_ship):
    """Mounted off the axle and turned: what the wheels cause is removed."""
    imu = dataclasses.replace(
        LOOP.imu, mounting_xyz=(0.2, -0.1, 0.3), mounting_rpy=(0.1, -0.2, 2.0))
    rides = run(wheeled, gentle_ship(), imu=imu,
                driving=dataclasses.replace(TWO_WHEELS, imu_on='platform'))
    assert np.linalg.norm(rms(rides)) < 1.5 * np.linalg.norm(rms(on_ship[True]))


@pytest.mark.slow
def test_a_pose_reckoned_from_the_wheels_serves_where_they_do_not_slip(wheeled, on_ship):
    reckons = run(wheeled, gentle_ship(),
                  driving=dataclasses.replace(TWO_WHEELS, pose_source='wheels'))
    assert np.linalg.norm(rms(reckons)) < 1.2 * np.linalg.norm(rms(on_ship[True]))


@pytest.mark.slow
def test_a_run_repeats_bit_for_bit(wheeled, level):
    assert run(wheeled).position.tobytes() == level[True].position.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize('imu_on', ['platform', 'deck'])
def test_four_mecanum_wheels_drive_sideways_on_a_deck_while_the_arm_moves(imu_on):
    """Front right and rear left turn one way, the others the other: the robot goes to its left."""
    model = on_four_wheels()
    names = ('right_wheel_joint', 'left_wheel_joint', 'rear_right_wheel_joint',
             'rear_left_wheel_joint', 'arm1', 'arm2', 'arm3')
    goal = np.array([8.0, -8.0, -8.0, 8.0, 0.5, 0.6, -0.8])
    driving = dataclasses.replace(FOUR_WHEELS, imu_on=imu_on)
    runs = [run(model, gentle_ship(), coupled, PointToPoint(names, 0.0 * goal, goal, 2.0),
                driving=driving, duration=BEGIN + 2.5) for coupled in (True, False)]
    coupled, apart = (np.linalg.norm(result.error_rms(BEGIN, BEGIN + 2.0)) for result in runs)
    assert apart > 5 * coupled
    assert coupled < 4e-3
    assert np.abs(runs[0].pose[-1] - [0.0, 8.0 * 0.075, 0.0]).max() < 1e-3
