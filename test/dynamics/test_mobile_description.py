"""Reading a drive from a description: what is found, and what is refused and how."""

import dataclasses
import re

from mobile_robots import on_wheels, wheeled_tree, WHEELS
import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState, RobotModel
from robot_dynamics.core.errors import (
    ConfigurationError, InputError, ModelError, UnknownNameError)
from robot_dynamics.core.resources import resource_path


@pytest.fixture(scope='module')
def text():
    return resource_path('urdf/mobile_manipulator.urdf').read_text()


def build(text, **options):
    return on_wheels(RobotModel.from_urdf(text), **{
        **WHEELS, 'backend': 'interpreted', **options})


def test_radius_track_and_caster_come_from_the_shapes(wheeled):
    drive = on_wheels(wheeled, **WHEELS).support
    assert (drive.radius, drive.track, drive.signs) == (0.075, 0.5, (1.0, 1.0))
    assert np.allclose(drive.supports, [[0.45, 0.0]])


def test_tiago_is_a_differential_drive(tiago_robot):
    drive = tiago_robot.support
    assert np.isclose(drive.radius, 0.0985) and np.isclose(drive.track, 0.4044)
    assert drive.signs == (1.0, 1.0)
    assert tiago_robot.model.joint_names[:3] == (
        'wheel_right_joint', 'wheel_left_joint', 'torso_lift_joint')


def test_tiago_on_a_deck_agrees_with_pinocchio(tiago_robot, tiago_text, rng):
    from dynamics_states import random_base, random_state, relative_error
    from mobile_robots import projected_pinocchio
    state, base = random_state(rng, tiago_robot.model.nv), random_base(rng)
    pose = rng.uniform(-2, 2, 3)
    tau, _ = projected_pinocchio(tiago_text, tiago_robot, *state, base, pose)
    assert relative_error(tiago_robot.torque(*state, BaseState(base, pose)), tau) < 1e-9


def test_casters_that_move_are_refused_with_the_way_out(tiago_folder):
    file = tiago_folder / 'tiago_dual.urdf'
    wheels = {'left_wheel': 'wheel_left_joint', 'right_wheel': 'wheel_right_joint'}
    arm = [f'arm_left_{k}_joint' for k in range(1, 8)]
    free = RobotModel.from_urdf(file, joints=[*wheels.values(), 'suspension_right_joint'])
    with pytest.raises(ModelError, match='suspension_right_joint.*out of joints'):
        on_wheels(free, **wheels)
    casters = RobotModel.from_urdf(file, joints=[*wheels.values(), 'caster_back_left_2_joint'])
    with pytest.raises(ModelError, match='caster_back_left_2_joint.*stands on the ground'):
        on_wheels(casters, **wheels)
    held = on_wheels(RobotModel.from_urdf(file, joints=[*wheels.values(), *arm]),
                     **wheels)
    assert held.model.nv == 9


def test_axes_that_point_the_other_way_turn_the_sign(rng):
    seed = rng.integers(1 << 30)
    one, other = (on_wheels(wheeled_tree(np.random.default_rng(seed), 2, signs=signs)[0],
                            'left', 'right', backend='interpreted')
                  for signs in ((1, 1), (-1, -1)))
    assert one.support.signs == (1.0, 1.0) and other.support.signs == (-1.0, -1.0)
    forward = np.array([1.0, 1.0, 0, 0])
    pose = np.array([0.0, 0.0, 0.4])
    assert np.allclose(one.support.pose_rate(forward, pose),
                       -other.support.pose_rate(forward, pose))
    assert one.support.pose_rate(forward, np.zeros(3))[0] > 0.0


def test_swapped_wheels_drive_backwards_by_name(wheeled):
    """Left and right decide what forward is; a robot that is named mirrored faces backwards."""
    drive = on_wheels(wheeled, 'right_wheel_joint', 'left_wheel_joint').support
    assert np.allclose(drive.R_BO[:, 0], [-1, 0, 0]) and drive.signs == (-1.0, -1.0)


def test_calibrated_values_override(text):
    robot = build(text, wheel_radius=0.0745, track=0.51)
    assert (robot.support.radius, robot.support.track) == (0.0745, 0.51)


