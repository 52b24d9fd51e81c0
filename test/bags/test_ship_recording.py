import json

import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.app.cli import main
from robot_dynamics.bags.ship_recording import IMU, ODOMETRY, ship_of_recording
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import BagError, InputError, UnknownNameError
from robot_dynamics.motion.rotations import matrix_from_quat, matrix_from_rpy, quat_from_matrix
from robot_dynamics.ship.ship_config import ship_from_parameters

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
    recorded = ship_of_recording(bag_file)
    ship = recorded.ship
    assert recorded.topic == '/odom' and recorded.notes == ()
    t = np.array([12.3, 20.02, 27.7])
    np.testing.assert_allclose(ship.at(t).packed, SHIP.at(t).packed, atol=2e-3)
    x = ship.pose(TIME).position
    moved = x - x[400] - (POSE.position - POSE.position[400])
    assert np.abs(moved[200:-200]).max() < 1e-3


def test_an_imu_replays_how_the_ship_turned_and_no_heave(bag_file):
    recorded = ship_of_recording(bag_file, '/imu/data')
    ship = recorded.ship
    assert recorded.topic == '/imu/data'
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
    assert main(['ship', '--replay', str(bag_file), '--csv', str(out)]) == 0
    assert 'wrote' in capsys.readouterr().out
    replayed = ship_from_parameters({'mode': 'recorded', 'file': str(out), 'fade': 0.0})
    np.testing.assert_allclose(replayed.at(20.02).packed, SHIP.at(20.02).packed, atol=5e-3)


def test_the_command_refuses_a_bag_without_a_ship(tmp_path, capsys):
    path = tmp_path / 'arm.mcap'
    with RecordingWriter(path) as bag:
        bag.joint_states(STAMPS, ['a'], np.zeros((len(STAMPS), 1)))
    assert main(['ship', '--replay', str(path)]) == 2
    assert 'holds neither' in capsys.readouterr().err


def statistics(capsys, *words):
    """Run the command; return its statistics by name, and all of its JSON."""
    assert main(['ship', '--json', *words]) == 0
    data = json.loads(capsys.readouterr().out)
    return {row['name']: row for row in data['statistics']}, data


def test_a_replay_is_the_recordings_length_and_undiluted(bag_file, capsys):
    rows, data = statistics(capsys, '--replay', str(bag_file))
    assert data['duration'] == pytest.approx(TIME[-1])
    x = SHIP.degrees_of_freedom(TIME)
    for i, name in enumerate(('surge', 'sway', 'heave')):
        assert rows[name]['rms'] == pytest.approx(x[:, i].std(), rel=0.01)
    for i, name in enumerate(('roll', 'pitch', 'yaw'), start=3):
        assert rows[name]['rms'] == pytest.approx(np.degrees(x[:, i].std()), rel=0.01)
    rate = np.degrees(MOTION.angular_velocity[:, 0])
    assert rows['angular velocity x']['maximum'] == pytest.approx(np.abs(rate).max(), rel=0.05)


def test_what_an_imu_does_not_measure_is_a_dash(bag_file, capsys):
    rows, _ = statistics(capsys, '--replay', str(bag_file), '--topic', '/imu/data')
    assert rows['heave']['rms'] is None and rows['linear acceleration z']['rms'] is None
    assert rows['roll']['rms'] > 0.5
    assert main(['ship', '--replay', str(bag_file), '--topic', '/imu/data']) == 0
    heave = next(line for line in capsys.readouterr().out.splitlines() if 'heave' in line)
    assert heave.split()[2:] == ['-'] * 5


def tilted(bag, yaw, pitch):
    """Write an IMU that is mounted with a pitch, on a ship with a heading."""
    turn = matrix_from_rpy([0.0, 0.0, np.radians(yaw)]) @ matrix_from_quat(POSE.quat_xyzw) \
        @ matrix_from_rpy([0.0, np.radians(pitch), 0.0])
    bag.imu(STAMPS, MOTION.angular_velocity, MOTION.specific_force, quat_from_matrix(turn))


