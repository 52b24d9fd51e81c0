import csv
import json

import numpy as np
import pytest

from robot_dynamics import BaseMotion, InverseDynamics, RobotModel, ShipMotion
from robot_dynamics.app.cli import main
from robot_dynamics.app.commands.simulate import INTEGRATORS
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.simulation.integration import METHODS, simulate

URDF = resource_path('examples/papers/anthropomorphic_arm.urdf')
ARM = ('simulate', str(URDF), '--q', '0.2', '0.8', '-0.3', '--backend',
       'interpreted', '--duration', '0.1')


@pytest.fixture(scope='module')
def model():
    return RobotModel.from_urdf(URDF)


def simulated(capsys, *words):
    assert main([*ARM, '--json', *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize('words, options', [
    ([], {}),
    (['--qd', 'theta1=2', '--torque', '0.1', '2', '0.5'],
     {'qd0': [2, 0, 0], 'torque': [0.1, 2, 0.5]}),
    (['--integrator', 'DOP853', '--step', '0.01'], {'integrator': 'DOP853', 'step': 0.01}),
    (['--roll', '0.2', '--pitch', '-0.1', '--gravity', '3.7'],
     {'base': BaseMotion.from_roll_pitch(0.2, -0.1, gravity_magnitude=3.7)}),
    (['--ship'], {'base': ShipMotion.regular()}),
    (['--wrench', 'tool0', '1', '2', '3', '.1', '.2', '-.3', '--wrench-frame', 'base'],
     {'external_wrenches': {'tool0': ExternalWrench([1, 2, 3, .1, .2, -.3], 'base')}})])
def test_the_command_simulates_what_the_library_does(capsys, model, words, options):
    data = simulated(capsys, *words)
    options = {'qd0': np.zeros(3), 'base': BaseMotion(), **options}
    run = simulate(model, [0.2, 0.8, -0.3], duration=0.1, backend='interpreted', **options)
    np.testing.assert_allclose(data['position'], run.position, atol=1e-12)
    np.testing.assert_allclose(data['velocity'], run.velocity, atol=1e-12)
    assert data['energy_drift'] == pytest.approx(run.energy_drift, abs=1e-12)
    assert data['joints'] == list(model.joint_names)


@pytest.mark.parametrize('words', [[], ['--roll', '0.3'], ['--gravity', '3.7']])
def test_hold_balances_gravity_at_the_start(capsys, words):
    data = simulated(capsys, '--hold', *words)
    np.testing.assert_allclose(data['acceleration'][0], 0.0, atol=1e-9)
    np.testing.assert_allclose(data['position'][-1], data['position'][0], atol=1e-6)
    assert np.abs(data['torque'][0]).max() > 0.5


def test_a_wrench_pushes_an_arm_that_holds_itself(capsys, model):
    free = simulated(capsys, '--hold')
    data = simulated(capsys, '--hold', '--wrench', 'tool0', '0', '5', '0', '0', '0', '0')
    np.testing.assert_array_equal(data['torque'], free['torque'])
    dynamics, q = InverseDynamics(model, backend='interpreted'), [0.2, 0.8, -0.3]
    np.testing.assert_allclose(
        dynamics.mass_matrix(q) @ data['acceleration'][0],
        -dynamics.external_torque(q, {'tool0': [0, 5, 0, 0, 0, 0]}), atol=1e-9)
    assert np.abs(data['position'][-1] - np.array(data['position'][0])).max() > 1e-3


def test_energy_drift_is_printed_where_energy_is_conserved(capsys):
    assert main([*ARM]) == 0
    assert 'energy drift' in capsys.readouterr().out
    assert main([*ARM, '--ship']) == 0
    text = capsys.readouterr().out
    assert 'energy drift' not in text and 'energy changed' in text


def test_output_holds_every_step_and_a_figure(capsys, tmp_path):
    assert main([*ARM, '--output', str(tmp_path / 'run')]) == 0
    assert 'motion.png' in capsys.readouterr().out
    rows = list(csv.reader((tmp_path / 'run' / 'motion.csv').open()))
    assert len(rows) == 1 + 101 and rows[0][1] == 'position.theta1'
    assert (tmp_path / 'run' / 'motion.png').read_bytes().startswith(b'\x89PNG')


@pytest.mark.parametrize('words, names', [
    (['--q', '1', '2'], '--q'), (['--torque', 'theta9=1'], 'theta9'),
    (['--wrench', 'tool9', *'123456'], 'tool9'),
    (['--wrench', 'tool0', 'x', *'23456'], '--wrench'),
    (['--wrench', 'tool0', *'123456', '--wrench', 'tool0', *'123456'], 'twice'),
    (['--ship', '--roll', '0.1'], '--ship'), (['--step', '0'], 'step'),
    (['--duration', '-1'], 'duration'), (['--duration', '1e12'], 'more than 5,000,000 steps'),
    (['--tolerance', '0'], 'tolerance'), (['--gravity', '-9.8'], 'gravity_magnitude: is -9.8'),
    (['--roll', 'nan'], '--roll'),
    (['--q', '0', '1.5707963267948966', '0', '--torque', '1', '0', '0'], 'bounds')])
def test_bad_input_is_one_line_and_exit_code_2(capsys, words, names):
    assert main([*ARM, *words]) == 2
    *warnings, error = capsys.readouterr().err.splitlines()
    assert names in error and all('thin rod' in line for line in warnings)


def test_friction_that_the_step_cannot_follow_is_refused(capsys):
    assert main(['simulate', 'pa10', '--friction', '--backend', 'interpreted']) == 2
    assert 'Radau' in capsys.readouterr().err


def test_the_command_offers_every_integrator_of_the_library():
    assert INTEGRATORS == METHODS
