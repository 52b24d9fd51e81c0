"""The arguments of the mobile manipulator's launch file, and how they become a scenario."""

from __future__ import annotations

import time
from typing import Mapping

from robot_dynamics.app.launch_arguments import (
    FALSE, flag, LaunchArgument, LEAD_TIME, number, TRUE)
from robot_dynamics.app.mobile_graph import MobileScenario

MOBILE_ARGUMENTS = (
    LaunchArgument('method', 'newton_euler', 'Formulation of the dynamics.',
                   ('newton_euler', 'lagrange_euler')),
    LaunchArgument('feedforward', 'coupled', 'Whether wheels and arm are computed together; '
                   'none: joint feedback alone.', ('coupled', 'uncoupled', 'none')),
    LaunchArgument('deck', 'false', 'Whether the robot stands on the deck of a ship that moves, '
                   'instead of level ground.', TRUE + FALSE),
    LaunchArgument('imu_on', 'deck', 'What the IMU is bolted to; on the platform it feels the '
                   'wheels, too.', ('deck', 'platform')),
    LaunchArgument('mass_error_percent', '0.0', 'By how much the simulated robot is heavier than '
                   'the feedforward believes, in percent.'),
    LaunchArgument('lockstep', 'false', 'Whether the simulation owns /clock and waits for every '
                   'command, so that a run is the same on any machine.', TRUE + FALSE),
    LaunchArgument('epoch', '', 'ROS time in s at which ship and reference begin; empty: some '
                   'seconds after the start.'),
    LaunchArgument('duration', '0.0', 'Seconds after the epoch at which the simulated robot ends; '
                   '0: never.'),
    LaunchArgument('namespace', '', 'Namespace of all nodes, for a second robot.'),
)


def mobile_manipulator(texts: Mapping[str, str]) -> MobileScenario:
    """
    Return the scenario for the texts of the launch arguments.

    Raises
    ------
    ConfigurationError
        If a text is not what its argument takes.
    """
    lockstep = flag('lockstep', texts['lockstep'])
    start = 10.0 if lockstep else time.time() + LEAD_TIME
    return MobileScenario(
        method=texts['method'], feedforward=texts['feedforward'],
        deck=flag('deck', texts['deck']), imu_on=texts['imu_on'], lockstep=lockstep,
        mass_error_percent=number('mass_error_percent', texts['mass_error_percent']),
        epoch=number('epoch', texts['epoch']) if texts['epoch'] else start,
        duration=number('duration', texts['duration']), namespace=texts['namespace'])
