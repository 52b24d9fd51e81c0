"""The robot description of a node: a parameter, or the topic where there is none."""

from __future__ import annotations

from typing import Any, Callable, Sequence

from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.serialization import deserialize_message

from robot_dynamics.core.errors import ConfigurationError, ModelError, RobotDynamicsError
from robot_dynamics.core.parameters import parameter
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.source import Document
from std_msgs.msg import String

ROTOR_INERTIA: Any = parameter(
    (), 'reflected inertia of the rotors, per joint in the order of the description, which has '
    'no place for it; used where rotor_inertia is true', 'kg m^2', 0.0, 1e6, live=False)
PARAMETERS = {
    **{name: f'model.{name}' for name in (
        'base_link', 'tip_link', 'joints', 'held_joints', 'xacro_arguments', 'package_paths')},
    'positions': 'model.held_joints', 'rotors': 'model.rotors', 'rotor_inertia': 'model.rotors'}
"""How a node spells what errors name; see ``RobotDynamicsError.spelled``."""

TOPIC = 'topic robot_description'
LONGEST = 5_000_000  # bytes: it is read in the command loop
DESCRIPTION_QOS = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def text_from_topic(raw: bytes) -> str:
    """
    Return the text of a serialized std_msgs/String, which a node has the time to read.

    Raises
    ------
    ModelError
        If it is too long.
    """
    if len(raw) > LONGEST:
        raise ModelError(TOPIC, f'has {len(raw) / 1e6:.0f} MB, more than {LONGEST / 1e6:g} MB',
                         'name meshes instead of holding them')
    return str(deserialize_message(raw, String).data)


def check_description(text: str) -> None:
    """
    Check that a text from the topic is a URDF.

    Whoever publishes could name any file: no path is opened, and no xacro expanded.

    Raises
    ------
    ModelError
        If it is anything but the XML of a URDF.
    """
    Document.from_xml(text, TOPIC)


def log_what_is_odd(model: RobotModel, warn: Callable[[str], Any]) -> None:
    """Say once what of the description is suspicious."""
    for note in model.notes:
        if note.severity == 'warning':
            warn(f'suspicious in the robot description: {note}')


def model_from_parameter(description: str,
                         reflected_rotor_inertia: Sequence[float] = (),
                         choice: ModelChoice = ModelChoice()) -> RobotModel:
    """
    Return the model of a ``robot_description`` parameter.

    Parameters
    ----------
    description : str
        URDF, as text or as a path.
    reflected_rotor_inertia : sequence of float
        What URDF cannot hold, per joint in the order of the model, kg m^2; empty for none.
        Not used beside identified ones.
    choice : ModelChoice
        Which part of the robot.

    Raises
    ------
    RobotDynamicsError
        If the description is empty or wrong, or the list has another length.
    """
    if not description.strip():
        raise ConfigurationError(
            'parameter robot_description: is empty; give the URDF as text or as a path')
    try:
        model = choice.load(description)
    except RobotDynamicsError as error:
        raise ConfigurationError(error.spelled(PARAMETERS)) from error
    if not reflected_rotor_inertia or choice.identified:  # rotors are identified, too
        return model
    if choice.rotors:
        raise ConfigurationError(
            'parameter model.rotors: reflected_rotor_inertia is given as well; set one of the two')
    if len(reflected_rotor_inertia) != model.nv:
        raise ConfigurationError(
            f'parameter reflected_rotor_inertia: has {len(reflected_rotor_inertia)} values for '
            f'{model.nv} joints ({", ".join(model.joint_names)})')
    return model.with_rotor_inertia(dict(zip(model.joint_names, reflected_rotor_inertia)))
