"""A controller manager, nodes of this package and a PA10 for them, as processes; what is seen."""

import json
import os
from pathlib import Path
import signal
import subprocess
import sys
import threading
import time

from controller_manager_msgs.srv import (
    ConfigureController, ListControllers, LoadController, SwitchController)
from lifecycle_msgs.srv import ChangeState
import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from robot_dynamics.core.parent import bound_to_this_process
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
import yaml

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
PATIENCE = 60.0  # s
JOINTS = tuple(f'joint{i}' for i in range(1, 7))
POSTURE = (0.1, 0.5, 0.8, 0.2, 0.3, 0.1)  # rad, of the arm that does not move
MOCK, TOPIC = 'mock_components/GenericSystem', 'h2_topic_system/TopicSystem'

# 200 Hz and long ages: a test machine may be busy
SLOW = {
    'controller_manager': {'update_rate': 200, 'enforce_command_limits': False},
    '/**/feedforward': {
        'command_period': 0.005, 'watchdog.joint_states_age': 2.0,
        'watchdog.base_motion_age': 2.0},
    '/**/effort_guard': {'command_age': 2.0, 'tick_period': 0.005},
    '/**/simulated_robot': {'period': 0.005, 'arm.substep': 0.0025}}


def described(urdf, plugin):
    """Return a description with a hardware interface of efforts."""
    states = [f'<state_interface name="{kind}"/>' for kind in ('velocity', 'effort')]
    joints = [
        f'<joint name="{name}"><command_interface name="effort"/><state_interface name="position">'
        f'<param name="initial_value">{position}</param></state_interface>{"".join(states)}'
        '</joint>' for name, position in zip(JOINTS, POSTURE)]
    system = (f'<ros2_control name="pa10" type="system"><hardware><plugin>{plugin}</plugin>'
              f'</hardware>{"".join(joints)}</ros2_control>')
    return urdf.replace('</robot>', system + '</robot>')


