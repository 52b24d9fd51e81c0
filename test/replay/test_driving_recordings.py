"""Recordings of a robot that drives on a moving deck: wheels and arm are explained together."""

from __future__ import annotations

from pathlib import Path

from driving_robots import on_four_wheels
from make_recordings import DATA, joint_motion
import numpy as np
import pytest
from replay_bags import deck, quaternions, START_NS

from robot_dynamics.app.cli import main
from robot_dynamics.app.demo.mobile_manipulator import (
    COUPLED, deck_state, demo_drive, demo_robot, driven_path, MobileDemo)
from robot_dynamics.app.demo.runs import Run
from robot_dynamics.app.scenarios import MobileScenario
from robot_dynamics.bags.findings import Findings
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.replay.driving import possible_wheels, report_wheels, Wheels
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.replay.result import ReplayResult
from robot_dynamics.simulation.motions import TABLE_3_DURATION, table_3_motion

WHEELS = Wheels('left_wheel_joint', 'right_wheel_joint')
URDF = resource_path('urdf/mobile_manipulator.urdf')
EPOCH = 10.0


def on_wheels(friction: bool = False) -> InverseDynamics:
    """Return the dynamics of the robot in the recordings."""
    model = RobotModel.from_urdf(URDF)
    return InverseDynamics(model, friction=friction, backend='interpreted',
                           support=DifferentialDrive.from_model(model, *WHEELS))


def ideal_run(scenario: MobileScenario) -> Run:
    """Return a run in which the robot follows Table 3 exactly."""
    time = np.arange(0.0, scenario.duration, 0.002)
    q, qd, qdd = table_3_motion(scenario.duration).sample(time)
    robot = demo_robot(scenario)
    effort = robot.torque(
        q, qd, qdd, deck_state(scenario, time, driven_path(demo_drive(scenario), q)))
    trace = JointSeries(EPOCH + time, robot.model.joint_names, q, qd, qdd, effort=effort)
    return Run(COUPLED, trace, EPOCH, 1.0)


@pytest.fixture(scope='module', params=[True, False], ids=['deck', 'level_ground'])
def demo_bag(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
             ) -> tuple[MobileScenario, Path]:
    """Record the demo's motion, on the deck and on level ground."""
    scenario = MobileScenario(deck=request.param, duration=TABLE_3_DURATION)
    path = tmp_path_factory.mktemp('mobile') / 'demo.mcap'
    MobileDemo(scenario).record({COUPLED.key: ideal_run(scenario)}, path)
    return scenario, path


@pytest.fixture(scope='module')
def result(demo_bag: tuple[MobileScenario, Path]) -> ReplayResult:
    """Analyse it."""
    return analyze_bag(demo_bag[1], options=ReplayOptions(wheels=WHEELS))


def test_wheels_and_arm_of_the_demo_are_explained(
        demo_bag: tuple[MobileScenario, Path], result: ReplayResult) -> None:
    assert result.joint_names == demo_robot(demo_bag[0]).model.joint_names
    for joint in result.joints:
        assert joint.residual_rms < 0.02, joint.name  # N m: what the noise of the IMU leaves
    assert {finding.severity for finding in result.findings} == {'info'}


def test_what_the_wheels_cause_is_not_put_down_to_the_deck(
        demo_bag: tuple[MobileScenario, Path], result: ReplayResult) -> None:
    """On level ground the platform accelerates by 0.8 m/s^2, and the deck causes nothing."""
    caused = [joint.base_rms for joint in result.joints[:4]]
    assert min(caused) > 0.5 if demo_bag[0].deck else max(caused) < 0.015  # N m


def test_the_wrench_on_the_deck_carries_the_weight(result: ReplayResult) -> None:
    model = RobotModel.from_urdf(URDF)
    weight = 9.80665 * (model.base_inertial.mass + sum(b.inertial.mass for b in model.bodies))
    block = next(iter(result.blocks()))
    assert block.wrench[block.samples.valid, 2].mean() == pytest.approx(-weight, rel=0.02)


def test_without_an_imu_the_ground_is_still_not_the_platform() -> None:
    """The wheels' torque of driving stays when nothing is known of the ground."""
    options = ReplayOptions(wheels=WHEELS, imu_topic='none', friction=True)
    result = analyze_bag(DATA / 'mobile_manipulator.mcap', options=options)
    robot = on_wheels(friction=True)
    block = next(iter(result.blocks()))
    valid = block.samples.valid
    expected = robot.torque(block.samples.position[valid], block.samples.velocity[valid],
                            block.samples.acceleration[valid])
    assert np.abs(block.computed[valid] - expected).max() < 1e-12


def test_causes_of_a_driving_robot_add_up(result: ReplayResult) -> None:
    block = next(iter(result.blocks()))
    valid = block.samples.valid
    total = sum(values[valid] for values in block.causes.values())
    assert np.abs(total - block.computed[valid]).max() < 1e-12


def test_unnamed_wheels_are_noticed() -> None:
    result = analyze_bag(DATA / 'mobile_manipulator.mcap')
    finding = next(finding for finding in result.findings if finding.code == 'wheels')
    assert finding.severity == 'warning'
    assert '--left-wheel left_wheel_joint --right-wheel right_wheel_joint' in finding.text


