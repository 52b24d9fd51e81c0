"""Streams of a healthy arm at rest in real time, which a fault then distorts."""

from __future__ import annotations

import copy
import time

import numpy as np
from robot_dynamics.nodes.messages import to_stamp
from ros_rig import LATCHED, SENSOR
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray, String
from trajectory_msgs.msg import JointTrajectory

JOINTS = [f'joint{i}' for i in range(1, 7)]
POSTURE = [0.2, 0.5, 0.6, -0.2, 0.4, 0.1]
TICK = 0.005  # s
LIMIT, RATE, LONGEST_STEP = 60.0, 400.0, 0.02  # Nm, Nm/s, s
PARAMETERS = {
    'joints': JOINTS, 'natural_frequency': [10.0], 'command_period': TICK,
    'limits.effort': [LIMIT], 'limits.effort_rate': [RATE],
    'limits.longest_step': LONGEST_STEP, 'ramp.ramp_in': 0.1,
    'watchdog.joint_states_age': 0.12, 'watchdog.base_motion_age': 0.2,
    'watchdog.base_settling': 0.1, 'watchdog.hold_time': 0.05, 'watchdog.ramp_time': 0.2,
    'watchdog.final_delay': 0.1, 'watchdog.recovery_time': 0.1}


class Fault:
    """
    What happens to the streams; each method takes a message and returns those that are sent.

    ``k`` counts the ticks of the fault.
    """

    def joint_states(self, k, message):
        return [message]

    def imus(self, k, message):
        return [message]

    def references(self, k):
        return []


class FaultRig:
    """Sends streams to a feedforward node and keeps what it commands."""

    def __init__(self, peer, process, reference_qos=LATCHED, listens=True):
        self.peer, self.process = peer, process
        self.effort = [0.0] * len(JOINTS)  # measured
        self.commands = (
            peer.listen(Float64MultiArray, 'feedforward/commands', 1000) if listens else [])
        self._words = peer.listen(String, 'feedforward/state', LATCHED)
        self._states = peer.node.create_publisher(JointState, 'joint_states', SENSOR)
        self._imus = peer.node.create_publisher(Imu, 'imu/data', SENSOR)
        self._references = peer.node.create_publisher(
            JointTrajectory, 'reference', reference_qos)

    def healthy_until(self, condition, timeout=40.0):
        """Stream a healthy arm until a condition holds."""
        end = time.monotonic() + timeout
        while not condition():
            assert self.process.process.poll() is None, self.process.log
            assert time.monotonic() < end, self.process.log
            self.run(Fault(), 10 * TICK)

    def become_active(self):
        """Stream a healthy arm until it is commanded, and forget what was before."""
        self.healthy_until(lambda: self.states[-1:] == ['active'])
        self.run(Fault(), 0.2)

    def run(self, fault, duration):
        """Stream for some time with a fault."""
        begin, k = time.monotonic(), 0
        while time.monotonic() < begin + duration:
            now = time.time_ns()
            for message in fault.joint_states(k, changed(joint_state(now), effort=self.effort)):
                self._states.publish(message)
            if k % 2 == 0:
                for message in fault.imus(k, imu(now)):
                    self._imus.publish(message)
            for message in fault.references(k):
                self._references.publish(message)
            k += 1
            self.peer.spin(max(0.0, begin + k * TICK - time.monotonic()))

    @property
    def states(self):
        """Return the states that were entered, in order."""
        return [message.data for message in self._words]

    def check_commands(self):
        """Check what holds for every command whatever happens, and return the largest step."""
        efforts = np.array([message.data for message in self.commands])
        assert efforts.shape[1] == len(JOINTS)
        assert np.isfinite(efforts).all()
        assert np.abs(efforts).max() <= LIMIT + 1e-9
        step = np.abs(np.diff(efforts, axis=0)).max()
        assert step <= RATE * LONGEST_STEP + 1e-6
        return step


def joint_state(now_ns, names=JOINTS, position=POSTURE):
    """Return the state of the arm at rest."""
    message = JointState(name=list(names), position=list(position), velocity=[0.0] * len(names),
                         effort=[0.0] * len(names))
    message.header.stamp = to_stamp(now_ns)
    return message


def imu(now_ns):
    """Return a sample of a level base at rest."""
    message = Imu()
    message.header.stamp = to_stamp(now_ns)
    message.header.frame_id = 'imu_link'
    message.orientation.w = 1.0
    message.linear_acceleration.z = 9.80665
    return message


def changed(message, **fields):
    """Return a copy of a message with other fields, dots as double underscores."""
    other = copy.deepcopy(message)
    for path, value in fields.items():
        *parents, last = path.split('__')
        target = other
        for name in parents:
            target = getattr(target, name)
        setattr(target, last, value)
    return other