class Rig:
    """Use it as a context; it ends every process that it has started."""

    def __init__(self, repository, directory, plugin):
        self.repository, self.directory = Path(repository), Path(directory)
        self.files = [self._parameters('slow', SLOW)]
        self.processes = {}
        self.states = {}
        self.interface = []  # of each cycle: time in s, efforts in Nm
        self.now = time.time  # the nodes' clock, s
        self.positions = []
        rclpy.init()
        self.node = rclpy.create_node('_rig')  # which only looks
        urdf = (self.repository / 'urdf/pa10.urdf').read_text()
        for topic in ('robot_description', 'controller_manager/robot_description'):  # Humble's
            self.node.create_publisher(String, topic, LATCHED).publish(
                String(data=described(urdf, plugin)))
        for name in ('feedforward', 'effort_guard'):
            self.node.create_subscription(
                String, f'{name}/state', lambda m, n=name: self._on_state(n, m.data), LATCHED)
        self.gravity = None
        self.node.create_subscription(
            JointState, 'feedforward/gravity_effort', self._on_gravity, 10)
        self.node.create_subscription(JointState, 'joint_states', self._on_joints, 100)
        self._mock = plugin == MOCK
        if not self._mock:
            self.node.create_subscription(
                Float64MultiArray, 'sim/effort_commands', self._on_efforts, 100)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
        for process in self.processes.values():
            process.wait()
        self._executor.shutdown()
        self._thread.join(5.0)
        rclpy.try_shutdown()

    # ------------------------------------------------------------------------------ what is seen

    def _on_state(self, name, state):
        print(f'{time.time():.3f} {name} {state}', flush=True)
        self.states[name] = state

    def _on_gravity(self, message):
        self.gravity = np.array([message.effort[message.name.index(name)] for name in JOINTS])

    def _on_joints(self, message):
        order = [message.name.index(name) for name in JOINTS]
        stamp = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
        self.positions.append((stamp, np.take(message.position, order)))
        if self._mock:  # which shows the commands as states
            self.interface.append((self.now(), np.take(message.effort, order)))

    def _on_efforts(self, message):
        self.interface.append((self.now(), np.array(message.data)))

    def efforts(self, since=0.0):
        """Return the efforts on the interface of all cycles since a time that were written."""
        rows = [effort for when, effort in self.interface if when >= since]
        rows = np.array(rows).reshape(-1, len(JOINTS))
        return rows[np.isfinite(rows).all(axis=1)]

    def settled(self, after=0.5):
        """Return the effort on the interface a while from now."""
        since = self.now() + after
        self.until(lambda: len(self.efforts(since)) > 3, 'efforts on the interface')
        return self.efforts(since)[-1]

    def until(self, condition, what, patience=PATIENCE):
        """Wait for a condition; a process that ends meanwhile is an error."""
        end = time.time() + patience
        while not condition():
            for name, process in self.processes.items():
                assert process.poll() is None, f'{name} has ended with {process.returncode}'
            assert time.time() < end, f'waited in vain: {what}'
            time.sleep(0.01)
        print(f'{time.time():.3f} {what}', flush=True)

    def wait(self, seconds):
        """Wait by the nodes' clock."""
        end = self.now() + seconds
        self.until(lambda: self.now() > end, f'{seconds} s')

    def until_state(self, name, state):
        """Wait until a node has published a state."""
        self.until(lambda: self.states.get(name) == state, f'{name} is {state}')

    # -------------------------------------------------------------------------------- processes

    def _parameters(self, name, values):
        path = self.directory / f'{name}.yaml'
        path.write_text(yaml.safe_dump(
            {key: {'ros__parameters': value} for key, value in values.items()}))
        return path

    def configuration(self, name):
        """Give all processes from here on a file of config/ as well, before what slows them."""
        self.files.insert(0, self.repository / 'config' / f'{name}.yaml')

    def simulate_time(self, speed):
        """Give all processes from here on a clock that runs at :attr:`clock_speed`."""
        self.files.append(self._parameters('clock', {'/**': {'use_sim_time': True}}))
        publisher = self.node.create_publisher(Clock, '/clock', 1)
        self.clock_speed, period = speed, 0.0025
        seconds = 100.0
        self.now = lambda: seconds

        def go_on():
            nonlocal seconds
            seconds += period * self.clock_speed
            message = Clock()
            message.clock.sec, message.clock.nanosec = divmod(int(1e9 * seconds), 10**9)
            publisher.publish(message)

        self.node.create_timer(period, go_on)

    def add(self, **values):
        """Give all processes from here on these parameters, by node, as well."""
        self.files.append(self._parameters(
            f'more{len(self.files)}',
            {key if key.startswith('joint') or '_controller' in key or 'manager' in key
             else f'/**/{key}': value for key, value in values.items()}))

    def _start(self, name, words, remap=()):
        for path in self.files:
            words += ['--params-file', str(path)]
        for old, new in remap:
            words += ['-r', f'{old}:={new}']
        with open(self.directory / f'{name}.log', 'ab') as log:
            self.processes[name] = subprocess.Popen(
                words, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                env={**os.environ, **bound_to_this_process()})

    def start(self, name, remap=(), **parameters):
        """Start a node of this package."""
        words = [sys.executable, '-m', f'robot_dynamics.nodes.{name}', '--ros-args']
        for key, value in parameters.items():
            words += ['-p', f'{key.replace("__", ".")}:={json.dumps(value)}']
        self._start(name, words, remap)

    def start_manager(self, *controllers, active=True):
        """Start the controller manager, and load controllers."""
        [node, *_] = [
            path for prefix in os.environ['AMENT_PREFIX_PATH'].split(os.pathsep)
            for path in Path(prefix).glob('lib/controller_manager/ros2_control_node')]
        self._start('controller_manager', [str(node), '--ros-args'])
        for name in controllers:
            for kind, service in ((LoadController, 'load_controller'),
                                  (ConfigureController, 'configure_controller')):
                answer = self.call(kind, f'controller_manager/{service}', name=name)
                assert answer.ok or name in self.controllers(), name  # it was asked twice
        if active:
            self.switch(on=controllers)

    def end(self, name, number=signal.SIGKILL):
        """Send a signal, wait for the end, and return the exit code."""
        process = self.processes.pop(name)
        process.send_signal(number)
        self.states.pop(name.replace('_node', ''), None)
        return process.wait(PATIENCE)

    def log(self, name):
        """Return what a process has written."""
        return (self.directory / f'{name}.log').read_text(errors='replace')

    # --------------------------------------------------------------------------------- services

    def call(self, kind, service, **fields):
        """
        Call a service and return its first answer.

        A request may go to a server that was killed just before: it is sent again.
        """
        client = self.node.create_client(kind, service)
        assert client.wait_for_service(PATIENCE), service
        futures, due = [], 0.0

        def answered():
            nonlocal due
            if time.monotonic() > due:
                due = time.monotonic() + 5.0
                futures.append(client.call_async(kind.Request(**fields)))
            return any(future.done() for future in futures)

        self.until(answered, f'{service} {fields}')
        [answer, *_] = [future.result() for future in futures if future.done()]
        self.node.destroy_client(client)
        return answer

    def switch(self, on=(), off=()):
        """Activate and deactivate controllers."""
        answer = self.call(
            SwitchController, 'controller_manager/switch_controller', strictness=2,
            activate_controllers=list(on), deactivate_controllers=list(off))
        assert answer.ok

    def controllers(self):
        """Return the states of the controllers by name."""
        return {one.name: one.state for one in self.call(
            ListControllers, 'controller_manager/list_controllers').controller}

    def until_inactive(self, name):
        """Wait until somebody has deactivated a controller."""
        self.until(lambda: self.controllers()[name] == 'inactive', f'{name} is inactive')

    def lead(self, name, transition):
        """Ask a managed node for a transition."""
        request = ChangeState.Request()
        request.transition.id = transition
        assert self.call(
            ChangeState, f'{name}/change_state', transition=request.transition).success
