"""Which part of a description is computed, and what is added to it, as words of a user."""

from __future__ import annotations

import dataclasses
from typing import Dict, Iterable, List, Mapping, Optional, Tuple

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.named_values import named_numbers, named_words
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.rotors import reflected_inertia
from robot_dynamics.model.source import Document, PathOrText


@dataclasses.dataclass(frozen=True)
class ModelChoice:
    """
    A part of a robot, chosen by words as command line and parameters hold them.

    Attributes
    ----------
    base_link : str
        The link that stands on the moving base; empty: the root.
    tip_link : str
        Only the joints between the base and this link move; empty: all.
    joints : tuple of str
        Only these joints move; empty: all.
    held_joints : tuple of str
        Joints that are held rigid, as ``joint`` or ``joint=position`` [rad or m]; together with
        ``joints`` or ``tip_link`` also where the others stand.
    rotors : tuple of str
        Reflected rotor inertia, see :mod:`robot_dynamics.model.rotors`.
    xacro_arguments : tuple of str
        ``name:=value``, for a ``.xacro`` file.
    package_paths : tuple of str
        Directories where the packages of a ``.xacro`` file are.
    identified : str
        File of identified parameters that take the place of the description's; empty: none.
    """

    base_link: str = ''
    tip_link: str = ''
    joints: Tuple[str, ...] = ()
    held_joints: Tuple[str, ...] = ()
    rotors: Tuple[str, ...] = ()
    xacro_arguments: Tuple[str, ...] = ()
    package_paths: Tuple[str, ...] = ()
    identified: str = ''

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
