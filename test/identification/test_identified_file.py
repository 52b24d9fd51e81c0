"""What was identified is read by every command through one option."""

from __future__ import annotations

import json

from arm_cases import ARM, described, truth
import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.choice import ModelChoice


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
