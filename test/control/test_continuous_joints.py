"""Continuous joints: any number of turns, counted or wrapped, in joint states and references."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
import pytest

from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.control.angle_unwrapping import AngleUnwrapping, TURN
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import ACTIVE, FeedforwardConfig, FeedforwardCore
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from selections import some

MS = 1_000_000
URDF = """<robot name="crane"><link name="base"/>
<link name="slew"><inertial><mass value="5"/><origin xyz="0.4 0 0"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial></link>
<link name="boom"><inertial><mass value="2"/><origin xyz="0.3 0 0"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="slew"/>
<axis xyz="0 0.6 0.8"/><limit effort="500" velocity="6"/></joint>
<joint name="lift" type="revolute"><parent link="slew"/><child link="boom"/><axis xyz="0 1 0"/>
<origin xyz="1 0 0"/><limit lower="-7" upper="7" effort="100" velocity="3"/></joint></robot>"""


def wrapped(angle):
    return (angle + np.pi) % TURN - np.pi


DYNAMICS = InverseDynamics(RobotModel.from_urdf(URDF))


class Crane:
    """A core whose arm turns evenly, as its driver tells it."""

    def __init__(self, report, velocity=True, **config):
        self.core = FeedforwardCore(
            FeedforwardConfig(base_motion='fixed', ramp=RampConfig(ramp_in=0.0), **config),
            DYNAMICS)
        self.report, self.velocity = report, velocity
        self.now, self.events = 1_000_000_000, []

    def run(self, seconds, speed, start=0.0):
        """Turn on; returns the commands."""
        commands = []
        for step in range(int(seconds / 0.002)):
            angle = start + speed * 0.002 * step
            self.core.on_joint_state(
                self.now, self.now, ('turn', 'lift'), (self.report(angle), 0.2),
                (speed, 0.0) if self.velocity else (), ())
            commands.append(self.core.command(self.now))
            self.events += self.core.drain_events()
            self.now += 2 * MS
        return commands

    def stream(self, angle, speed):
        """Send one point of a streamed reference."""
        self.core.on_reference(JointTrajectory(
            ('turn', 'lift'), [0.0], [[angle, 0.2]], [[speed, 0.0]], start_ns=self.now), self.now)


def test_turns_are_added_at_continuous_joints_only():
    turns = AngleUnwrapping(['revolute', 'continuous'])
    assert_array_equal(turns.offset(np.array([0.1, 0.1]), np.array([9 * TURN, 9 * TURN])),
                       [0.0, 9 * TURN])
    assert not AngleUnwrapping(['revolute']) and not AngleUnwrapping()


@pytest.mark.parametrize('velocity', [True, False])
def test_a_driver_that_wraps_is_followed_over_the_seam(velocity):
    """Held in the measured state, the torques are those of a driver that counts turns."""
    efforts = []
    for report in (wrapped, lambda angle: angle):
        crane = Crane(report, velocity, state_source='measured')
        commands = crane.run(2.0, speed=4.0, start=2.0)
        assert {command.state for command in commands[5:]} == {ACTIVE}
        efforts.append(np.array([command.effort for command in commands]))
    assert_allclose(efforts[0], efforts[1], atol=1e-9)


def ahead(angle):
    return angle + 5 * TURN


def behind(angle):
    return angle - 3 * TURN


@pytest.mark.parametrize('driver, planner', some(2, [
    (wrapped, behind), (ahead, wrapped), (ahead, behind), (wrapped, wrapped)]))
def test_feedback_sees_the_nearest_turn_whoever_counts_turns(driver, planner):
    crane = Crane(driver, natural_frequency=(15.0,))
    speed, angle, commands = 3.0, 0.5, []
    crane.run(0.01, 0.0, start=angle)
    for _ in range(1000):
        crane.stream(planner(angle), speed)
        commands += crane.run(0.0021, speed, start=angle)
        angle += speed * 0.002
    assert not [event for event in crane.events if event.kind == EventKind.REFERENCE_REFUSED]
    late = np.array([command.feedback for command in commands[100:]])
    assert np.abs(late).max() < 1.0, 'a turn too much would be thousands of Nm'


def test_a_revolute_joint_is_not_moved_by_whole_turns():
    crane = Crane(lambda angle: angle)
    crane.run(0.01, 0.0)
    crane.core.on_reference(JointTrajectory(
        ('turn', 'lift'), [0.0], [[0.0, 0.2 + TURN]], start_ns=crane.now), crane.now)
    crane.run(0.01, 0.0)
    assert [event for event in crane.events if event.kind == EventKind.REFERENCE_REFUSED]


def test_followers_in_joint_states_are_ignored_and_take_no_command():
    text = URDF.replace('</robot>', """<link name="jib"><inertial><mass value="1"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="jib" type="revolute"><parent link="boom"/><child link="jib"/><axis xyz="0 1 0"/>
<limit lower="-9" upper="9" effort="9" velocity="9"/>
<mimic joint="lift" multiplier="-0.5"/></joint></robot>""")
    model = RobotModel.from_urdf(text)
    core = FeedforwardCore(FeedforwardConfig(base_motion='fixed', ramp=RampConfig(ramp_in=0.0)),
                           InverseDynamics(model, backend='interpreted'))
    efforts = []
    # right, and as a driver with a fault of its own has it; the first commands ramp in
    for step, follower in enumerate((-0.1, -0.1, -0.1, 0.3)):
        now = 1_000_000_000 + 2 * MS * step
        core.on_joint_state(now, now, ('jib', 'turn', 'lift'), (follower, 0.3, 0.2))
        efforts.append(core.command(now).effort)
    assert core.names == ('turn', 'lift')
    assert efforts[2].any()
    assert_array_equal(efforts[2], efforts[3])
