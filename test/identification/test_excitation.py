"""A designed motion keeps within all limits, rests at its ends, and teaches more than others."""

from __future__ import annotations

import json

from arm_cases import ARM, deck, described, Moved, torque, truth
import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.control.trajectory_file import read_trajectory, write_trajectory
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.identification.excitation import excite, ExciteOptions, FourierMotion
from robot_dynamics.identification.identify import identify_motions
from robot_dynamics.identification.obstacles import arm_points
from robot_dynamics.identification.options import IdentifyOptions
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.replay.alignment import Block


def designed(**options) -> FourierMotion:
    """Return a motion of the arm of two joints, quickly."""
    return excite(described(), ExciteOptions(
        **{'duration': 20.0, 'period': 10.0, 'tries': 40, **options}),
        backend='interpreted').motion


def test_it_keeps_within_position_velocity_acceleration_and_effort():
    model, motion = described(), designed(margin=0.7, acceleration=3.0)
    sample = motion.sample(np.arange(0, motion.duration, 0.005))
    half = 0.5 * (model.upper - model.lower)
    assert (np.abs(sample.position) <= 0.7 * half + 1e-2).all()
    assert (np.abs(sample.velocity) <= 0.7 * model.velocity_limit + 1e-2).all()
    assert (np.abs(sample.acceleration) <= 3.0 + 5e-2).all()
    tau = InverseDynamics(model, friction=True, backend='interpreted').torque(
        sample.position, sample.velocity, sample.acceleration)
    assert (np.abs(tau) <= 0.72 * model.effort_limit).all()
    assert np.abs(sample.velocity).max() > 0.3  # and does move


def test_on_a_moving_base_the_effort_keeps_within_its_limits_whenever_it_begins():
    model = described()

    def rough(time):  # a deck that throws the arm about: it matters here
        calm = deck(time)
        return BaseMotion.from_packed(calm.packed * np.array([1.0] * 6 + [16.0] * 3 + [1.0] * 3))

    def worst(motion):
        sample, largest = motion.sample(np.arange(0, motion.duration, 0.05)), np.zeros(2)
        dynamics = InverseDynamics(model, friction=True, backend='interpreted')
        for begin in np.arange(0.0, 120.0, 7.3):
            tau = dynamics.torque(*sample, rough(begin + np.arange(0, motion.duration, 0.05)))
            largest = np.maximum(largest, np.abs(tau).max(axis=0))
        return largest / model.effort_limit

    limits = {'duration': 20.0, 'period': 10.0, 'tries': 20, 'margin': 0.6}
    still, moving = (excite(model, ExciteOptions(**limits), backend='interpreted', base=base)
                     for base in (None, rough))
    assert (worst(moving.motion) <= 0.62).all() and worst(still.motion).max() > 0.66
    assert moving.peak[2].max() > 0.0 and (moving.uncertainty < moving.before).all()


def test_it_starts_and_ends_at_rest():
    motion = designed(start=(0.2, -0.3))
    for t in (0.0, motion.duration):
        sample = motion.sample(t)
        assert np.allclose(sample.position, [0.2, -0.3], atol=1e-12)
        assert np.allclose(sample.velocity, 0.0, atol=1e-12)
        assert np.allclose(sample.acceleration, 0.0, atol=1e-12)


def test_it_keeps_above_a_plane_and_out_of_a_box():
    free = designed()
    low = arm_points(described(), free.sample(np.arange(0, 20, 0.02)).position)[..., 2].min()
    assert low < 0.33
    kept = designed(keep_above=0.36)
    points = arm_points(described(), kept.sample(np.arange(0, 20, 0.02)).position)
    assert points[..., 2].min() > 0.355
    boxed = designed(boxes=((0.1, -2, 0.0, 2, 2, 2),))
    assert arm_points(described(), boxed.sample(np.arange(0, 20, 0.02)).position)[
        ..., 0].max() < 0.11


def test_where_the_start_is_not_clear_it_says_so():
    with pytest.raises(ConfigurationError, match='at 0 0 .* lowest point is .*--start'):
        designed(keep_above=2.0)


