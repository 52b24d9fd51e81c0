"""What a joint_trajectory_controller with effort interfaces does, in one process: way B."""

from collections import deque

import numpy as np
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.rolling_trajectory import RollingTrajectory
from robot_dynamics.core.parameters import config_from_parameters, parameter_specs
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.nodes.description import model_from_parameter
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.closed_loop import ClosedLoop, run_closed_loop
from robot_dynamics.simulation.motions import demo_sinusoid
from robot_dynamics.simulation.simulated_robot import SimulatedRobotConfig
import yaml

CONTROLLER = 'joint_trajectory_controller'
# of 200 Hz, by the rule in config/ros2_control_effort_trajectory.yaml
SLOW_P = (76.0, 361.0, 58.0, 6.6, 4.1, 0.062)
SLOW_D = (3.4, 36.8, 6.6, 0.32, 0.27, 0.014)


def configured(repository):
    """Return the file of way B, and p, d and clamp of its joints."""
    file = yaml.safe_load((repository / 'config/ros2_control_effort_trajectory.yaml').read_text())
    gains = file[CONTROLLER]['ros__parameters']['gains'].values()
    return file, *np.array([(gain['p'], gain['d'], gain['u_clamp_max']) for gain in gains]).T


def gains_at(repository, rate):
    """Return p and d at a rate in Hz."""
    file, p, d, _ = configured(repository)
    if rate == file['controller_manager']['ros__parameters']['update_rate']:
        return p, d
    assert rate == 200
    return np.array(SLOW_P), np.array(SLOW_D)


def rotors_of(repository):
    """Return the reflected rotor inertias of the arm, kg m^2."""
    ship = yaml.safe_load((repository / 'config/ship_pa10.yaml').read_text())
    return tuple(ship['/**']['ros__parameters']['reflected_rotor_inertia'])


def in_ns(cycles):
    """Return the cycles of a run in s as those of a closed loop."""
    return tuple(map(tuple, np.rint(1e9 * np.array(cycles)).astype(int).tolist()))


class TrajectoryController:
    """
    Follows rolling trajectories along their points, with p, d and clamped feedback.

    A trajectory takes ``transport`` seconds to it.
    """

    def __init__(self, p, d, clamp, period, transport):
        self._p, self._d, self._clamp, self._period_ns = p, d, clamp, to_ns(period)
        self._transport_ns = to_ns(transport)
        self._rolling = self._motion = None
        self._under_way = deque()

    def __call__(self, core, state, now_ns):
        """Return the effort of one cycle, (n,), Nm; None before the first trajectory."""
        if self._rolling is None:
            self._rolling = RollingTrajectory(core)
        trajectory = self._rolling.due(now_ns)
        if trajectory is not None:
            self._under_way.append((now_ns + self._transport_ns, trajectory))
        while self._under_way and self._under_way[0][0] <= now_ns:
            taken = self._under_way.popleft()[1]
            self._motion = JointTrajectory(
                taken.names, taken.times, taken.positions, taken.velocities, taken.accelerations,
                start_ns=taken.start_ns)
            self._efforts = taken.efforts
        if self._motion is None:
            return None
        desired = self._motion.sample((now_ns - self._motion.start_ns) * 1e-9)
        feedback = self._p * (desired.position - state.position) + self._d * (
            desired.velocity - state.velocity)
        return np.clip(feedback, -self._clamp, self._clamp) + self._effort(
            now_ns + self._period_ns)

    def _effort(self, now_ns):
        seconds = (now_ns - self._motion.start_ns) * 1e-9
        return np.array([np.interp(seconds, self._motion.times, efforts)
                         for efforts in self._efforts.T])


def follow(repository, rate, rotors, age, jitter, transport, duration=13.0, begin=3.0,
           ship_time=3.0, cycles=()):
    """
    Follow the demo's reference from ``begin`` on, where the paper's ship is at its ``ship_time``.

    With ``cycles`` joint states are as old, and cycles are missed, as they say.

    Returns
    -------
    ClosedLoopResult
    """
    file, _, _, clamp = configured(repository)
    known = {spec.name for spec in parameter_specs(FeedforwardConfig)}
    values = {name: value for name, value in
              file['/**/feedforward']['ros__parameters'].items() if name in known}
    config = config_from_parameters(
        FeedforwardConfig, {**values, 'command_period': 1.0 / rate, 'rotor_inertia': rotors})
    model = model_from_parameter(str(repository / 'urdf/pa10.urdf'), rotors_of(repository))
    loop = ClosedLoop(
        config, SimulatedRobotConfig(substep=0.0025, rotor_inertia=rotors), reference_start=begin,
        duration=duration, jitter=jitter, state_age=age, ship_epoch=begin - ship_time,
        cycles=cycles)
    return run_closed_loop(
        model, ShipMotion.regular(), loop, demo_sinusoid(model.joint_names),
        controller=TrajectoryController(
            *gains_at(repository, rate), clamp, 1.0 / rate, transport))
