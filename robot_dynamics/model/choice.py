"""Which part of a description is computed, and what is added to it, as words of a user."""

from __future__ import annotations

import dataclasses
from typing import Dict, Iterable, List, Mapping, Optional, Tuple

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.named_values import named_numbers, named_words
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.rotors import reflected_inertia
from robot_dynamics.model.source import Document, PathOrText


@dataclasses.dataclass(frozen=True)
class ModelChoice(Configuration):
    """A part of a robot, chosen by words as command line and parameters hold them."""

    base_link: str = parameter(
        '', 'link that stands on the moving base; empty: the root of the description', live=False)
    tip_link: str = parameter(
        '', 'only the joints between base and this link move; empty: all', live=False)
    joints: Tuple[str, ...] = parameter((), 'only these joints move; empty: all', live=False)
    held_joints: Tuple[str, ...] = parameter(
        (), 'joints that are rigid and need not be in joint_states, as joint or joint=position '
        '(rad or m)', live=False)
    rotors: Tuple[str, ...] = parameter(
        (), 'reflected rotor inertia as joint=inertia, or the rotor and its gear as '
        'joint=inertia@ratio (kg m^2); used where rotor_inertia is true', live=False)
    xacro_arguments: Tuple[str, ...] = parameter(
        (), 'name:=value for a robot_description that is the path of a .xacro file', live=False)
    #: Directories where the packages of a ``.xacro`` file are
    package_paths: Tuple[str, ...] = parameter(
        (), 'directories where the packages of a .xacro file are, beside ROS', live=False)
    identified: str = parameter(
        '', 'file of identified parameters (robot-dynamics identify) that take the place of the '
        "description's; friction and rotors then count", live=False)

    def load(self, path_or_text: PathOrText, strict: bool = False) -> RobotModel:
        """
        Load a description with this choice.

        Raises
        ------
        RobotDynamicsError
            As :meth:`RobotModel.from_urdf`; also if a joint is chosen and held.
        """
        arguments = named_words('`xacro_arguments`', self.xacro_arguments, ':=') or None
        document = Document.read(path_or_text, arguments, self.package_paths)  # a pipe, only once

        def read(joints: Optional[Iterable[str]], tip_link: Optional[str],
                 positions: Mapping[str, float]) -> RobotModel:
            return RobotModel.from_urdf(
                document, self.base_link or None, tip_link, joints, positions, strict)

        held = _held(self.held_joints)
        both = [name for name in self.joints if name in held]
        if both:
            raise ConfigurationError(
                f'`held_joints`: {", ".join(both)} cannot be held and chosen to move as well')
        joints, tip_link = list(self.joints) or None, self.tip_link or None
        if held and joints is None:
            free = read(None, tip_link, {}).joint_names
            if set(held) & set(free):  # the others move
                joints, tip_link = [name for name in free if name not in held], None
        model = read(joints, tip_link, held)
        model = model.with_rotor_inertia(reflected_inertia(model, self.rotors))
        return Identified.read(self.identified).apply(model) if self.identified else model


def _held(words: Iterable[str]) -> Dict[str, float]:
    """Read ``joint`` or ``joint=position``; without a position it is held at zero."""
    full: List[str] = [word if '=' in word or not word.strip() else f'{word}=0' for word in words]
    return named_numbers('`held_joints`', full)
