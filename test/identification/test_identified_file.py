"""What was identified is read by every command through one option."""

from __future__ import annotations

import json

from arm_cases import ARM, described, truth
import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.robot_model import RobotModel


@pytest.fixture
def files(tmp_path) -> tuple:
    """Give the description and a file of identified parameters."""
    urdf = tmp_path / 'arm.urdf'
    urdf.write_text(ARM)
    return str(urdf), str(truth(offset=0.4, stribeck=0.3).write(tmp_path / 'identified.yaml'))


def test_a_torque_on_the_command_line_has_the_identified_masses_rotors_and_friction(files, capsys):
    urdf, identified = files
    q, qd, qdd = [0.4, -0.3], [0.5, 0.02], [1.0, -2.0]
    arguments = [str(value) for name, values in (('--q', q), ('--qd', qd), ('--qdd', qdd))
                 for value in (name, *values)]
    assert main(['torque', urdf, *arguments, '--identified', identified, '--json',
                 '--backend', 'interpreted']) == 0
    shown = json.loads(capsys.readouterr().out)['torque']
    arm = truth(offset=0.4, stribeck=0.3).apply(described())
    expected = InverseDynamics(arm, friction=True, rotor_inertia=True,
                               backend='interpreted').torque(q, qd, qdd)
    assert np.allclose(shown, expected)


def test_a_choice_loads_the_same_model_as_the_file_applied(files):
    urdf, identified = files
    model = ModelChoice(identified=identified).load(urdf)
    assert model.fingerprint == truth(offset=0.4, stribeck=0.3).apply(described()).fingerprint


def test_a_file_for_another_arm_is_one_line_and_exit_code_2(files, tmp_path, capsys):
    other = tmp_path / 'other.yaml'
    other.write_text('version: 1\nrobot: x\njoints: {knee: {viscous: 1.0}}\n')
    assert main(['torque', files[0], '--q', '0', '0', '--identified', str(other)]) == 2
    told = capsys.readouterr().err
    assert 'knee' in told and 'shoulder' in told and told.count('\n') == 1
    other.write_text('version: 1\nrobot: giant\nbodies: {thigh: '
                     '{mass: 1.0, com: [0, 0, 0], inertia: [1, 0, 0, 1, 0, 1]}}\n')
    assert main(['torque', files[0], '--q', '0', '0', '--identified', str(other)]) == 2
    told = capsys.readouterr().err
    assert 'giant' in told and 'thigh' in told and told.count('\n') == 1


def test_friction_of_wheels_written_by_hand_is_in_their_torque(tmp_path):
    plain = RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))
    path = tmp_path / 'identified.yaml'
    path.write_text('version: 1\njoints:\n  left_wheel_joint: {viscous: 0.2, coulomb: 0.5}\n')
    model = Identified.read(path).apply(plain)
    qd = np.full(model.nv, 2.0)
    before, after = (InverseDynamics(
        arm, friction=True, backend='interpreted', support=DifferentialDrive.from_model(
            arm, 'left_wheel_joint', 'right_wheel_joint')).torque(
                np.zeros(model.nv), qd, np.zeros(model.nv)) for arm in (plain, model))
    added = np.zeros(model.nv)
    added[model.index('left_wheel_joint')] = 0.2 * 2.0 + 0.5
    assert np.allclose(after - before, added, atol=1e-4)
