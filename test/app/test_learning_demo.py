"""The demo that learns its arm: what it runs, what it learns from, and what it says."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.app.demo.learning import (
    AFTER_FIXED, AFTER_MOVING, LearningDemo, LearningOutcome, WORK, WORK_DURATION)
from robot_dynamics.app.demo.outcome import tracking
from robot_dynamics.app.demo.runs import Run
from robot_dynamics.app.demo.summary import as_text
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.control.trajectory_file import read_trajectory
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.simulation.motions import demo_sinusoid

SCENARIO = ShipPa10(lockstep=True, duration=1.0, friction=True, mass_error_percent=10.0,
                    guard=False)


@pytest.fixture
def demo(tmp_path) -> LearningDemo:
    """Give the demo in a directory, its files written."""
    made = LearningDemo(SCENARIO, tmp_path)
    made._work().trajectory().positions  # a motion of a minute
    made._truth().write(tmp_path / 'truth.yaml')
    return made


def test_the_truth_is_the_simulated_arm(demo):
    described = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))
    true = Identified.read(demo.directory / 'truth.yaml').apply(described)
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 6))
    rotors = SCENARIO.configuration('feedforward')['reflected_rotor_inertia']
    plain = InverseDynamics(described.with_rotor_inertia(dict(zip(
        described.joint_names, rotors))), backend='interpreted')
    wanted = 1.1 * plain.torque(q, qd, qdd) + 1.3 * plain.friction_torque(qd)
    found = InverseDynamics(true, friction=True, backend='interpreted').torque(q, qd, qdd)
    assert np.allclose(found, wanted)


def test_each_run_believes_and_follows_what_its_name_says(demo):
    for mode in demo.modes:
        varied = dataclasses.replace(demo.scenario, **mode.changes)
        nodes = {process.name: process.parameters for process in varied.processes()}
        believed = nodes['feedforward'].get('model.identified', '')
        assert bool(believed) == (mode.key.startswith('after') or mode.key == 'exact')
        assert (nodes['reference_trajectory'].get('motion') == 'file') == (mode.key == WORK)
        assert nodes['feedforward']['base_motion'] == (
            'fixed' if mode.key.endswith('fixed') else 'moving')


def test_the_work_keeps_within_the_speed_and_ends_where_it_should(demo, tmp_path):
    from robot_dynamics.control.trajectory_file import write_trajectory
    path = write_trajectory(demo._work().trajectory(), tmp_path / 'work.yaml')
    trajectory = read_trajectory(path)
    assert trajectory.duration == pytest.approx(WORK_DURATION)
    model = ModelChoice().load(resource_path('urdf/pa10.urdf'))
    assert (np.abs(trajectory.velocities) <= 0.301 * model.velocity_limit).all()
    assert (np.abs(trajectory.positions).max(axis=0) > 0.5).all()


def test_the_outcome_says_what_was_reached(demo, tmp_path):
    reference = demo_sinusoid()
    t = np.arange(0.0, 1.0, 0.002)
    sample = reference.sample(t)
    runs = {}
    for mode in demo.modes[1:]:
        off = {AFTER_MOVING: 0.002, AFTER_FIXED: 0.03}.get(mode.key, 0.19)
        runs[mode.key] = Run(mode, JointSeries(
            t + 10.0, reference.names, sample.position - off, sample.velocity,
            effort=np.ones_like(sample.position)), 10.0, 1.0)
    learned = {'torque_error': {'described': 0.3, 'with_friction': 0.1, 'identified': 0.001},
               'duration_s': 36.0, 'validation': 'the rest', 'coverage': 0.95, 'identified': {}}
    outcome = LearningOutcome(
        tracking(runs, SCENARIO, reference, InverseDynamics(
            RobotModel.from_urdf(resource_path('urdf/pa10.urdf')), backend='interpreted')),
        demo.modes[1:], learned)
    text = as_text(outcome)
    assert 'learned, moving base' in text and '0.1 % identified' in text
    assert text.count('met ') == 2 and 'NOT MET' not in text
    assert json.dumps(outcome.figures())
    demo.draw(outcome, tmp_path / 'learned.png')
    assert (tmp_path / 'learned.png').stat().st_size > 10_000


def test_it_does_not_go_with_what_belongs_to_other_demos(capsys):
    assert main(['demo', 'pa10', '--identify', '--sea-state', '4']) == 2
    assert '--sea-state' in capsys.readouterr().err
    assert main(['demo', 'mobile_manipulator', '--identify']) == 2
