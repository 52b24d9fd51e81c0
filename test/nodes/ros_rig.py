"""A test's own node, and nodes under test as processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from node_thread import node_words, PATIENCE
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, qos_profile_sensor_data, QoSProfile
from robot_dynamics.core.parent import bound_to_this_process

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
SENSOR = qos_profile_sensor_data


class NodeProcess:
    """One node of this package as a process, with its output in a file."""

    def __init__(self, executable, parameters, remappings, directory, name=None, namespace='',
                 environment=None):
        self.log_file = directory / f'{name or executable}.log'
        words = [sys.executable, '-m', f'robot_dynamics.nodes.{executable}', *node_words(
            parameters, remappings, directory / f'{name or executable}.yaml', name, namespace)]
        with open(self.log_file, 'wb') as log:
            self.process = subprocess.Popen(
                words, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                env={**os.environ, **bound_to_this_process(), **(environment or {})})

    @property
    def log(self):
        """Return what it has written so far."""
        return self.log_file.read_text(errors='replace')

    def lines(self, word):
        """Return the lines of the log that hold a word."""
        return [line for line in self.log.splitlines() if word in line]

    def interrupt(self, number=signal.SIGINT):
        """Send a signal."""
        self.process.send_signal(number)

    def wait(self, timeout=PATIENCE):
        """Return the exit code."""
        return self.process.wait(timeout)

    def kill(self):
        """End it for certain."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Peer:
    """A node of the test, that publishes, and remembers what it receives."""

    def __enter__(self):
        self.context = Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('peer', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.clients = {}
        return self

    def __exit__(self, *_):
        self.executor.shutdown()
        self.node.destroy_node()
        self.context.try_shutdown()

    def listen(self, kind, topic, qos=10):
        """Return the list into which the messages of a topic go."""
        received = []
        self.node.create_subscription(kind, topic, received.append, qos)
        return received

    def publisher(self, kind, topic, qos=10, readers=1):
        """Return a publisher once it has its readers."""
        made = self.node.create_publisher(kind, topic, qos)
        assert self.until(lambda: made.get_subscription_count() >= readers), topic
        return made

    def call(self, kind, name, request, patience=PATIENCE):
        """Call a service and return its response."""
        if name not in self.clients:
            client = self.clients[name] = self.node.create_client(kind, name)
            assert self.until(client.service_is_ready), name
            self.spin(0.3)  # the server discovers the reader of responses a little later
        future = self.clients[name].call_async(request)
        assert self.until(future.done, patience), name
        return future.result()

    def until(self, condition, timeout=PATIENCE):
        """Serve messages until the condition holds; return whether it does."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                return False
            self.executor.spin_once(timeout_sec=0.02)
        return True

    def spin(self, duration):
        """Serve messages for some time."""
        self.until(lambda: False, duration)
