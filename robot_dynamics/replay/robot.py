"""The robot of a recording: from a file, from the recording itself, less what was not mounted."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable, Optional, Union

from robot_dynamics.core.errors import ModelError
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.pruning import pruned
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.source import Document

RobotSource = Union[RobotModel, str, Path]


def load_robot(source: RobotSource, without_links: Iterable[str] = (),
               base_link: Optional[str] = None, tip_link: Optional[str] = None,
               held_joints: Iterable[str] = ()) -> RobotModel:
    """
    Load a model and make sure that it has masses at all.

    Parameters
    ----------
    source : RobotModel, path or str
        A model, or a URDF's path or text.
    without_links : iterable of str
        Links to take away together with all that hangs below them: a tool that the description
        has and the real robot had not.
    base_link, tip_link : str, optional
        As in ``RobotModel.from_urdf``.
    held_joints : iterable of str
        Joints that do not move, as ``joint`` or ``joint=position`` [rad or m].

    Raises
    ------
    ModelError
        If the description has no inertia: torques of zero would be no answer.
    """
    if isinstance(source, RobotModel):
        model = source
    else:
        links = list(without_links)
        text: Union[str, Path] = source
        if links:
            text = pruned(Document.read(source), links)
        model = ModelChoice(base_link or '', tip_link or '', held_joints=tuple(held_joints)).load(
            text)
    if not model.nv:
        raise ModelError(f'robot {model.name!r}', 'has no moving joint', 'give the whole arm')
    if not any(body.inertial.mass > 0 for body in model.bodies):
        raise ModelError(f'robot {model.name!r}', 'no moving link has an <inertial> with a mass, '
                         'so every torque would be zero', 'descriptions made for planning often '
                         'have none: add them from a data sheet, CAD or an identification')
    return model
