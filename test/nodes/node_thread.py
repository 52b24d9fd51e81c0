"""Nodes under test in a thread of the test's own process: they start in a moment."""

from __future__ import annotations

import contextlib
import importlib
import signal
import threading
import time
import traceback

import rclpy
from rclpy.context import Context
from rclpy.impl import rcutils_logger
from rclpy.logging import LoggingSeverity
from robot_dynamics.nodes import process
import yaml

PATIENCE = 120.0  # s: for a machine that is busy with other tests, and has kernels to compile

_starting = threading.Lock()  # rclpy has one default context, and a node takes the current one


def node_words(parameters, remappings, file, name='', namespace=''):
    """Return the command line of a node; its parameters are written to a file."""
    file.write_text(yaml.safe_dump({'/**': {'ros__parameters': parameters}}))
    words = ['--ros-args', '--params-file', str(file)]
    if name:
        words += ['-r', f'__node:={name}']
    if namespace:
        words += ['-r', f'__ns:=/{namespace}']
    for source, target in remappings:
        words += ['-r', f'{source}:={target}']
    return words


class _Log:
    """What nodes log, by the thread that they run in."""

    def __init__(self):
        self.texts = {}
        self._c = rcutils_logger._rclpy

    def __getattr__(self, name):
        return getattr(self._c, name)

    def rclpy_logging_rcutils_log(self, severity, name, message, *place):
        """Keep a line, and log it."""
        texts = self.texts.get(threading.get_ident())
        if texts is not None:
            texts.append(f'[{LoggingSeverity(severity).name}] [{name}]: {message}')
        self._c.rclpy_logging_rcutils_log(severity, name, message, *place)


_LOG = rcutils_logger._rclpy = _Log()


class NodeThread:
    """One node of this package in a thread, with a context of its own."""

    def __init__(self, executable, parameters, remappings, directory, name=None, namespace=''):
        module = importlib.import_module(f'robot_dynamics.nodes.{executable}')
        self._build, = (value for value in vars(module).values() if isinstance(value, type)
                        and value.__module__ == module.__name__ and hasattr(value, 'PARAMETERS'))
        self._words = node_words(parameters, remappings,
                                 directory / f'{name or executable}.yaml', name, namespace)
        self._name = name or executable
        self.process = self  # has what a test asks of a process
        self.returncode = None
        self.is_set, self.on_set = False, lambda: None
        self._node, self._texts = None, []
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        self._thread.start()

    def _run(self):
        _LOG.texts[threading.get_ident()] = self._texts
        with contextlib.ExitStack() as starting:
            starting.enter_context(_starting)
            rclpy.utilities.g_default_context = Context()
            starting.callback(setattr, rclpy.utilities, 'g_default_context', None)

            def build():
                self._node = self._build()
                starting.close()
                return self._node

            build.PARAMETERS = self._build.PARAMETERS
            try:
                code = process.serve(self._name, build, ['node', *self._words], self,
                                     lambda: None)
            except BaseException:  # noqa: B902  (a process would end with its traceback)
                self._texts.append(traceback.format_exc())
                code = 1
        del _LOG.texts[threading.get_ident()]
        self._node = None
        self.returncode = code

    @property
    def log(self):
        """Return what it has logged so far."""
        return '\n'.join(self._texts)

    def lines(self, word):
        """Return the lines of the log that hold a word."""
        return [line for line in self.log.splitlines() if word in line]

    def poll(self):
        """Return the exit code once it has ended."""
        return self.returncode

    def interrupt(self, number=signal.SIGINT):
        """Do as SIGINT and SIGTERM to a process do."""
        assert number in (signal.SIGINT, signal.SIGTERM)
        self.is_set = True
        self.on_set()

    def wait(self, timeout=PATIENCE):
        """Return the exit code."""
        self._thread.join(timeout)
        assert self.returncode is not None, self.log
        return self.returncode

    def kill(self):
        """End it for certain, without its last word."""
        end = time.monotonic() + PATIENCE
        while self.returncode is None and time.monotonic() < end:
            node = self._node
            if node is not None:
                node.finish = lambda: None
                self.interrupt()
            self._thread.join(0.01)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), self.log
