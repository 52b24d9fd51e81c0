"""Arms on walls and under ceilings, with an IMU on the deck: the torques of the right physics."""

import numpy as np
from numpy.testing import assert_allclose
import pytest

from robot_dynamics import BaseMotion, InverseDynamics, RobotModel, ShipMotion
from robot_dynamics.control.arm_mount import ArmMount, fixed_frame
from robot_dynamics.control.feedforward import FeedforwardConfig, FeedforwardCore
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion.rotations import matrix_from_rpy

MS = 1_000_000
SHIP = ShipMotion.regular()
POSTURE = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])
MOUNTS = {  # roll, pitch, yaw and place of the arm's base on the deck
    'wall': ((0.0, np.pi / 2, 0.0), (2.0, 0.5, 3.0)),
    'ceiling': ((np.pi, 0.0, 0.0), (-1.0, 0.0, 4.0)),
    'tilted': ((0.3, -0.5, 1.1), (0.2, -3.0, 1.0))}
IMU = ((0.1, -0.2, 2.0), (1.0, 2.0, -0.5))  # of the sensor on the deck


@pytest.fixture(params=MOUNTS.values(), ids=MOUNTS.keys())
def pose(request):
    return request.param


def standing_on(rpy, xyz, imu=IMU):
    """Return the PA10 as one description with its deck and the IMU on it."""
    text = resource_path('urdf/pa10.urdf').read_text()

    def fixed(name, child, rpy, xyz):
        return (f'<joint name="{name}" type="fixed"><parent link="deck"/><child link="{child}"/>'
                f'<origin rpy="{" ".join(map(repr, map(float, rpy)))}" '
                f'xyz="{" ".join(map(repr, map(float, xyz)))}"/></joint>')
    return text.replace('</robot>', '<link name="deck"/><link name="imu"/>' + fixed(
        'feet', 'base_link', rpy, xyz) + fixed('screws', 'imu', *imu) + '</robot>')


def core_on(model, dynamics, mount, estimator, base_motion='moving'):
    config = FeedforwardConfig(
        base_motion=base_motion, ramp=RampConfig(ramp_in=0.0), hold_fraction=0.0)
    return FeedforwardCore(config, dynamics, estimator, mount)


def effort(core, sensor, ship, seconds=1.5):
    """Run a core on a deck that moves so; return its last effort and the time."""
    command, now = None, 1_000_000_000
    for step in range(int(seconds / 0.002)):
        now = 1_000_000_000 + 2 * MS * step
        if step % 5 == 0 and sensor is not None:
            core.on_base_sample(sensor.measure_ship(now, ship, 1e-9 * now), now)
        core.on_joint_state(now, now, core.names, POSTURE, np.zeros(6), np.zeros(6))
        command = core.command(now)
    assert command is not None and command.state == 'active', core.drain_events()
    return command.effort, 1e-9 * now


def test_a_deck_mounted_imu_tells_the_motion_of_an_arm_on_the_wall_exactly(pose):
    """What the sensor measures, moved by the mounting, is the deck's motion seen at the arm."""
    rpy, xyz = pose
    deck = SHIP.at(12.3)
    at_sensor = deck.transformed(matrix_from_rpy(IMU[0]), IMU[1])
    mounting = ArmMount(matrix_from_rpy(rpy), xyz).imu_mounting(matrix_from_rpy(IMU[0]), IMU[1])
    lever, R = np.array(mounting.p_BI), mounting.R_BI
    found = BaseMotion(
        at_sensor.angular_velocity, at_sensor.angular_acceleration,
        at_sensor.linear_acceleration, at_sensor.gravity).transformed(R.T, -R.T @ lever)
    assert_allclose(found.packed, deck.transformed(matrix_from_rpy(rpy), xyz).packed, atol=1e-12)


def test_the_pose_of_the_description_and_that_of_the_parameters_are_one(pose):
    rpy, xyz = pose
    model = RobotModel.from_urdf(standing_on(rpy, xyz), base_link='base_link')
    by_link, by_number = ArmMount.from_link(model, 'deck', 'x'), ArmMount(
        matrix_from_rpy(rpy), xyz)
    assert_allclose(by_link.R_PB, by_number.R_PB, atol=1e-12)
    assert_allclose(by_link.p_PB, by_number.p_PB, atol=1e-12)
    sensor = fixed_frame(model, 'imu', 'x')
    mounting = by_number.imu_mounting(matrix_from_rpy(IMU[0]), IMU[1])
    assert_allclose(sensor.R_BL, mounting.R_BI, atol=1e-12)
    assert_allclose(sensor.p_BL, mounting.p_BI, atol=1e-12)


def test_torques_on_a_moving_deck_are_those_of_deck_and_arm_as_one_robot(pose, pa10_dynamics):
    """The other robot has the deck as its base link, so no mount enters there."""
    rpy, xyz = pose
    whole = RobotModel.from_urdf(standing_on(rpy, xyz))
    assert whole.base_link == 'deck'
    mount = ArmMount(matrix_from_rpy(rpy), xyz)
    sensor = ImuModel(ImuConfig(mounting_rpy=IMU[0], mounting_xyz=IMU[1]))
    estimator = SavitzkyGolayEstimator(
        0.5, mount.imu_mounting(matrix_from_rpy(IMU[0]), IMU[1]))
    found, t = effort(core_on(pa10_dynamics.model, pa10_dynamics, mount, estimator), sensor, SHIP)
    zero, base = np.zeros(6), SHIP.at(t)
    right = InverseDynamics(whole, backend='interpreted').torque(POSTURE, zero, zero, base)
    upright = pa10_dynamics.torque(POSTURE, zero, zero, base)
    assert np.abs(upright - right).max() > 10.0, 'the mount matters here'
    # what is left is the estimator's error in the angular acceleration, on a long lever
    assert np.abs(found - right).max() < 0.5


@pytest.mark.parametrize('base_motion', ['fixed', 'moving'])
def test_a_still_deck_needs_the_torque_that_carries_the_hanging_arm(
        pose, base_motion, pa10_dynamics):
    rpy, xyz = pose
    mount, still = ArmMount(matrix_from_rpy(rpy), xyz), ShipMotion.regular(roll=(), pitch=())
    estimator = SavitzkyGolayEstimator(0.5, mount.imu_mounting(np.eye(3), (0, 0, 0)))
    found, _ = effort(core_on(pa10_dynamics.model, pa10_dynamics, mount, estimator, base_motion),
                      ImuModel(), still)
    whole = InverseDynamics(RobotModel.from_urdf(standing_on(rpy, xyz)), backend='interpreted')
    assert_allclose(found, whole.torque(POSTURE, np.zeros(6), np.zeros(6)), atol=1e-9)


def test_under_a_ceiling_gravity_is_turned_round_and_on_a_wall_it_lies_level():
    assert_allclose(ArmMount(matrix_from_rpy((np.pi, 0, 0))).level_direction, [0, 0, 1],
                    atol=1e-15)
    # pitched by a quarter turn the arm's z points along the platform's x: down is its own x
    assert_allclose(ArmMount(matrix_from_rpy((0, np.pi / 2, 0))).level_direction, [1, 0, 0],
                    atol=1e-15)
    assert ArmMount().level_direction.tolist() == [0.0, 0.0, -1.0]


def test_a_link_that_joints_move_cannot_carry_the_imu(pa10):
    with pytest.raises(ConfigurationError, match="link 'tool0' moves with joint 'joint6'"):
        fixed_frame(pa10, 'tool0', 'imu.link')
    with pytest.raises(UnknownNameError, match='imu_link'):
        fixed_frame(pa10, 'imu_link', 'imu.link')
