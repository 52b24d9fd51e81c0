"""The demo itself, over DDS: slow, and exact because it runs in lockstep."""

import importlib.util
import json

import numpy as np
import pytest
from readme import console_of_the_readme

from robot_dynamics.app.cli import main
from robot_dynamics.app.demo.pa10 import Pa10Demo
from robot_dynamics.simulation.run_trace import read_trace

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    importlib.util.find_spec('rclpy') is None, reason='rclpy is not installed')]


@pytest.fixture(scope='module')
def demo(tmp_path_factory):
    directory = tmp_path_factory.mktemp('demo')
    assert main(['demo', 'pa10', '--output', str(directory),
                 '--record', str(directory / 'demo.mcap')]) == 0
    return directory


def test_all_targets_are_met(demo):
    summary = json.loads((demo / 'summary.json').read_text())
    assert [target['met'] for target in summary['targets']] == [True, True, True]
    assert summary['ratios']['fixed_over_moving']['overall'] >= 15.0
    assert min(summary['ratios']['fixed_over_moving'].values()) >= 5.0
    moving, still = (summary['tracking_rms_rad'][mode]['overall']
                     for mode in ('moving_base', 'still_deck'))
    assert moving <= max(1.15 * still, 1e-3)
    assert set(summary['missed_cycles'].values()) == {0}


def test_the_readme_shows_the_report_of_the_recording(demo, monkeypatch, capsys):
    monkeypatch.chdir(demo)
    _, (words, shown) = console_of_the_readme()
    capsys.readouterr()
    assert main(words) == 0
    printed = capsys.readouterr().out
    for line in shown.splitlines():  # wide lines are cut, at '...' or without it
        assert line.removesuffix('...').strip() in printed


def test_feedback_has_almost_nothing_to_do_when_the_base_motion_is_known(demo):
    share = json.loads((demo / 'summary.json').read_text())['feedback_share_of_torque']
    assert share['moving_base'] < 0.02 < share['fixed_base'] < share['feedback_only'] == 1.0


def test_a_run_in_lockstep_repeats_bit_for_bit(demo, tmp_path):
    from robot_dynamics.app.demo.pa10 import MOVING_BASE
    from robot_dynamics.app.demo.runs import make_run
    from robot_dynamics.app.scenarios import ShipPa10
    first = read_trace(demo / 'logs' / 'moving_base' / 'trace.bin')
    second = make_run(MOVING_BASE, ShipPa10(lockstep=True, duration=2.0), tmp_path,
                      lambda done: None).trace
    count = len(second)
    assert count == 2000
    np.testing.assert_array_equal(first.position[:count], second.position)
    np.testing.assert_array_equal(first.effort[:count], second.effort)


def test_with_friction_the_ship_alone_still_induces_much_less(tmp_path, monkeypatch):
    monkeypatch.setattr(Pa10Demo, 'modes', Pa10Demo.modes[1:])  # no word of feedback only
    assert main(['demo', 'pa10', '--friction', '--output', str(tmp_path)]) == 0
    summary = json.loads((tmp_path / 'summary.json').read_text())
    assert summary['ratios']['fixed_over_moving_ship_alone'] > 2.0
    assert not summary['targets'][0]['met']