@pytest.mark.parametrize('options, error, words', [
    ({'wheel_radius': 0.1}, ConfigurationError, ('0.1 m', '0.075 m')),
    ({'track': 0.9}, ConfigurationError, ('0.9 m', '0.5 m')),
    ({'wheel_radius': 0.0}, InputError, ('wheel_radius', 'positive')),
    ({'wheel_radius': float('nan')}, InputError, ('wheel_radius', 'nan')),
    ({'left_wheel': 'wheel'}, UnknownNameError, ("'wheel'", 'left_wheel_joint')),
    ({'left_wheel': ['a', 'b']}, InputError, ('left_wheel', 'one wheel on each side')),
    ({'left_wheel': 'right_wheel_joint'}, InputError, ('same joint',)),
    ({'left_wheel': 'arm1'}, ModelError, ('arm1', 'level')),
    ({'left_wheel': 'arm2'}, ModelError, ('arm2', 'arm1')),
    ({'method': 'kane'}, ConfigurationError, ('method', 'newton_euler')),
    ({'backend': 'c'}, ConfigurationError, ('backend', 'numba')),
])
def test_a_wrong_option_is_named_with_the_fix(text, options, error, words):
    with pytest.raises(error) as caught:
        build(text, **options)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize('old, new, words', [
    ('xyz="0 0.25 0" rpy="0 0 0"', 'xyz="0 0.25 0" rpy="0 0 0.3"', 'not parallel'),
    ('xyz="0 0.25 0" rpy="0 0 0"', 'xyz="0.1 0.25 0" rpy="0 0 0"', 'not on one axle'),
    ('xyz="0 0.25 0" rpy="0 0 0"', 'xyz="0 0.25 0" rpy="0.2 0 0"', 'not level'),
    ('xyz="0 0.25 0" rpy="0 0 0"', 'xyz="0 -0.25 0" rpy="0 0 0"', 'same place'),
    ('<child link="left_wheel_link"/>\n    <origin xyz="0 0.25 0"',
     '<child link="left_wheel_link"/>\n    <origin xyz="0 0.25 0.02"', 'not on one axle'),
])
def test_wheels_that_are_no_axle_are_refused(text, old, new, words):
    assert old in text
    with pytest.raises(ModelError, match=words):
        build(text.replace(old, new))


def test_wheels_of_two_sizes_are_shown_both(text):
    first = text.index('left_wheel_link"/>')
    unequal = text[:first] + text[first:].replace('radius="0.075"', 'radius="0.08"')
    with pytest.raises(ModelError, match='radii 0.08 and 0.075'):
        build(unequal)


def test_a_wheel_without_a_round_shape_asks_for_its_radius(text):
    boxes = text.replace('<cylinder radius="0.075" length="0.03"/>', '<box size="1 1 1"/>')
    with pytest.raises(ModelError, match='give wheel_radius'):
        build(boxes)
    assert build(boxes, wheel_radius=0.08).support.radius == 0.08


@pytest.mark.parametrize('radius', ['0', '-0.075', 'wide', ''])
def test_a_shape_of_no_size_tells_no_radius(text, radius):
    with pytest.raises(ModelError, match='give wheel_radius'):
        build(text.replace('<cylinder radius="0.075"', f'<cylinder radius="{radius}"'))


def test_the_visual_shape_tells_the_radius_where_there_is_no_collision_shape(text):
    bare = re.sub(r'<collision>.*?</collision>', '', text, flags=re.DOTALL)
    drive = build(bare).support
    assert drive.radius == 0.075 and np.allclose(drive.supports, [[0.45, 0.0]])


def test_a_tread_beside_the_joint_widens_the_track(text):
    wide = text.replace('xyz="0 0 0" rpy="1.5707963267948966 0 0"',
                        'xyz="0 0.02 0" rpy="1.5707963267948966 0 0"')
    left = wide.index('left_wheel_link"/>')
    right = text[:text.index('left_wheel_link"/>')]
    one_side = build(right + wide[left:]).support
    assert np.isclose(one_side.track, 0.52) and np.isclose(one_side.p_BO[1], 0.01)


def test_a_model_without_a_file_needs_the_radius(wheeled):
    bare = dataclasses.replace(wheeled, contents=None)
    with pytest.raises(ModelError, match='give wheel_radius'):
        on_wheels(bare, **WHEELS)
    drive = on_wheels(bare, **WHEELS, wheel_radius=0.075).support
    assert drive.track == 0.5 and len(drive.supports) == 0


def test_a_moving_deck_without_a_pose_is_refused(wheeled):
    robot = on_wheels(wheeled, **WHEELS, backend='interpreted')
    zero = np.zeros(5)
    for deck in (BaseMotion.from_roll_pitch(0.1, 0.0), BaseMotion([0, 0, 1.0])):
        with pytest.raises(InputError, match='pose: is missing'):
            robot.torque(zero, zero, zero, deck)


@pytest.mark.parametrize('change, words', [
    ({'q': [0, 0, 0, 0]}, 'q'), ({'qd': [0, 0, np.nan, 0, 0]}, 'qd'),
    ({'pose': [0, 0]}, 'pose'), ({'pose': [0, np.inf, 0]}, 'pose'),
    ({'pose': np.zeros((3, 3)), 'q': np.zeros((2, 5))}, 'q'), ({'base': 3.0}, 'base')])
@pytest.mark.parametrize('warm', [False, True])
def test_a_wrong_array_is_named(wheeled, change, words, warm):
    robot = on_wheels(wheeled, **WHEELS, backend='interpreted')
    state = {'q': np.zeros(5), 'qd': np.zeros(5), 'qdd': np.zeros(5), 'pose': np.zeros(3),
             'base': BaseMotion()}

    def torque(q, qd, qdd, base, pose):
        return robot.torque(q, qd, qdd, BaseState(base, pose))
    if warm:
        torque(**state)
    with pytest.raises(InputError) as caught:
        torque(**{**state, **change})
    assert caught.value.argument == words
