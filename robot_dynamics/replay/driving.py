"""The wheels of a robot that drives: as the user names them, and as they are recognised."""

from __future__ import annotations

from itertools import combinations
from typing import List, NamedTuple, Optional, Tuple

from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.core.errors import ConfigurationError, RobotDynamicsError
from robot_dynamics.dynamics.supports.axle import find_axle
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.supports.virtual_joints import wheels_first
from robot_dynamics.model.robot_model import RobotModel


class Wheels(NamedTuple):
    """The two driven wheels."""

    #: Joints
    left: str
    right: str
    radius: Optional[float] = None  #: Where no shape of the description tells it, m


def on_wheels(model: RobotModel, wheels: Wheels) -> RobotModel:
    """
    Put the coordinates of the wheels first, right and left, and check that they are a drive.

    Raises
    ------
    RobotDynamicsError
        As ``DifferentialDrive.from_model``.
    """
    return wheels_first(model, DifferentialDrive.from_model(model, *wheels).wheels)


def both_wheels(left: Optional[str], right: Optional[str], radius: Optional[float] = None
                ) -> Optional[Wheels]:
    """
    Return the wheels as the options of the command line name them; None where neither is.

    Raises
    ------
    ConfigurationError
        If only one is named, or a radius of none.
    """
    if left and right:
        return Wheels(left, right, radius)
    if not left and not right:
        if radius is not None:
            raise ConfigurationError('--wheel-radius: of which wheels? Give --left-wheel and '
                                     '--right-wheel')
        return None
    missing, given = ('--left-wheel', right) if right else ('--right-wheel', left)
    raise ConfigurationError(f'{missing} is missing: a differential drive has two driven wheels, '
                             f'and only {given!r} is named')


def report_wheels(model: RobotModel, wheels: Optional[Wheels], recorded: Tuple[str, ...],
                  topic: str, findings: Findings, imu_on: str = 'platform') -> None:
    """
    Say how a robot drives, or that it looks as if it did.

    Parameters
    ----------
    wheels : Wheels or None
        As the user names them.
    recorded : tuple of str
        Joints of the model that the recording has.
    topic : str
        Of the joint states.
    imu_on : str
        'platform' or 'deck'.
    """
    if wheels is not None:
        drive = DifferentialDrive.from_model(model, *wheels)
        findings.add(INFO, 'wheels', topic,
                     f'the robot drives on {drive.left} and {drive.right} (radius '
                     f'{drive.radius:g} m, track {drive.track:g} m); the IMU counts as mounted '
                     + ('on the platform, and what the wheels cause is removed from its motion'
                        if imu_on == 'platform' else 'on the deck, along the axes of the robot '
                        'as it stood at first, and the path since then is that of the wheels'))
        return
    pairs = [pair for pair in possible_wheels(model) if set(pair) <= set(recorded)]
    if len(pairs) > 1:
        names = ', '.join(dict.fromkeys(name for pair in pairs for name in pair))
        findings.add(WARNING, 'wheels', names, 'look like the wheels of a platform with more than '
                     'one driven axle, which is not known here, and the torques are those of '
                     'wheels that turn in the air; analyse the arm alone with --base-link')
        return
    for left, right in pairs:
        findings.add(WARNING, 'wheels', f'{left}, {right}',
                     'look like the driven wheels of a platform, and the torques are those of a '
                     'platform whose wheels turn in the air; if they drive it give '
                     f'--left-wheel {left} --right-wheel {right}')


def possible_wheels(model: RobotModel) -> List[Tuple[str, str]]:
    """Return the pairs (left, right) of joints that could be the wheels of one axle."""
    names = [joint.name for joint in model.joints if joint.kind == 'continuous']
    pairs = []
    for pair in combinations(names, 2):
        try:
            forward = find_axle(model, *pair).axes[:, 0]
        except RobotDynamicsError:
            continue
        pairs.append(pair if forward[0] >= 0.0 else pair[::-1])
    return pairs
