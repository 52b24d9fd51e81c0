"""The arguments of the launch files as data, and how their text becomes a scenario."""

from __future__ import annotations

import dataclasses
import time
from typing import Mapping, Optional, Tuple

from robot_dynamics.app.graph import ShipPa10
from robot_dynamics.core.errors import ConfigurationError

TRUE, FALSE = ('true', '1'), ('false', '0')
LEAD_TIME = 8.0  # s from the start of the launch to the epoch: what the nodes need to start


@dataclasses.dataclass(frozen=True)
class LaunchArgument:
    """One argument: ``name:=value`` on the command line of ``ros2 launch``."""

    name: str
    default: str
    description: str
    choices: Optional[Tuple[str, ...]] = None


SHIP_PA10_ARGUMENTS = (
    LaunchArgument('method', 'newton_euler', 'Formulation of the dynamics.',
                   ('newton_euler', 'lagrange_euler')),
    LaunchArgument('base_motion', 'moving', 'What of the ship the feedforward knows; none: '
                   'joint feedback alone.', ('moving', 'gravity_only', 'fixed', 'none')),
    LaunchArgument('still_deck', 'false', 'Whether the ship lies still.', TRUE + FALSE),
    LaunchArgument('sea_state', '0', 'WMO sea state of an irregular sea, 1 to 8; 0: the sinusoids '
                   'of the paper.'),
    LaunchArgument('wave_direction_deg', '90.0', 'Where the waves travel to, from the bow: 0 '
                   'following, 90 beam, 180 head sea.'),
    LaunchArgument('sea_seed', '0', 'Seed of the irregular sea.'),
    LaunchArgument('base_distance', '0.0', 'How far ahead of the rotation centre the arm stands, '
                   'in m.'),
    LaunchArgument('estimator', 'adaptive', 'Estimator of the base motion.',
                   ('adaptive', 'savitzky_golay')),
    LaunchArgument('friction', 'false', 'Whether the arm has rotors, and friction that is 30 % '
                   'more than the feedforward believes.', TRUE + FALSE),
    LaunchArgument('mass_error_percent', '0.0', 'By how much the simulated arm is heavier than '
                   'the feedforward believes, in percent.'),
    LaunchArgument('lockstep', 'false', 'Whether the simulation owns /clock and waits for every '
                   'command, so that a run is the same on any machine.', TRUE + FALSE),
    LaunchArgument('guard', 'true', 'Whether an effort guard stands between feedforward and arm '
                   '(not in lockstep).', TRUE + FALSE),
    LaunchArgument('epoch', '', 'ROS time in s at which ship and reference begin; empty: some '
                   'seconds after the start.'),
    LaunchArgument('duration', '0.0', 'Seconds after the epoch at which the simulated arm ends; '
                   '0: never.'),
    LaunchArgument('namespace', '', 'Namespace of all nodes, for a second robot.'),
    LaunchArgument('rviz', 'false', 'Whether to show the arm in rviz (needs ROS 2 installed).',
                   TRUE + FALSE),
)


def ship_pa10(texts: Mapping[str, str]) -> ShipPa10:
    """
    Return the scenario for the texts of the launch arguments.

    Raises
    ------
    ConfigurationError
        If a text is not what its argument takes.
    """
    lockstep = flag('lockstep', texts['lockstep'])
    start = 10.0 if lockstep else time.time() + LEAD_TIME
    return ShipPa10(
        method=texts['method'], base_motion=texts['base_motion'], lockstep=lockstep,
        guard=flag('guard', texts['guard']), still_deck=flag('still_deck', texts['still_deck']),
        sea_state=whole('sea_state', texts['sea_state']), estimator=texts['estimator'],
        wave_direction_deg=number('wave_direction_deg', texts['wave_direction_deg']),
        sea_seed=whole('sea_seed', texts['sea_seed']),
        base_distance=number('base_distance', texts['base_distance']),
        friction=flag('friction', texts['friction']),
        mass_error_percent=number('mass_error_percent', texts['mass_error_percent']),
        epoch=number('epoch', texts['epoch']) if texts['epoch'] else start,
        duration=number('duration', texts['duration']), namespace=texts['namespace'],
        rviz=flag('rviz', texts['rviz']))


def flag(name: str, text: str) -> bool:
    """Return whether an argument is true."""
    word = text.strip().lower()
    if word not in TRUE + FALSE:
        raise ConfigurationError(f'{name}:={text}: expected true or false')
    return word in TRUE


def number(name: str, text: str) -> float:
    """Return the number that an argument is."""
    try:
        return float(text)
    except ValueError as error:
        raise ConfigurationError(f'{name}:={text}: expected a number') from error


def whole(name: str, text: str) -> int:
    """Return the whole number that an argument is."""
    value = number(name, text)
    if not value.is_integer():
        raise ConfigurationError(f'{name}:={text}: expected a whole number')
    return int(value)
