"""With the guard in between, no torque outlives the feedforward that commanded it."""

from control_rig import MS, POSTURE, START
import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.guard import EffortGuard, GuardConfig
from robot_dynamics.simulation.simulated_robot import SimulatedRobot, SimulatedRobotConfig

TICK = 5 * MS  # 200 Hz


def run(model, dynamics, killed_at, seconds, guarded=True, ship=None):
    """
    Hold a posture, kill the feedforward, and go on.

    Returns the robot and, per 2 ms, the effort that acts and the position.
    """
    core = FeedforwardCore(
        FeedforwardConfig(base_motion='fixed', natural_frequency=(15.0,),
                          feedback_inertia_ratio=1e6), dynamics)
    guard = EffortGuard(GuardConfig(joints=tuple(model.joint_names)), model.effort_limit)
    robot = SimulatedRobot(
        model, ship, SimulatedRobotConfig(initial_position=tuple(POSTURE)), START)
    efforts, positions = [], []
    for k in range(int(seconds * 500)):
        now = START + k * 2 * MS
        robot.step_to(now)
        state = robot.joint_state()
        efforts.append(state.effort)
        positions.append(state.position)
        sent = None
        if now < START + killed_at:
            core.on_joint_state(
                now, now, state.names, state.position, state.velocity, state.effort)
            command = core.command(now)
            guard.on_gravity_effort(core.names, core.gravity_effort(), now)
            sent = guard.on_command(command.effort, now) if guarded else command.effort
        if guarded and now % TICK < 2 * MS:
            tick = guard.tick(now)
            sent = tick if sent is None else sent
        if sent is not None:
            robot.apply(sent, now + 2 * MS)
    return robot, np.array(efforts), np.array(positions)


@pytest.mark.parametrize('killed_at', [500 * MS, 1700 * MS])
def test_the_torque_that_the_arm_feels_is_never_older_than_the_guard_allows(
        pa10, pa10_dynamics, killed_at):
    ship = ShipMotion.regular()  # so that the feedback is at work when the end comes
    _, efforts, _ = run(pa10, pa10_dynamics, killed_at, killed_at * 1e-9 + 1.0, ship=ship)
    after = efforts[killed_at // (2 * MS) + 2:]
    changed = np.flatnonzero(np.abs(np.diff(after[:, 1])) > 1e-9)
    config = GuardConfig()
    longest = config.command_age + config.hold_time + 2 * TICK * 1e-9 + 0.004
    assert changed[0] * 0.002 <= longest
    assert (np.abs(np.diff(efforts[2:], axis=0)) / pa10.effort_limit).max() < 0.04


def test_the_arm_is_left_holding_gravity(pa10, pa10_dynamics):
    _, efforts, positions = run(pa10, pa10_dynamics, 1500 * MS, 3.5)
    expected = pa10_dynamics.torque(POSTURE, np.zeros(6), np.zeros(6))
    np.testing.assert_allclose(efforts[-1], expected, atol=0.05)
    np.testing.assert_allclose(positions[-1], POSTURE, atol=0.02)


def test_without_the_guard_the_last_command_acts_for_ever(pa10, pa10_dynamics):
    _, efforts, _ = run(pa10, pa10_dynamics, 500 * MS, 2.0, guarded=False)
    np.testing.assert_array_equal(efforts[-1], efforts[260])
