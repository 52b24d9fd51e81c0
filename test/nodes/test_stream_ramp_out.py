"""The way out of a stream: whatever clock, listeners and middleware do meanwhile."""

import time
from types import SimpleNamespace

from geometry_msgs.msg import Quaternion
import numpy as np
import pytest
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.serialization import serialize_message
from robot_dynamics.nodes import feedforward_stream
from robot_dynamics.nodes.commanders import ABSENT, SAME
from robot_dynamics.nodes.messages import to_stamp
from sensor_msgs.msg import Imu
from test_callback_fuzz import healthy, make_stream


class Outputs:
    """Keeps commands and states; may fail to publish."""

    def __init__(self):
        self.efforts, self.states = [], []
        self.fails = lambda: False

    def send(self, command, answers_ns):
        if self.fails():
            raise rclpy_implementation.RCLError('cannot publish')
        self.efforts.append(np.array(command.effort))

    def report_state(self, state):
        self.states.append(state)


@pytest.fixture
def stream():
    """Return a stream that holds an arm on a still base."""
    stream, clock = make_stream()
    stream.outputs = Outputs()
    healthy(stream, clock, 800)
    assert stream.core.state == 'active' and np.abs(stream.outputs.efforts[-1]).max() > 5.0
    stream.clock = clock
    return stream


def reaches_zero(stream):
    assert stream.core.finished and stream.outputs.states == ['finished']
    return not stream.outputs.efforts[-1].any()


def test_it_goes_on_where_the_simulated_clock_is_not_heard_and_samples_still_come(
        stream, monkeypatch):
    begun, stopped = time.monotonic(), stream.clock.now
    sent = [0]

    def samples(subscription):
        while sent[0] < (time.monotonic() - begun) / 0.01:
            sent[0] += 1
            sample = Imu(orientation=Quaternion(w=1.0))
            sample.linear_acceleration.z = 9.80665
            sample.header.stamp = to_stamp(stopped + sent[0] * 10_000_000)
            yield serialize_message(sample)

    monkeypatch.setattr(feedforward_stream, 'drain', samples)
    stream._clock_ns = lambda: stopped
    stream.imu_subscription = object()
    stream.ramp_out(0.002)
    assert sent[0] > 20 and reaches_zero(stream)
    assert not any('went back' in event.text for event in stream.core.drain_events())


def test_it_goes_on_when_whoever_heard_the_commands_has_gone(stream):
    begin, look = time.monotonic(), [SAME]
    stream._commanders = SimpleNamespace(look=lambda: look[0])

    def fails():
        look[0] = SAME if time.monotonic() - begin < 0.2 else ABSENT
        return False

    stream.outputs.fails = fails
    stream.ramp_out(0.002)
    assert look[0] == ABSENT and reaches_zero(stream)


def test_a_middleware_that_fails_now_and_then_does_not_end_it_before_the_zero(stream):
    count = [0]

    def fails():
        count[0] += 1
        return count[0] % 3 != 0 or stream.core.finished and count[0] % 7 != 0

    stream.outputs.fails = fails
    stream.ramp_out(0.002)
    assert reaches_zero(stream)


def test_an_activation_after_a_way_out_that_was_too_long_begins_anew(stream, monkeypatch):
    monkeypatch.setattr(feedforward_stream, 'LONGEST_RAMP_OUT', 0.1)
    stream.ramp_out(0.002)
    assert stream.outputs.states == ['ramping_out'] and not stream.active
    stream.core.start()
    stream.active = True
    healthy(stream, stream.clock, 1500)
    assert stream.core.state == 'active'
