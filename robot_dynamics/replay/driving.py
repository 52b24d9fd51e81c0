"""A robot that drives: its torques from the motion of the platform that an IMU on it measures."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Callable, List, NamedTuple, Optional, Tuple, Union


from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.core.errors import ConfigurationError, RobotDynamicsError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.axle import find_axle
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.supports.platform_motion import deck_motion
from robot_dynamics.dynamics.supports.virtual_joints import wheels_first
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState

AnyBase = Union[BaseMotion, BaseState, None]


class Wheels(NamedTuple):
    """The two driven wheels."""

    #: Joints
    left: str
    right: str
    radius: Optional[float] = None  #: Where no shape of the description tells it, m


class PlatformDynamics:
    """
    A robot on wheels where the analysis expects an arm on a base.

    Parameters
    ----------
    model : RobotModel
        Right wheel and left wheel first, as :func:`on_wheels` returns it.
    wheels : Wheels
    method, friction, rotor_inertia, backend
        As for ``InverseDynamics``.

    Notes
    -----
    ``base`` is the motion of the platform, and what the wheels cause is taken from it, so that the
    base's part of the torque is that of the deck alone and no pose is needed; or a ``BaseState``,
    the motion of the deck and the pose of the platform on it.
    """

    def __init__(self, model: RobotModel, wheels: Wheels, method: str, friction: bool = False,
                 rotor_inertia: bool = False, backend: str = 'numba') -> None:
        self.backend = backend
        self._robot = InverseDynamics(
            model, method, friction, rotor_inertia, backend,
            DifferentialDrive.from_model(model, *wheels))

    def warm_up(self, *kernels: str, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile ahead of time; see ``InverseDynamics``."""
        self._robot.warm_up(*kernels, progress=progress)

    def torque(self, q: FloatArray, qd: FloatArray, qdd: FloatArray,
               base: AnyBase = None) -> FloatArray:
        """Torques of wheels and joints, (T, nv); None is level ground."""
        return self._robot.torque(q, qd, qdd, self._deck(base, qd, qdd))

    def terms(self, q: FloatArray, qd: FloatArray, qdd: FloatArray,
              base: AnyBase = None) -> Terms:
        """Return the same by cause."""
        return self._robot.terms(q, qd, qdd, self._deck(base, qd, qdd))

    def base_wrench(self, q: FloatArray, qd: FloatArray, qdd: FloatArray,
                    base: AnyBase = None) -> FloatArray:
        """Wrench of the robot on the deck below the middle of the axle, x forward, (T, 6)."""
        return self._robot.base_wrench(q, qd, qdd, self._deck(base, qd, qdd))

    def _deck(self, platform: AnyBase, qd: FloatArray, qdd: FloatArray) -> Optional[BaseState]:
        """Return the deck under the platform."""
        if platform is None or isinstance(platform, BaseState):
            return platform
        support = self._robot.support
        assert isinstance(support, DifferentialDrive)
        return deck_motion(support, platform, qd, qdd)


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
    model : RobotModel
    wheels : Wheels or None
        As the user names them.
    recorded : tuple of str
        Joints of the model that the recording has.
    topic : str
        Of the joint states.
    findings : Findings
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
