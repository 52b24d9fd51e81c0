"""How a node's process ends: by a signal, by an error of the user, by a defect."""

import os
import signal
import subprocess
import sys
import time

import pytest
from robot_dynamics.nodes.process import GRACE

SCRIPT = """
if {what!r} == 'loading':
    import importlib, time, types
    from robot_dynamics.nodes import start
    def loading(name):
        print('loading', flush=True)
        time.sleep(30.0)
    importlib.import_module = loading
    start.feedforward_node()
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.nodes.process import EndOfRun, run
import sys, time

class Tested(Node):
    def __init__(self):
        super().__init__('tested')
        if {what!r} == 'compiling':
            print('compiling', flush=True)
            time.sleep(30.0)
        if {what!r} == 'wrong':
            raise ConfigurationError('gain: is missing')
        self.create_timer(0.05, self._on_timer)
        self.count = 0
    def _on_timer(self):
        print('ready', flush=True)
        if {what!r} == 'dumb':
            raise EndOfRun
        self.count += 1
        if {what!r} == 'fails' or {what!r} == 'fails at first' and self.count < 5:
            raise rclpy_implementation.RCLError('cannot publish')
        if {what!r} == 'fails at first' and self.count == 10:
            raise EndOfRun
        if {what!r} == 'defect':
            raise ZeroDivisionError('boom')
        if {what!r} == 'error':
            raise ConfigurationError('gain: went bad')
        if {what!r} == 'end':
            raise EndOfRun
    def destroy_node(self):
        if {what!r} == 'dumb':
            print('destroyed', self.context.ok(), flush=True)
        if {what!r} == 'stuck':
            print('leaving', flush=True)
            while True:
                pass
        super().destroy_node()
    def finish(self):
        print('last word', self.context.ok(), flush=True)
        time.sleep({farewell})
        if {what!r} == 'dumb':
            raise rclpy_implementation.RCLError('cannot say it')

sys.exit(run('tested', Tested))
"""


@pytest.fixture
def begin(ros_domain):
    started = []

    def make(what, farewell=0.0):
        process = subprocess.Popen(
            [sys.executable, '-c', SCRIPT.format(what=what, farewell=farewell)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, 'PYTHONUNBUFFERED': '1'})
        started.append(process)
        return process

    yield make
    for process in started:
        process.kill()
        process.communicate()


def outcome(process):
    output, _ = process.communicate(timeout=40)
    return process.returncode, output


def interrupt(process, words):
    """Send Ctrl-C once it runs, and wait until it says something."""
    assert process.stdout.readline().strip() == 'ready'
    process.send_signal(signal.SIGINT)
    while process.stdout.readline().strip() != words:
        assert process.poll() is None


@pytest.mark.parametrize('what, code, words', [
    ('end', 0, ''), ('error', 2, 'gain: went bad'), ('defect', 1, 'ZeroDivisionError: boom')])
def test_whatever_ends_it_the_last_word_is_said_while_the_context_is_valid(
        begin, what, code, words):
    got, output = outcome(begin(what))
    assert got == code, output
    assert 'last word True' in output and words in output
    assert ('Traceback' in output) == (what == 'defect')


def test_a_publication_that_fails_now_and_then_does_not_end_it(begin):
    code, output = outcome(begin('fails at first'))
    assert code == 0 and output.count('ready') == 10
    assert 'cannot publish' in output and 'Traceback' not in output


@pytest.mark.slow
def test_a_middleware_that_fails_for_seconds_ends_it_in_order(begin):
    begun = time.monotonic()
    code, output = outcome(begin('fails'))
    assert code == 1 and 'last word True' in output and 'RCLError: cannot publish' in output
    assert time.monotonic() - begun > 5


def test_a_last_word_that_cannot_be_said_does_not_keep_it_in_the_graph(begin):
    code, output = outcome(begin('dumb'))
    assert code == 1 and 'RCLError: cannot say it' in output
    assert 'destroyed True' in output


def test_a_node_that_cannot_be_made_says_why_in_one_line(begin):
    code, output = outcome(begin('wrong'))
    assert code == 2
    assert len(output.strip().splitlines()) == 1 and 'gain: is missing' in output


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_order(begin, number):
    process = begin('nothing')
    assert process.stdout.readline().strip() == 'ready'
    process.send_signal(number)
    code, output = outcome(process)
    assert code == 0 and 'last word True' in output and 'Traceback' not in output


@pytest.mark.parametrize('again, end', [
    pytest.param(signal.SIGINT, signal.SIGALRM, marks=pytest.mark.slow),
    (signal.SIGTERM, signal.SIGTERM)])
def test_it_ends_also_where_leaving_the_graph_does_not(begin, again, end):
    process = begin('stuck')
    interrupt(process, 'leaving')
    process.send_signal(again)
    assert process.wait(timeout=20) == -end


def test_a_signal_that_is_repeated_a_second_later_ends_it_at_once(begin):
    process = begin('nothing', farewell=30.0)
    interrupt(process, 'last word True')
    before = time.monotonic()
    while process.poll() is None and time.monotonic() < before + 15.0:
        process.send_signal(signal.SIGINT)  # until it counts as another one
        time.sleep(0.1)
    assert process.wait(timeout=1) == 128 + signal.SIGINT
    assert time.monotonic() - before > 0.5


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_twice_at_once_counts_once(begin, number):
    """As from a terminal and from launch, which forwards it."""
    process = begin('nothing', farewell=0.2)
    assert process.stdout.readline().strip() == 'ready'
    process.send_signal(signal.SIGINT)
    time.sleep(0.01)
    process.send_signal(number)
    code, output = outcome(process)
    assert code == 0 and 'last word True' in output


def test_a_signal_that_a_busy_launch_passes_on_late_counts_once(begin):
    process = begin('nothing', farewell=2.0)
    interrupt(process, 'last word True')
    time.sleep(1.2 * GRACE)
    process.send_signal(signal.SIGINT)
    assert outcome(process)[0] == 0


@pytest.mark.parametrize('moment', ['loading', 'compiling'])
def test_a_signal_while_it_starts_ends_it_without_a_traceback(begin, moment):
    process = begin(moment)
    assert process.stdout.readline().strip() == moment
    process.send_signal(signal.SIGINT)
    code, output = outcome(process)
    assert code == 0 and 'Traceback' not in output and 'last word' not in output
