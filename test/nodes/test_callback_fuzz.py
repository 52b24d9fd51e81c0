"""Whatever arrives: no exception leaves a callback, no command is beyond its limits."""

import functools
import math
from types import SimpleNamespace

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Quaternion, Vector3
from hypothesis import given, HealthCheck, settings, strategies as st
import numpy as np
import pytest
from rclpy.serialization import serialize_message
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.nodes.commanders import SAME
from robot_dynamics.nodes.feedforward_parameters import EstimatorConfig
from robot_dynamics.nodes.feedforward_stream import FeedforwardStream
from robot_dynamics.nodes.messages import to_stamp
from sensor_msgs.msg import Imu, JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

JOINTS = [f'joint{i}' for i in range(1, 7)]
LIMIT, RATE, LONGEST_STEP = 40.0, 500.0, 0.02

floats = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, -math.inf, 1e308, 1e-308, 9.81]),
    st.floats(-10.0, 10.0), st.floats())
names = st.one_of(st.just(JOINTS), st.permutations(JOINTS),
                  st.lists(st.sampled_from([*JOINTS, '', 'x', 'joint1\n']), max_size=8))


def numbers(size=6):
    return st.one_of(st.lists(st.floats(-1.0, 1.0), min_size=size, max_size=size),
                     st.lists(floats, max_size=8))


stamps = st.one_of(st.integers(-2_000_000, 20_000_000), st.integers(0, 2**31 * 10**9 - 1))
vectors = st.builds(Vector3, x=floats, y=floats, z=floats)
orientations = st.one_of(
    st.just(Quaternion(w=1.0)), st.builds(Quaternion, x=floats, y=floats, z=floats, w=floats))
points = st.builds(
    JointTrajectoryPoint, positions=numbers(), velocities=numbers(), accelerations=numbers(),
    effort=numbers(), time_from_start=st.builds(
        Duration, sec=st.integers(-2**31, 2**31 - 1), nanosec=st.integers(0, 2**32 - 1)))
messages = st.one_of(
    st.builds(JointState, name=names, position=numbers(), velocity=numbers(), effort=numbers()),
    st.builds(Imu, orientation=orientations, angular_velocity=vectors,
              linear_acceleration=vectors, orientation_covariance=st.lists(
                  floats, min_size=9, max_size=9)),
    st.builds(JointTrajectory, joint_names=names, points=st.lists(points, max_size=4)))


class Outputs:
    """Keeps the commands instead of publishing them."""

    def __init__(self):
        self.efforts = []

    def send(self, command, answers_ns):
        self.efforts.append(np.array(command.effort))

    def send_again(self):
        """Nothing new."""


class Clock:
    """Goes on by two milliseconds with every look, and may be made to jump."""

    def __init__(self):
        self.now = 10**10

    def __call__(self):
        self.now += 2_000_000
        return self.now


@functools.lru_cache(maxsize=1)
def pa10():
    model = RobotModel.from_urdf(str(resource_path('urdf/pa10.urdf')))
    return model, InverseDynamics(model)


def make_stream():
    model, dynamics = pa10()
    config = FeedforwardConfig(
        natural_frequency=(10.0,), event_period=0.0,
        limits=LimitsConfig((LIMIT,), (RATE,), longest_step=LONGEST_STEP))
    gate = EstimatorConfig().gate(9.80665)
    estimator = EstimatorConfig().estimator(9.80665, gate.mounting_behind)
    core = FeedforwardCore(config, dynamics, estimator, gate=gate)
    clock = Clock()
    stream = FeedforwardStream(
        core, Outputs(), SimpleNamespace(look=lambda: SAME), clock, 0, 0, False)
    stream.active = True
    return stream, clock


def healthy(stream, clock, cycles):
    for k in range(cycles):
        stamp = to_stamp(clock.now)
        if k % 5 == 0:
            sample = Imu(orientation=Quaternion(w=1.0))
            sample.linear_acceleration.z, sample.header.stamp = 9.80665, stamp
            stream.on_imu(serialize_message(sample))
        state = JointState(name=JOINTS, position=[0.1] * 6, velocity=[0.0] * 6)
        state.header.stamp = stamp
        stream.on_joint_state(serialize_message(state))


CALLS = {JointState: 'on_joint_state', Imu: 'on_imu', JointTrajectory: 'on_reference'}


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(messages, stamps, st.booleans()), min_size=5, max_size=40),
       st.integers(-10**9, 10**9))
def test_no_message_raises_and_no_command_leaves_its_limits(events, jump):
    stream, clock = make_stream()
    healthy(stream, clock, 300)
    assert stream.outputs.efforts, 'the stream was active before'
    for index, (message, offset, relative) in enumerate(events):
        if index == len(events) // 2:
            clock.now = max(0, clock.now + jump)
        stamp = clock.now + offset if relative else offset
        message.header.stamp = to_stamp(min(max(0, stamp), 2**31 * 10**9 - 1))
        getattr(stream, CALLS[type(message)])(serialize_message(message))
        stream.on_silence()
        healthy(stream, clock, 2)
    efforts = np.array(stream.outputs.efforts)
    assert np.isfinite(efforts).all()
    assert np.abs(efforts).max() <= LIMIT + 1e-9
    assert np.abs(np.diff(efforts, axis=0)).max() <= RATE * LONGEST_STEP + 1e-6
