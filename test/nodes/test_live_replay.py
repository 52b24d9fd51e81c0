"""A recording played over DDS into the node of the replay launch file, beside its analysis."""

import time

from builtin_interfaces.msg import Time
import numpy as np
import pytest
from robot_dynamics.app.scenarios import Replay
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.nodes.messages import stamp_ns
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.ship.ship_motion import ShipMotion
from ros_rig import LATCHED, SENSOR
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, JointState
from trajectory_msgs.msg import JointTrajectory

START = 1_700_000_000_000_000_000
TOPICS = {'/imu/data': (Imu, SENSOR), '/joint_states': (JointState, SENSOR),
          '/reference': (JointTrajectory, LATCHED)}


@pytest.fixture
def bag(tmp_path, repository):
    """Return a recording of a PA10 that follows a reference exactly on the paper's ship."""
    model = RobotModel.from_urdf(repository / 'urdf/pa10.urdf')
    t = np.arange(0.0, 8.0, 0.01)
    rates = np.array([1.2, 1.4, 1.5, 1.5, 2.0, 1.5])
    sizes = np.array([0.4, 0.3, 0.3, 0.5, 0.4, 0.5])
    phase = rates * t[:, None]
    q = sizes * (1 - np.cos(phase)) + [0.0, 0.3, 0.6, 0.0, 0.4, 0.0]
    qd, qdd = sizes * rates * np.sin(phase), sizes * rates**2 * np.cos(phase)
    ship = ShipMotion.regular()
    base = ship.at(t)
    stamps = START + np.round(t * 1e9).astype(np.int64)
    path = tmp_path / 'sea_trial.mcap'
    with RecordingWriter(path) as writer:
        writer.imu(stamps, base.angular_velocity, base.specific_force, ship.pose(t).quat_xyzw)
        writer.joint_states(stamps, model.joint_names, q, qd,
                            InverseDynamics(model, backend='interpreted').torque(q, qd, qdd, base))
        writer.trajectory(START, model.joint_names, t, q, qd, qdd)
    return path


def play(peer, path, process, answers, pause):
    """
    Play all messages as they were recorded, with the clock, at the recorded pace.

    Once the node answers, every joint state waits for its answer: the clock is this one, so a
    machine that is busy makes the replay slower, and no message is lost in a full queue.  The
    node's patience with a clock that stands still is longer than such a wait.  Of a pause, begin
    and end in s, the messages of the IMU are left out.
    """
    publishers = {topic: peer.node.create_publisher(kind, topic, qos)
                  for topic, (kind, qos) in TOPICS.items()}
    clock = peer.node.create_publisher(Clock, '/clock', 10)
    for publisher in (*publishers.values(), clock):
        assert peer.until(lambda publisher=publisher: publisher.get_subscription_count() > 0), (
            process.log)
    peer.spin(0.5)
    with Recording(path) as recording:
        messages = sorted(recording.messages(list(TOPICS)), key=lambda m: (m[1], m[0]))
        begin = time.monotonic() - messages[0][1] * 1e-9
        for topic, now, raw in messages:
            if topic == '/imu/data' and pause[0] < (now - START) * 1e-9 < pause[1]:
                continue
            while time.monotonic() - begin < now * 1e-9:
                peer.executor.spin_once(timeout_sec=0.001)
            clock.publish(Clock(clock=Time(sec=now // 10**9, nanosec=now % 10**9)))
            publishers[topic].publish(bytes(raw))
            if topic == '/joint_states' and answers:
                peer.until(lambda now=now: stamp_ns(answers[-1].header.stamp) >= now, timeout=5.0)
    peer.spin(0.5)
    assert answers, process.log


@pytest.mark.slow
@pytest.mark.parametrize('pause', [(0.0, 0.0), (2.0, 2.8)], ids=['whole', 'IMU paused'])
def test_commands_of_a_live_replay_are_the_torques_of_the_analysis(
        peer, start, bag, repository, pause):
    scenario, _ = Replay(str(bag), robot=str(repository / 'urdf/pa10.urdf')).processes()
    answers = peer.listen(JointState, '/replay/commands_stamped')
    process = start('feedforward_node', {
        **scenario.parameters, 'joints': [f'joint{i}' for i in range(1, 7)],
        'clock_patience': 30.0},
        list(scenario.remappings))
    play(peer, bag, process, answers, pause)
    live_stamps = np.array([stamp_ns(answer.header.stamp) for answer in answers])
    live = np.array([answer.effort for answer in answers])
    options = ReplayOptions(reference_topic='/reference')
    with analyze_bag(bag, str(repository / 'urdf/pa10.urdf'), options) as result:
        samples = list(result.blocks())
        stamps = np.concatenate([block.samples.stamp_ns for block in samples])
        torque = np.concatenate([block.computed for block in samples])
        valid = np.concatenate([block.samples.valid for block in samples])
    during = live_stamps <= stamps[-1]  # after the end its clock stands still, and the arm is held
    live, live_stamps = live[during], live_stamps[during]
    rows = np.searchsorted(stamps, live_stamps)
    assert np.array_equal(stamps[rows], live_stamps)
    # after waiting for inputs and the ramp, and before the analysis runs out of samples
    both = (live_stamps > START + 5 * 10**9) & (live_stamps < START + 7.8e9) & valid[rows]
    assert both.sum() > 150, process.log
    peak = np.abs(torque[valid]).max(axis=0)
    error = np.sqrt(np.mean((live[both] - torque[rows][both])**2, axis=0))
    # a command is for an instant some milliseconds after the joint state that it answers
    assert (error < 0.01 * peak + 1e-3).all(), error / peak
