"""Publishes joint states and IMU samples, and waits for the command that answers."""

from __future__ import annotations

import time
from typing import Any, Dict, List, Sequence

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.qos import qos_profile_sensor_data
from robot_dynamics.nodes.messages import joint_state_template, set_stamp
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray

IMU_PERIOD = 0.01  # s
COMMANDS = {'echo': '/echo/commands', 'feedforward': '/feedforward/commands',
            'guarded': '/effort_controller/commands'}
JOINT_STATES = {'echo': '/echo/joint_states', 'feedforward': '/joint_states',
                'guarded': '/joint_states'}
REPORTS = ('inertia', 'coriolis', 'gravity', 'base_inertial', 'base_coriolis', 'feedback')


class Driver:
    """
    The other side of the nodes.

    Parameters
    ----------
    joints : sequence of str
    """

    def __init__(self, joints: Sequence[str]) -> None:
        self._node = rclpy.create_node('driver')
        self._state = joint_state_template(joints)
        self._imu = Imu()
        self._imu.linear_acceleration.z = 9.80665
        self._imu_due = 0.0
        node = self._node
        self._imus = node.create_publisher(Imu, '/imu/data', qos_profile_sensor_data)
        self._states: Dict[str, Any] = {
            name: node.create_publisher(JointState, topic, qos_profile_sensor_data)
            for name, topic in JOINT_STATES.items()}
        self._commands = {
            name: node.create_subscription(Float64MultiArray, topic, lambda _: None, 1)
            for name, topic in COMMANDS.items()}
        self._wait_set = rclpy_implementation.WaitSet(1, 0, 0, 0, 0, 0, node.context.handle)
        self._reports: List[Any] = []

    def wait_until_answered(self, names: Sequence[str], patience: float = 60.0) -> None:
        """Exchange until every node answers, the feedforward after its start."""
        end = time.monotonic() + patience
        for name in names:
            answered = 0
            while answered < 2000:  # past the ramp
                assert time.monotonic() < end, f'{name} does not answer'
                answered += self.exchange(name, 0.02) < 0.02

    def subscribe_reports(self, wanted: bool) -> None:
        """Listen to everything that the feedforward reports, or to nothing of it."""
        for subscription in self._reports:
            self._node.destroy_subscription(subscription)
        self._reports = [self._node.create_subscription(
            JointState, f'/feedforward/terms/{term}', lambda _: None, 1)
            for term in REPORTS] if wanted else []
        executor = SingleThreadedExecutor()
        executor.spin_once(timeout_sec=0.5)  # time for discovery

    def exchange(self, name: str, patience: float) -> float:
        """Send a joint state; return how long the answer took, or ``patience`` if none came."""
        stamp = time.time_ns()
        if name != 'echo' and time.monotonic() >= self._imu_due:
            self._imu_due = time.monotonic() + IMU_PERIOD
            set_stamp(self._imu.header.stamp, stamp)
            self._imus.publish(self._imu)
        subscription = self._commands[name]
        with subscription.handle:
            while subscription.handle.take_message(Float64MultiArray, False) is not None:
                pass  # what came late
            set_stamp(self._state.header.stamp, stamp)
            begin = time.perf_counter()
            self._states[name].publish(self._state)
            while True:
                left = patience - (time.perf_counter() - begin)
                if left <= 0.0:
                    return patience
                self._wait_set.clear_entities()
                self._wait_set.add_subscription(subscription.handle)
                self._wait_set.wait(int(1e9 * left))
                if subscription.handle.take_message(Float64MultiArray, False) is not None:
                    return time.perf_counter() - begin
