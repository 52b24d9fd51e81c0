"""Wheels and arm in the closed loop: coupled against separate, on level ground and on a deck."""

import dataclasses

import numpy as np
import pytest

from robot_dynamics import RobotModel
from robot_dynamics.core.resources import resource_path
from robot_dynamics.simulation.mobile_closed_loop import MobileLoop, run_mobile_loop, WHEELS
from robot_dynamics.simulation.mobile_motions import gentle_ship


@pytest.fixture(scope='module')
def model():
    return RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))


@pytest.fixture(scope='module')
def level(model):
    return {mode: run_mobile_loop(model, None, mode) for mode in ('coupled', 'uncoupled')}


@pytest.fixture(scope='module')
def on_ship(model):
    return {mode: run_mobile_loop(model, gentle_ship(), mode)
            for mode in ('coupled', 'uncoupled')}


def test_coupled_feedforward_tracks_many_times_better_on_level_ground(level):
    assert level['uncoupled'].overall > 5 * level['coupled'].overall
    assert level['coupled'].overall < 1e-4


def test_coupled_feedforward_tracks_many_times_better_on_a_deck(on_ship):
    assert on_ship['uncoupled'].overall > 5 * on_ship['coupled'].overall
    assert (on_ship['uncoupled'].rms > 5 * on_ship['coupled'].rms).all()


def test_the_platform_drives_where_table_3_says(level):
    """Back by 1.2 m on a straight line."""
    assert np.abs(level['coupled'].pose[-1] - [-1.2, 0.0, 0.0]).max() < 1e-4


def test_efforts_stay_within_the_description(model, on_ship):
    peak = np.nanmax(np.abs(on_ship['coupled'].effort), axis=0)
    assert (peak < 0.5 * model.effort_limit).all()


def test_an_imu_on_the_platform_serves_as_well_as_one_on_the_deck(model, on_ship):
    """Mounted off the axle and turned: what the wheels cause is removed."""
    loop = MobileLoop(mobile=dataclasses.replace(WHEELS, imu_on='platform'))
    imu = dataclasses.replace(loop.loop.imu, mounting_xyz=(0.2, -0.1, 0.3),
                              mounting_rpy=(0.1, -0.2, 2.0))
    loop = dataclasses.replace(loop, loop=dataclasses.replace(loop.loop, imu=imu))
    run = run_mobile_loop(model, gentle_ship(), 'coupled', loop)
    assert run.overall < 1.5 * on_ship['coupled'].overall


@pytest.mark.slow
def test_a_pose_reckoned_from_the_wheels_serves_where_they_do_not_slip(model, on_ship):
    loop = MobileLoop(mobile=dataclasses.replace(WHEELS, pose_source='wheels'))
    run = run_mobile_loop(model, gentle_ship(), 'coupled', loop)
    assert run.overall < 1.2 * on_ship['coupled'].overall


def test_a_run_repeats_bit_for_bit(model, level):
    again = run_mobile_loop(model, None, 'coupled')
    assert again.position.tobytes() == level['coupled'].position.tobytes()