def test_heading_is_left_out_and_mean_tilt_is_told(tmp_path, capsys):
    path = tmp_path / 'tilted.mcap'
    with RecordingWriter(path) as bag:
        tilted(bag, -107.0, -12.9)
    rows, data = statistics(capsys, '--replay', str(path))
    assert any('mean heading of -10' in note for note in data['notes'])
    assert abs(rows['yaw']['mean']) < 0.01
    assert rows['pitch']['mean'] == pytest.approx(-12.9, abs=0.5)
    rates = np.degrees(np.linalg.norm(MOTION.angular_velocity, axis=1)).max()
    assert rows['angular velocity x']['maximum'] < 1.1 * rates


@pytest.mark.parametrize('header, factor', [
    (('time', 'roll', 'yaw'), 1.0), (('time[s]', 'roll[deg]', 'yaw [deg]'), 180 / np.pi),
    (('time', 'roll_deg', 'yaw_deg'), 180 / np.pi), (('Time (s)', 'Roll (rad)', 'Yaw'), 1.0)])
def test_headers_may_state_units_and_yaw_may_wrap(tmp_path, capsys, header, factor):
    x = SHIP.degrees_of_freedom(TIME)
    yaw = np.mod(x[:, 5] + np.pi + 3.1, 2 * np.pi) - np.pi
    np.savetxt(tmp_path / 'a.csv', np.column_stack([TIME, factor * x[:, 3], factor * yaw]),
               delimiter=',', header=','.join(header), comments='')
    rows, _ = statistics(capsys, '--replay', str(tmp_path / 'a.csv'))
    assert rows['roll']['rms'] == pytest.approx(np.degrees(x[:, 3].std()), rel=0.01)
    assert rows['yaw']['rms'] == pytest.approx(np.degrees(x[:, 5].std()), rel=0.01)


def test_degrees_without_a_unit_are_refused_in_one_line(tmp_path, capsys):
    x = np.degrees(SHIP.degrees_of_freedom(TIME))
    np.savetxt(tmp_path / 'a.csv', np.column_stack([TIME, x[:, 3]]), delimiter=',',
               header='time,roll', comments='')
    assert main(['ship', '--replay', str(tmp_path / 'a.csv')]) == 2
    assert 'call the column roll_deg' in capsys.readouterr().err


@pytest.mark.parametrize('header, time, says', [
    ('timestamp_ms,roll_deg', 1e3 * TIME, None), ('t,roll_deg', TIME + 1.7e9, None),
    ('time,roll_deg', 1e9 * (TIME + 1.7e9), 'counts ns since 1970')])
def test_time_may_be_called_and_counted_otherwise(tmp_path, capsys, header, time, says):
    roll = np.degrees(SHIP.degrees_of_freedom(TIME)[:, 3])
    np.savetxt(tmp_path / 'a.csv', np.column_stack([time, roll]), '%.17g', ',', header=header,
               comments='')
    rows, data = statistics(capsys, '--replay', str(tmp_path / 'a.csv'))
    assert data['duration'] == pytest.approx(TIME[-1], abs=1e-3)
    assert rows['roll']['rms'] == pytest.approx(roll.std(), rel=0.01)
    assert says is None or any(says in note for note in data['notes'])


