"""The mobile manipulator's demo: what it reduces runs to, and the demo itself over DDS."""

import json

from gentle_ship import gentle_ship
import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.app.demo.formatting import shown
from robot_dynamics.app.demo.mobile_manipulator import demo_drive, driven_path, MobileDemo
from robot_dynamics.app.demo.runs import Run
from robot_dynamics.app.demo.summary import as_text, write_summary
from robot_dynamics.app.scenarios import MobileScenario
from robot_dynamics.core.resources import resource_path
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.replay.driving import Wheels
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.simulation.motions import MOBILE_JOINTS, table_3_motion
import yaml

OFFSETS = dict(zip((mode.key for mode in MobileDemo.modes), (0.05, 0.01, 0.001)))


def run_of(mode):
    """Return a run that is a constant offset away from the reference."""
    time = np.arange(0.0, 4.002, 0.002)
    q, qd, qdd = table_3_motion().sample(time)
    trace = JointSeries(10.0 + time, MOBILE_JOINTS, q - OFFSETS[mode.key], qd, qdd,
                        effort=np.ones_like(q))
    return Run(mode, trace, 10.0, 1.0)


@pytest.fixture(scope='module')
def outcome():
    return MobileDemo(MobileScenario(lockstep=True, duration=4.0)).outcome(
        {mode.key: run_of(mode) for mode in MobileDemo.modes}, lambda *_: None)


def test_errors_and_their_ratio_are_those_of_the_traces(outcome):
    for key, offset in OFFSETS.items():
        assert outcome.tracking.errors[key].overall == pytest.approx(offset)
    assert outcome.ratio == pytest.approx(10.0)
    assert outcome.targets[0].met


def test_the_summary_holds_what_the_table_says(outcome, tmp_path):
    write_summary(outcome, tmp_path / 'summary.json')
    summary = json.loads((tmp_path / 'summary.json').read_text())
    assert summary['ratios']['uncoupled_over_coupled']['overall'] == pytest.approx(10.0)
    assert summary['missed_cycles'] == dict.fromkeys(OFFSETS, 0)
    assert summary['final_pose']['coupled'] == pytest.approx([-1.2, 0.0, 0.0], abs=1e-9)
    assert 'met' in as_text(outcome) and 'tipping margin: 7.7 mm' in as_text(outcome)


def test_what_the_nodes_need_is_compiled_with_a_word_on_each():
    told = []
    MobileDemo(MobileScenario(lockstep=True)).warm_up(told.append)
    assert any('torque of' in line for line in told)


def test_a_path_is_what_the_wheels_describe():
    """Right wheel twice as fast as the left: a circle about a point 0.75 m to the left."""
    turned = np.linspace(0, 40.0, 2001)
    q = np.zeros((2001, 5))
    q[:, 0], q[:, 1] = 2 * turned, turned
    path = driven_path(demo_drive(MobileScenario()), q)
    assert np.abs(np.hypot(path[:, 0], path[:, 1] - 0.75) - 0.75).max() < 1e-5
    assert path[-1, 2] == pytest.approx(0.075 / 0.5 * 40.0)


def test_the_configuration_holds_the_papers_motion_and_the_gentle_ship():
    values = yaml.safe_load(resource_path(MobileScenario.CONFIGURATION).read_text())
    reference = values['/**/reference_trajectory']['ros__parameters']
    motion = table_3_motion()
    assert tuple(reference['joints']) == motion.names == MOBILE_JOINTS
    assert np.array_equal(reference['start'], motion.start)
    assert np.array_equal(reference['goal'], motion.goal)
    assert reference['duration'] == motion.duration
    robot = values['/**/simulated_robot']['ros__parameters']
    assert robot['arm.initial_position'] == reference['start']
    ship = gentle_ship().to_parameters()
    common = values['/**']['ros__parameters']
    for name in ('roll', 'pitch'):
        for part in ('amplitude', 'period', 'phase'):
            key = f'{name}.{part}'
            assert np.allclose(common[f'ship.{key}'], ship[key]), key


@pytest.mark.parametrize('words', [['pa10', '--deck'], ['mobile_manipulator', '--friction']])
def test_an_option_of_the_other_scenario_is_refused(words, capsys):
    assert main(['demo', *words]) == 2
    assert words[1] in capsys.readouterr().err


def test_a_recording_that_could_not_be_written_is_refused_before_the_runs(tmp_path, capsys):
    pytest.importorskip('rclpy')
    for path in (tmp_path, tmp_path / 'nowhere' / 'demo.mcap'):
        assert main(['demo', 'mobile_manipulator', '--record', str(path)]) == 2
        assert '--record' in capsys.readouterr().err


def test_ratios_are_told_without_an_exponent():
    assert shown(2873.4) == '2,870' and shown(72.16) == '72.2'


@pytest.mark.slow
@pytest.mark.parametrize('deck', [[], ['--deck'], ['--deck', '--imu-on', 'platform']])
def test_the_demo_over_dds_meets_its_target(tmp_path, deck, capsys, monkeypatch):
    pytest.importorskip('rclpy')
    if deck:  # the run with feedback only is made once
        monkeypatch.setattr(MobileDemo, 'modes', MobileDemo.modes[1:])
    bag = tmp_path / 'demo.mcap'
    assert main(['demo', 'mobile_manipulator', *deck, '--output', str(tmp_path),
                 '--record', str(bag)]) == 0
    assert f'analyze {bag} --left-wheel left_wheel_joint' in capsys.readouterr().out
    recorded = analyze_bag(bag, options=ReplayOptions(
        wheels=Wheels('left_wheel_joint', 'right_wheel_joint')))
    assert min(joint.explained for joint in recorded.joints) > 0.99
    summary = json.loads((tmp_path / 'summary.json').read_text())
    assert summary['ratios']['uncoupled_over_coupled']['overall'] > 5.0
    assert summary['tipping_margin_m'] > 0.0
    assert (tmp_path / 'mobile_manipulator.png').stat().st_size > 20_000
