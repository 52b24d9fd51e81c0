"""A feedforward under load, ten minutes unless told otherwise, neither grows nor hides misses."""

import os
import time

from diagnostic_msgs.msg import DiagnosticArray
import pytest
from robot_dynamics.nodes.messages import joint_state_template, set_stamp
from ros_rig import SENSOR
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray

DURATION = float(os.environ.get('ROBOT_DYNAMICS_LOAD_SECONDS', '600'))
COMPILING = 300.0  # s
SETTLING = 15.0  # s before memory is looked at
RATE, IMU_EVERY = 1000, 5
JOINTS = [f'joint{i}' for i in range(1, 7)]


def resident(process):
    """Return the resident memory of a process in bytes."""
    with open(f'/proc/{process.pid}/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def values(message):
    return {item.key: item.value for item in message.status[0].values}


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.skipif(not os.path.exists('/proc/self/statm'), reason='needs Linux')
def test_minutes_of_load_leave_memory_as_it_was_and_every_cycle_accounted_for(
        peer, start_process, repository, tmp_path, monkeypatch):
    for name in ('ROBOT_DYNAMICS_CACHE', 'NUMBA_CACHE_DIR'):  # nothing is compiled beforehand
        monkeypatch.setenv(name, str(tmp_path / name))
    node = start_process('feedforward_node', {
        'robot_description': str(repository / 'urdf/pa10.urdf'), 'joints': JOINTS,
        'natural_frequency': [15.0], 'command_period': 1.0 / RATE,
        'watchdog.joint_states_age': 0.2, 'watchdog.base_motion_age': 0.3})
    states = peer.node.create_publisher(JointState, 'joint_states', SENSOR)
    assert peer.until(states.get_subscription_count, COMPILING), node.log
    imus = peer.publisher(Imu, 'imu/data', SENSOR)
    diagnostics = peer.listen(DiagnosticArray, '/diagnostics')
    commands = peer.node.create_subscription(
        Float64MultiArray, 'feedforward/commands', lambda _: None, 10)
    assert peer.until(lambda: commands.get_publisher_count() > 0)
    state, imu = joint_state_template(JOINTS), Imu()
    imu.orientation.w, imu.linear_acceleration.z = 1.0, 9.80665
    begin, sent, before, first = time.monotonic(), 0, 0, None
    while time.monotonic() < begin + SETTLING + DURATION:
        if node.process.poll() is not None:
            raise AssertionError(node.log)
        now = time.time_ns()
        if sent % IMU_EVERY == 0:
            set_stamp(imu.header.stamp, now)
            imus.publish(imu)
        set_stamp(state.header.stamp, now)
        states.publish(state)
        sent += 1
        if sent % 200 == 0:
            peer.executor.spin_once(timeout_sec=0)
            if not before and not (diagnostics and int(values(diagnostics[-1])['commands'])):
                begin, sent = time.monotonic(), 0  # it settles from its first command on
        if not before and time.monotonic() > begin + SETTLING:
            before, first, sent = resident(node.process), values(diagnostics[-1]), 0
        late = begin + (SETTLING if before else 0.0) + sent / RATE - time.monotonic()
        time.sleep(max(0.0, late))
    peer.spin(1.5)
    grown = resident(node.process) - before
    last = values(diagnostics[-1])
    assert grown < 5e6, f'{grown / 1e6:.1f} MB more'
    answered = int(last['commands']) - int(first['commands'])
    missed = int(last['missed_cycles']) - int(first['missed_cycles'])
    assert answered > 0.5 * sent, node.log
    assert sent - answered <= missed + 0.01 * sent, (sent, answered, missed)
    assert 'stopped until' not in node.log, 'nothing trips'
    assert node.process.poll() is None and 'Traceback' not in node.log