def test_a_platform_on_four_driven_wheels_is_not_told_to_name_two() -> None:
    model, findings = on_four_wheels(), Findings()
    report_wheels(model, None, model.joint_names, '/joint_states', findings)
    told, = findings
    assert told.code == 'wheels' and told.severity == 'warning'
    assert set(told.element.split(', ')) == {
        'left_wheel_joint', 'right_wheel_joint', 'rear_left_wheel_joint', 'rear_right_wheel_joint'}
    assert 'more than one driven axle' in told.text and '--base-link' in told.text
    assert '--left-wheel' not in told.text


def test_which_wheel_is_left_does_not_depend_on_their_order_in_the_file() -> None:
    assert possible_wheels(RobotModel.from_urdf(URDF)) == [WHEELS[:2]]
    robots = resource_path('urdf').glob('*.urdf')
    assert not any(possible_wheels(RobotModel.from_urdf(path)) for path in robots
                   if path != URDF)


def test_wheels_whose_shape_tells_no_radius_are_analysed_with_the_stated_one() -> None:
    text = URDF.read_text()
    assert text.count('<cylinder radius="0.075"') >= 2
    text = text.replace('<cylinder radius="0.075"', '<cylinder radius="0.07"')
    bag = DATA / 'mobile_manipulator.mcap'
    stated = analyze_bag(bag, text, ReplayOptions(friction=True,
                                                  wheels=WHEELS._replace(radius=0.075)))
    assert stated.joint('left_wheel_joint').explained > 0.999


def test_names_that_are_no_wheels_are_refused_in_one_line() -> None:
    with pytest.raises(ModelError, match='arm2'):
        analyze_bag(DATA / 'mobile_manipulator.mcap',
                    options=ReplayOptions(wheels=Wheels('arm2', 'right_wheel_joint')))


@pytest.mark.parametrize('words, named', [
    (['--left-wheel', 'left_wheel_joint'], '--right-wheel'),
    (['--right-wheel', 'right_wheel_joint'], '--left-wheel'),
    (['--wheel-radius', '0.1'], '--left-wheel'),
    (['--left-wheel', 'left', '--right-wheel', 'right_wheel_joint'], "'left'")])
def test_half_a_drive_is_refused_by_the_command(words: list[str], named: str,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['analyze', str(DATA / 'mobile_manipulator.mcap'), *words]) == 2
    error = capsys.readouterr().err
    assert named in error and error.count('\n') == 1


def test_a_held_joint_counts_with_its_position(tmp_path: Path) -> None:
    """An arm joint that stood at 0.6 rad and that nobody reported."""
    robot = on_wheels()
    time = np.arange(0.0, 4.0, 0.01)
    q, qd, qdd = (np.array(values) for values in table_3_motion(4.0).sample(time))
    q[:, 4], qd[:, 4], qdd[:, 4] = 0.6, 0.0, 0.0
    effort = robot.torque(q, qd, qdd)
    path = tmp_path / 'held.mcap'
    with RecordingWriter(path) as bag:
        bag.joint_states(START_NS + (time * 1e9).astype(np.int64), robot.model.joint_names[:4],
                         q[:, :4], qd[:, :4], effort[:, :4])
    found = analyze_bag(path, URDF, ReplayOptions(wheels=WHEELS, held_joints=('arm3=0.6',)))
    assert found.joint_names == robot.model.joint_names[:4]
    assert found.joint('arm2').explained > 0.9999
    wrong = analyze_bag(path, URDF, ReplayOptions(wheels=WHEELS, held_joints=('arm3=-0.6',)))
    assert wrong.joint('arm2').residual_rms > 0.1


def test_an_imu_on_the_deck_serves_as_well_as_one_on_the_platform(tmp_path: Path) -> None:
    robot = on_wheels()
    t = np.arange(0.0, 10.0, 0.01)
    q, qd, qdd = joint_motion(robot.model, t)
    for wheel, speed in ((0, 1.6), (1, 0.8)):
        q[:, wheel] += speed * t
        qd[:, wheel] += speed
    support = robot.support
    assert isinstance(support, DifferentialDrive)
    pose = driven_path(support, q)
    assert np.ptp(pose[:, 2]) > 0.5  # rad: where it heads matters
    base, rpy = deck(t)
    effort = robot.torque(q, qd, qdd, BaseState(base, pose))
    stamps = START_NS + np.rint(t * 1e9).astype(np.int64)
    with RecordingWriter(tmp_path / 'deck.mcap') as bag:
        bag.robot_description(URDF.read_text(encoding='utf-8'), START_NS)
        bag.joint_states(stamps, robot.model.joint_names, q, qd, effort)
        bag.imu(stamps, base.angular_velocity, base.specific_force, quaternions(rpy))
    result = analyze_bag(tmp_path / 'deck.mcap', options=ReplayOptions(
        wheels=WHEELS, imu_on='deck'))
    for joint in result.joints:
        assert joint.residual_rms < 0.01 * joint.measured_rms + 0.005, joint.name
    elsewhere = analyze_bag(tmp_path / 'deck.mcap', options=ReplayOptions(wheels=WHEELS))
    assert max(joint.residual_rms / joint.measured_rms for joint in elsewhere.joints) > 0.2


def test_an_imu_on_the_deck_needs_wheels(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['analyze', str(DATA / 'pa10.mcap'), '--imu-on', 'deck']) == 2
    assert '--left-wheel' in capsys.readouterr().err
