"""
What is compiled after a node is configured, as JSON: ``late_kernels.py WHAT ESTIMATOR URDF TIP``.

WHAT is ``arm`` or ``wheels`` for the feedforward, ``simulated`` or ``simulated_wheels``.  What is
read from the cache then counts, too: without the cache it would be compiled.
"""

import dataclasses
import json
import sys

from numba.core.dispatcher import Dispatcher
import numpy as np

from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.parameters import config_from_parameters
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED, UNKNOWN_COVARIANCE
from robot_dynamics.nodes.description import model_from_parameter
from robot_dynamics.nodes.feedforward_build import build_core, set_payload
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.payload_parameters import PayloadConfig
from robot_dynamics.nodes.simulated_robot_node import RobotNodeConfig
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.simulated_robot import SimulatedRobot, SimulatedRobotConfig

SECOND = 1_000_000_000
LENGTH, RATE = 60, 100  # s, Hz


def sample(stamp_ns, orientation, accelerometer):
    """Return what an IMU measures on a base that rolls."""
    t = 1e-9 * stamp_ns
    roll, rate = 0.1 * np.sin(t), 0.1 * np.cos(t)
    return ImuSample(
        stamp_ns, (float(rate), 0.0, 0.0),
        (0.0, float(9.80665 * np.sin(roll)), float(9.80665 * np.cos(roll))),
        (float(np.sin(0.5 * roll)), 0.0, 0.0, float(np.cos(0.5 * roll))), 'imu_link',
        UNKNOWN_COVARIANCE if orientation else NOT_REPORTED, UNKNOWN_COVARIANCE,
        UNKNOWN_COVARIANCE if accelerometer else NOT_REPORTED)


def run(core, config):
    """Go through a minute in which everything happens that may happen to an active node."""
    begin = 10 * SECOND
    names, on_wheels = core.names, core.dynamics.support.pose_size > 0
    here, speed = np.full(len(names), 0.1), np.zeros(len(names))
    tip = config.payload.link
    for k in range(LENGTH * RATE):
        now, second = begin + k * SECOND // RATE, k / RATE
        # sensors fall out for a time; so do whole messages
        if not 40.0 < second < 41.0:
            core.on_base_sample(sample(now, not 20.0 < second < 25.0,
                                       not 30.0 < second < 35.0), now)
        core.on_joint_state(now, now, names, here, speed, [0.1] * len(names))
        if on_wheels:
            core.on_odometry(now, now, [0.0, 0.0, 0.1])
            if k > 3 * RATE:
                core.on_twist(now, 0.01, 0.01)
        core.on_wrench(tip, now, now, '' if second < 30 else 'base_link',
                       (1.0, 0.0, 0.0, 0.0, 0.1, 0.0))
        if k == 3 * RATE:
            core.on_reference(JointTrajectory(
                names, np.array([1.0, 30.0]), np.array([[0.1] * len(names), [0.3] * len(names)]),
                start_ns=now), now)
        if k in (10 * RATE, 12 * RATE):
            set_payload(core, with_payload(config, 1.0 if k == 10 * RATE else 0.0))
        command = core.command(now)
        core.maintain()
        if command is not None:
            speed = command.desired_velocity
            here = here + speed / RATE
        if command is not None and k % 50 == 0:
            assert command.terms and command.base_wrench.shape == (6,)
            core.gravity_effort(), core.status(now)
    assert core.state == 'active', core.status(now)


def with_payload(config, mass):
    """Return a configuration with a load on the tip."""
    return dataclasses.replace(config, payload=PayloadConfig(
        config.payload.link, mass, (0.0, 0.0, 0.05)))


def feedforward(urdf, estimator, tip, wheels):
    """Return what is to be done after a feedforward is configured."""
    config = config_from_parameters(FeedforwardNodeConfig, {
        'robot_description': urdf, 'estimator': estimator, 'payload.link': tip,
        'wrench.topics': [f'{tip}=wrench'], **wheels})
    core = build_core(urdf, config_from_parameters(
        FeedforwardConfig, {'natural_frequency': [10.0]}), config, lambda text: None)
    return lambda: run(core, config)


def simulated(urdf, wheels):
    """Return what is to be done after a simulated robot is configured."""
    model = model_from_parameter(urdf)
    support = config_from_parameters(RobotNodeConfig, wheels).mobile.support(model)
    robot = SimulatedRobot(
        model, ShipMotion.regular(), SimulatedRobotConfig(friction=True), support=support,
        pose=(0.0, 0.0, 0.0) if support.pose_size else None)
    robot.warm_up(lambda text: None)

    def move():
        for k in range(1, 200):
            robot.apply(np.full(model.nv, 0.1), k * 1_000_000, robot.names)
            robot.step_to(k * 1_000_000)
            robot.joint_state(), robot.true_state()
            if support.pose_size:
                robot.base_link_motion()

    return move


def main():
    """Configure, run, and print what was compiled in the run."""
    what, estimator, urdf, tip = sys.argv[1:]
    wheels = {f'mobile.{side}_wheel': f'{side}_wheel_joint' for side in ('left', 'right')
              } if what.endswith('wheels') else {}
    active = simulated(urdf, wheels) if what.startswith('simulated') else feedforward(
        urdf, estimator, tip, wheels)
    late, compile_one = set(), Dispatcher.compile
    Dispatcher.compile = lambda kernel, types: late.add(str(kernel)) or compile_one(kernel, types)
    active()
    print(json.dumps(sorted(late)))


if __name__ == '__main__':
    main()