def test_where_the_start_cannot_be_held_it_names_the_joint():
    with pytest.raises(ConfigurationError, match='shoulder holds .* more than 10 %'):
        designed(margin=0.1, start=(1.4, 0.0))


def test_where_no_motion_is_clear_it_says_so():
    beside = tuple((x, y, 0.0, x + 0.5, y + 0.5, 2.0) for x in (-0.505, 0.005)
                   for y in (-0.505, 0.005))
    with pytest.raises(ConfigurationError, match='no motion keeps .* clear'):
        designed(boxes=beside)


def test_points_of_the_arm_are_where_pinocchio_sees_them(tmp_path):
    pinocchio = pytest.importorskip('pinocchio')
    peer = pinocchio.buildModelFromXML(ARM)
    data = peer.createData()
    q = np.array([0.7, -0.4])
    pinocchio.framesForwardKinematics(peer, data, q)
    tool = data.oMf[peer.getFrameId('tool')].translation
    points = arm_points(described(), q[None])[0]
    assert np.abs(points - tool).sum(axis=1).min() < 1e-12


def learned(motion: FourierMotion) -> float:
    """Return how uncertain the torque still is after a motion on a deck."""
    arm, model = truth(), described()
    t = np.arange(0, motion.duration, 0.01)
    sample = motion.sample(t)
    q, qd, qdd = sample.position, sample.velocity, sample.acceleration
    base = deck(t)
    tau = torque(arm, model, q, qd, qdd, base)
    tau = tau + 0.3 * np.random.default_rng(1).standard_normal(tau.shape)
    block = Block(np.rint(t * 1e9).astype(np.int64), q, qd, qdd, tau, base, True,
                  np.ones(len(t), dtype=bool), 0)
    result = identify_motions([Moved('x', block, np.ones(2, dtype=bool), 0.01)], model,
                              IdentifyOptions(held_back=0.2, force=True))
    deviation, _ = result.trust
    return float(np.linalg.norm(deviation))


def test_a_designed_motion_teaches_more_than_a_random_one_of_the_same_limits():
    pytest.importorskip('clarabel')
    best = learned(designed(tries=120))
    first = [learned(designed(tries=1, seed=seed)) for seed in (2, 3, 4)]
    assert best < 0.9 * np.median(first)


def test_what_it_says_that_it_will_teach_shrinks_with_its_length():
    short, long = (excite(described(), ExciteOptions(duration, 10.0, tries=10),
                          backend='interpreted') for duration in (10.0, 40.0))
    assert (long.uncertainty < short.uncertainty).all()
    assert (short.uncertainty < short.before).all()


def test_a_trajectory_file_is_read_back(tmp_path):
    trajectory = designed().trajectory(0.1)
    again = read_trajectory(write_trajectory(trajectory, tmp_path / 'motion.yaml', 'mine'))
    assert again.names == trajectory.names
    assert np.allclose(again.positions, trajectory.positions, atol=1e-8)
    assert np.allclose(again.accelerations, trajectory.accelerations, atol=1e-7)
    table = write_trajectory(trajectory, tmp_path / 'motion.csv').read_text().splitlines()
    assert table[0].startswith('time,shoulder.position,elbow.position,shoulder.velocity')
    assert len(table) == 1 + len(trajectory.times)
    wrong = tmp_path / 'wrong.yaml'
    point = 'time_from_start: {sec: 0, nanosec: 0}'
    for text in ('points: 3', f'joint_names: [a]\npoints: [{{{point}}}]'):
        wrong.write_text(text)
        with pytest.raises(ConfigurationError, match='is no joint trajectory .*excite'):
            read_trajectory(wrong)


@pytest.mark.slow
def test_the_command_says_what_the_motion_will_teach(tmp_path, capsys):
    urdf = tmp_path / 'arm.urdf'
    urdf.write_text(ARM)
    assert main(['excite', str(urdf), '--duration', '20', '--tries', '8', '--json', '--output',
                 str(tmp_path / 'out.yaml')]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert all(joint['uncertainty_after'] < joint['uncertainty_before']
               for joint in shown['joints'])
    assert read_trajectory(tmp_path / 'out.yaml').duration == pytest.approx(20.0)
    assert (tmp_path / 'out.csv').exists()
