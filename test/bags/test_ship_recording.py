import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.app.cli import main
from robot_dynamics.bags.ship_recording import IMU, ODOMETRY, ship_of_recording
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import BagError, UnknownNameError

SHIP = ShipMotion.irregular(5, seed=4)
TIME = np.arange(0.0, 40.0, 0.05)
POSE, MOTION = SHIP.pose(TIME), SHIP.at(TIME)
STAMPS = np.rint(1e9 * (100.0 + TIME)).astype(np.int64)


def write_imu(bag, topic='/imu/data'):
    bag.imu(STAMPS, MOTION.angular_velocity, MOTION.specific_force, POSE.quat_xyzw, topic=topic)


def write_odometry(bag, topic='/odom'):
    types = bag._encoder.typestore.types
    zeros = np.zeros(36)
    raws = []
    for k, stamp in enumerate(STAMPS.tolist()):
        p, q = POSE.position[k] + [5.0, -3.0, 1.0], POSE.quat_xyzw[k]
        vector = types['geometry_msgs/msg/Vector3'](x=0.0, y=0.0, z=0.0)
        raws.append(bytes(bag._encoder.typestore.serialize_cdr(types[ODOMETRY](
            header=types['std_msgs/msg/Header'](
                stamp=types['builtin_interfaces/msg/Time'](
                    sec=stamp // 10**9, nanosec=stamp % 10**9), frame_id='odom'),
            child_frame_id='ship',
            pose=types['geometry_msgs/msg/PoseWithCovariance'](
                pose=types['geometry_msgs/msg/Pose'](
                    position=types['geometry_msgs/msg/Point'](x=p[0], y=p[1], z=p[2]),
                    orientation=types['geometry_msgs/msg/Quaternion'](
                        x=q[0], y=q[1], z=q[2], w=q[3])), covariance=zeros),
            twist=types['geometry_msgs/msg/TwistWithCovariance'](
                twist=types['geometry_msgs/msg/Twist'](linear=vector, angular=vector),
                covariance=zeros)), ODOMETRY)))
    bag.raw(topic, ODOMETRY, STAMPS, raws)


@pytest.fixture(scope='module')
def bag_file(tmp_path_factory):
    path = tmp_path_factory.mktemp('ship') / 'trial.mcap'
    with RecordingWriter(path) as bag:
        write_imu(bag)
        write_odometry(bag)
    return path


def test_odometry_replays_all_of_the_motion_about_its_mean(bag_file):
    ship, topic = ship_of_recording(bag_file)
    assert topic == '/odom'
    t = np.array([12.3, 20.02, 27.7])
    np.testing.assert_allclose(ship.at(t).packed, SHIP.at(t).packed, atol=2e-3)
    x = ship.pose(TIME).position
    moved = x - x[400] - (POSE.position - POSE.position[400])
    assert np.abs(moved[200:-200]).max() < 1e-3


def test_an_imu_replays_how_the_ship_turned_and_no_heave(bag_file):
    ship, topic = ship_of_recording(bag_file, '/imu/data')
    assert topic == '/imu/data'
    np.testing.assert_allclose(ship.at(20.02).packed[:6], SHIP.at(20.02).packed[:6], atol=1e-4)
    assert not ship.degrees_of_freedom(TIME)[:, :3].any()


def test_a_topic_that_is_not_there_is_refused_with_those_that_are(bag_file):
    with pytest.raises(UnknownNameError, match='/imu/data'):
        ship_of_recording(bag_file, '/imu')


def test_two_imus_are_not_guessed_between(tmp_path):
    path = tmp_path / 'two.mcap'
    with RecordingWriter(path) as bag:
        write_imu(bag, '/imu/port')
        write_imu(bag, '/imu/starboard')
    with pytest.raises(BagError, match=f'/imu/port, /imu/starboard of type {IMU}'):
        ship_of_recording(path)


def test_the_command_makes_of_a_bag_the_file_that_the_nodes_replay(bag_file, tmp_path, capsys):
    out = tmp_path / 'motion.csv'
    assert main(['ship', '--replay', str(bag_file), '--duration', '40', '--rate', '20',
                 '--csv', str(out)]) == 0
    assert 'wrote' in capsys.readouterr().out
    replayed = ShipMotion.from_parameters({'mode': 'recorded', 'file': str(out)})
    np.testing.assert_allclose(replayed.at(20.02).packed, SHIP.at(20.02).packed, atol=5e-3)


def test_the_command_refuses_a_bag_without_a_ship(tmp_path, capsys):
    path = tmp_path / 'arm.mcap'
    with RecordingWriter(path) as bag:
        bag.joint_states(STAMPS, ['a'], np.zeros((len(STAMPS), 1)))
    assert main(['ship', '--replay', str(path)]) == 2
    assert 'holds neither' in capsys.readouterr().err
