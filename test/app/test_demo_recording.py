"""``robot-dynamics demo --record``: the recording that the tutorial analyses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robot_dynamics.app.demo.configured import configured_ship
from robot_dynamics.app.demo.pa10 import MOVING_BASE, Pa10Demo
from robot_dynamics.app.demo.runs import Run
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.bags.reading import Recording
from robot_dynamics.core.errors import BagError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.simulation.motions import demo_sinusoid

EPOCH = 10.0


@pytest.fixture(scope='module')
def run() -> Run:
    """Make a run in which the arm follows exactly; it began two seconds before the reference."""
    time = np.arange(8.0, 20.0, 0.002)
    reference = demo_sinusoid()
    q, qd, qdd = reference.sample(np.maximum(time - EPOCH, 0.0))
    ship = configured_ship(ShipPa10)
    effort = InverseDynamics(
        RobotModel.from_urdf(resource_path('urdf/pa10.urdf')), backend='interpreted').torque(
            q, qd, qdd, ship.at(time - EPOCH))
    effort[time < EPOCH] = 0.0  # the brake
    return Run(MOVING_BASE, JointSeries(time, reference.names, q, qd, effort=effort), EPOCH, 1.0)


@pytest.fixture(scope='module')
def recording(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record it."""
    path = tmp_path_factory.mktemp('demo') / 'demo.mcap'
    Pa10Demo(ShipPa10(duration=10.0)).record({MOVING_BASE.key: run}, path)
    return path


def test_the_recording_is_explained_without_further_options(recording: Path) -> None:
    result = analyze_bag(recording)
    assert result.base.gravity_known
    for joint in result.joints:
        assert joint.explained > 0.999
    assert result.joint('joint2').moving_base_worth > 20
    assert {f.severity for f in result.findings} == {'info'}


def test_its_reference_gives_the_accelerations(recording: Path) -> None:
    result = analyze_bag(recording, options=ReplayOptions(reference_topic='/reference'))
    assert result.joint('joint2').explained > 0.9999


def test_it_begins_with_the_reference_and_has_the_rates_of_the_nodes(recording: Path) -> None:
    with Recording(recording) as bag:
        counts = {channel.topic: channel.count for channel in bag.channels}
        first = min(stamp for _, stamp, _ in bag.messages(['/joint_states']))
    assert counts == {'/joint_states': 5000, '/imu/data': 1000, '/reference': 1,
                      '/robot_description': 1}
    assert first == int(EPOCH * 1e9)


def test_an_existing_file_is_not_overwritten(run: Run, recording: Path) -> None:
    with pytest.raises(BagError, match='exists already'):
        Pa10Demo(ShipPa10(duration=10.0)).record({MOVING_BASE.key: run}, recording)