def test_a_pause_is_not_bridged(tmp_path, capsys):
    roll = SHIP.degrees_of_freedom(TIME)[:, 3]
    paused = np.where(np.arange(len(TIME)) < len(TIME) // 3, TIME, TIME + 60.0)
    np.savetxt(tmp_path / 'a.csv', np.column_stack([paused, roll]), delimiter=',',
               header='time,roll', comments='')
    rows, data = statistics(capsys, '--replay', str(tmp_path / 'a.csv'))
    assert data['duration'] == pytest.approx(2 / 3 * TIME[-1], rel=0.02)
    rest = np.degrees(roll[len(TIME) // 3:])
    assert rows['roll']['maximum'] == pytest.approx(np.abs(rest - rest.mean()).max(), rel=0.01)
    assert any('pause(s) of up to 60' in note for note in data['notes'])
    with pytest.raises(InputError, match='has a pause of 60'):  # as a node reads it
        ShipMotion.recorded(tmp_path / 'a.csv')


def test_what_is_not_used_or_steep_is_told(tmp_path, capsys):
    roll = np.degrees(SHIP.degrees_of_freedom(TIME)[:, 3])
    roll *= 0.9 / np.abs(roll).max()  # too small to be refused
    np.savetxt(tmp_path / 'a.csv', np.column_stack([TIME, roll, roll]), delimiter=',',
               header='time,roll,list', comments='')
    _, data = statistics(capsys, '--replay', str(tmp_path / 'a.csv'))
    assert 'not used: list' in data['notes']
    assert any('in degrees: call it roll_deg' in note for note in data['notes'])


def test_tables_of_other_formats_replay_too(tmp_path, capsys):
    x = SHIP.degrees_of_freedom(TIME)
    np.savez(tmp_path / 'a.npz', phi=np.degrees(x[:, 3]), z=x[:, 2])
    rows, data = statistics(capsys, '--replay', str(tmp_path / 'a.npz'), '--columns',
                            'phi=roll_deg,z=heave', '--rate', '20')
    assert data['duration'] == pytest.approx(TIME[-1])
    assert rows['roll']['rms'] == pytest.approx(np.degrees(x[:, 3].std()), rel=0.01)
    assert rows['heave']['rms'] == pytest.approx(x[:, 2].std(), rel=0.01)


@pytest.mark.parametrize('spoil, says', [
    (lambda q: q * np.nan, 'hold what is no number'),
    (lambda q: q * 0, 'have no unit quaternion')])
def test_messages_without_an_orientation_are_counted_or_named(tmp_path, capsys, spoil, says):
    for name, rows in (('some', slice(100, 103)), ('all', slice(None))):
        quats = POSE.quat_xyzw.copy()
        quats[rows] = spoil(quats[rows])
        with RecordingWriter(tmp_path / f'{name}.mcap') as bag:
            bag.imu(STAMPS, MOTION.angular_velocity, MOTION.specific_force, quats)
    some = ship_of_recording(tmp_path / 'some.mcap')
    assert f'3 of 800 messages {says}; left out' in some.notes
    with pytest.raises(BagError, match=says):
        ship_of_recording(tmp_path / 'all.mcap')


def test_stamps_that_are_all_zero_give_way_to_times_of_reception(tmp_path):
    with RecordingWriter(tmp_path / 'a.mcap') as bag:
        bag.imu(0 * STAMPS, MOTION.angular_velocity, MOTION.specific_force, POSE.quat_xyzw,
                recorder_ns=STAMPS)
    recorded = ship_of_recording(tmp_path / 'a.mcap')
    assert 'times of reception' in recorded.notes[0]
    np.testing.assert_allclose(recorded.ship.at(20.02).packed[:6], SHIP.at(20.02).packed[:6],
                               atol=1e-4)


def test_a_recorded_motion_fades_only_if_asked(tmp_path):
    x = SHIP.degrees_of_freedom(TIME)
    np.savetxt(tmp_path / 'a.csv', np.column_stack([TIME, x[:, 3]]), delimiter=',',
               header='time,roll', comments='')
    plain = ShipMotion.recorded(str(tmp_path / 'a.csv'))
    faded = ShipMotion.recorded(str(tmp_path / 'a.csv'), fade=5.0)
    assert plain.degrees_of_freedom(TIME[:1])[0, 3] == pytest.approx(x[0, 3])
    assert faded.degrees_of_freedom(TIME[:1])[0, 3] == 0.0
    assert faded.degrees_of_freedom(TIME[400:401])[0, 3] == pytest.approx(x[400, 3])
