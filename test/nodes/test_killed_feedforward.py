"""What the arm feels when the feedforward is killed: the guard bounds the age of any torque."""

import signal

import numpy as np
import pytest
from robot_dynamics.nodes.messages import stamp_ns
from ros_rig import SENSOR
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

COMMAND_AGE, HOLD, RAMP = 0.05, 0.05, 0.4
# the simulated arm has no rotors: feedback is scaled by its links alone, as in its configuration
FEEDBACK = {'wait_for_reference': False, 'natural_frequency': [15.0], 'ramp.ramp_in': 0.2,
            'feedback_inertia_ratio': 1e6}


@pytest.mark.slow
def test_a_killed_feedforward_leaves_the_arm_with_gravity_and_a_new_one_takes_over(
        peer, start_process, repository, tmp_path):
    from robot_dynamics.app.scenarios import ShipPa10
    processes = {process.name: process
                 for process in ShipPa10(still_deck=True, guard=True).processes()}
    nodes = {}
    for name in ('ship_motion_publisher', 'simulated_robot', 'effort_guard', 'feedforward'):
        process = processes[name]
        extra = {
            # without friction it falls from the effort of gravity within seconds
            'simulated_robot': {'arm.initial_position': [0.0, 0.5, 0.5, 0.0, 0.5, 0.0],
                                'arm.friction': True},
            'feedforward': FEEDBACK,
            'effort_guard': {'command_age': COMMAND_AGE, 'hold_time': HOLD, 'ramp_time': RAMP,
                             'joints': [f'joint{i}' for i in range(1, 7)]}}
        nodes[name] = start_process(
            process.executable, {**process.parameters, **extra.get(name, {})},
            process.remappings, name=name)
    states = peer.listen(JointState, 'joint_states', SENSOR)
    commands = peer.listen(Float64MultiArray, 'feedforward/commands', 1)
    assert peer.until(lambda: states and len(commands) > 300), nodes['feedforward'].log
    held = np.array(states[-1].effort)
    begin = stamp_ns(states[-1].header.stamp)
    nodes['feedforward'].interrupt(signal.SIGKILL)
    assert peer.until(lambda: nodes['effort_guard'].lines('gravity_only')), (
        nodes['effort_guard'].log)
    took_over = nodes['effort_guard'].lines('holding')
    assert took_over, nodes['effort_guard'].log

    after = [state for state in states if stamp_ns(state.header.stamp) > begin]
    efforts = np.array([state.effort for state in after])
    assert np.abs(efforts - held).max() < 15.0, 'gravity of the posture it was holding'
    assert np.abs(np.diff(efforts, axis=0)).max() < 10.0

    process, before = processes['feedforward'], len(nodes['effort_guard'].lines('-> forwarding'))
    again = start_process(process.executable, {**process.parameters, **FEEDBACK},
                          process.remappings, name='feedforward')
    assert peer.until(lambda: len(
        nodes['effort_guard'].lines('-> forwarding')) > before), (
        nodes['effort_guard'].log, again.log)
    assert peer.until(lambda: again.lines('-> active')), again.log
    assert np.abs(np.array(states[-1].velocity)).max() < 0.05, again.log
    assert np.abs(np.array(states[-1].effort) - held).max() < 15.0
