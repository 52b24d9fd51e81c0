"""The recordings that ship with the tests, one of each robot."""

from __future__ import annotations

from pathlib import Path

from make_recordings import DATA, description, DRIVING, make, ROBOTS
import numpy as np
import pytest

from robot_dynamics.bags.reading import Recording
from robot_dynamics.core.resources import resource_path
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.driving import Wheels
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions


IDEAL = ('three_link_arm', 'anthropomorphic_arm')  # points and rods, as their papers have them


@pytest.mark.parametrize('robot', ROBOTS)
def test_each_robot_has_a_recording_that_needs_nothing_else(robot: str) -> None:
    path = DATA / f'{robot}.mcap'
    assert path.stat().st_size < 300_000
    wheels = Wheels('left_wheel_joint', 'right_wheel_joint') if robot == DRIVING else None
    result = analyze_bag(path, options=ReplayOptions(friction=True, wheels=wheels))
    assert sorted(joint.name for joint in result.joints) == sorted(
        RobotModel.from_urdf(description(robot)).joint_names)
    for joint in result.joints:
        assert joint.explained > 0.999
    assert max(joint.moving_base_worth for joint in result.joints) > 10
    assert {f.severity for f in result.findings if f.code != 'description' or robot not in IDEAL
            } == {'info'}


def test_friction_of_the_description_is_found_in_the_efforts() -> None:
    result = analyze_bag(DATA / 'pa10.mcap')
    model = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))
    for j, name in enumerate(model.joint_names):
        fit = result.joint(name).friction
        assert fit is not None
        assert fit.coulomb == pytest.approx(model.friction[j], rel=0.1)


def test_the_recordings_are_those_that_the_script_makes(tmp_path: Path) -> None:
    make('scara', tmp_path / 'scara.mcap')
    topics = ['/joint_states', '/imu/data', '/robot_description']
    with Recording(tmp_path / 'scara.mcap') as fresh, Recording(DATA / 'scara.mcap') as kept:
        old, new = list(kept.messages(topics)), list(fresh.messages(topics))
        assert [message[:2] for message in old] == [message[:2] for message in new]
        kind = 'sensor_msgs/msg/JointState'
        for (topic, _, a), (_, _, b) in zip(old, new):
            if topic == '/joint_states':
                assert np.allclose(kept.deserialize(a, kind).effort,
                                   fresh.deserialize(b, kind).effort, atol=2e-4)
