"""
What was learned of an arm, in a file of its own: also what URDF has no place for.

The file holds every body, every joint's friction law and rotor, and the payload, so that it is
enough beside the robot's own description, and changes nothing beside the one with its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
import math
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Tuple, TYPE_CHECKING, Union

import numpy as np

from robot_dynamics.core.errors import ConfigurationError, InputError, UnknownNameError
from robot_dynamics.model.elements import Inertial
from robot_dynamics.model.inertia import as_inertial
import yaml

if TYPE_CHECKING:
    from robot_dynamics.model.robot_model import RobotModel

VERSION = 1


@dataclass(frozen=True)
class IdentifiedJoint:
    """What a joint adds to the torque: its rotor and its friction law."""

    rotor_inertia: float = 0.0  #: Reflected, kg m^2 (kg)
    viscous: float = 0.0  #: N m s/rad (N s/m)
    coulomb: float = 0.0  #: N m (N), as stribeck, asymmetry and offset
    stribeck: float = 0.0
    stribeck_speed: float = 0.1  #: rad/s (m/s)
    asymmetry: float = 0.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Identified:
    """The numbers of one arm."""

    robot: str  #: Name of the robot
    #: By the name of the link that a joint moves, with all that is fixed to it, in its frame
    bodies: Mapping[str, Inertial]
    joints: Mapping[str, IdentifiedJoint]
    #: A load in the frame of the link that carries it
    payload: Optional[Tuple[str, Inertial]] = None
    #: Standard errors: 'bodies' and 'joints' by name, each a mapping
    errors: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, model: RobotModel) -> RobotModel:
        """
        Return a model with these numbers.

        Raises
        ------
        UnknownNameError
            If it has not the bodies or joints that were identified.
        """
        known = {body.name for body in model.bodies}
        for name in self.bodies:
            if name not in known:
                raise UnknownNameError(f'moving link in what was identified of {self.robot}',
                                       name, sorted(known))
        rotors = {}
        for name, losses in self.joints.items():
            model.index(name)  # names the offender
            rotors[name] = losses.rotor_inertia
        changed = []
        for body in model.bodies:
            driver = model.joint_names[body.coordinate]
            joint = body.joint
            if driver in self.joints:
                # what a follower loses was felt, and identified, at the joint that drives it
                own = self.joints[driver] if joint.name == driver else IdentifiedJoint()
                joint = replace(joint, damping=own.viscous, friction=own.coulomb,
                                stribeck=own.stribeck, stribeck_speed=own.stribeck_speed,
                                asymmetry=own.asymmetry, torque_offset=own.offset)
            changed.append(replace(
                body, joint=joint, inertial=self.bodies.get(body.name, body.inertial)))
        joints = tuple(next(b.joint for b in changed if b.joint.name == joint.name)
                       for joint in model.joints)
        learned = replace(model, bodies=tuple(changed), joints=joints).with_rotor_inertia(rotors)
        if self.payload is None:
            return learned
        link, load = self.payload
        return learned.with_payload(link, load.mass, load.com.tolist(), load.inertia)

    def to_dict(self) -> Dict[str, Any]:
        """Return plain data, the content of the file."""
        result: Dict[str, Any] = {
            'version': VERSION, 'robot': self.robot,
            'joints': {name: {item.name: float(getattr(losses, item.name))
                              for item in fields(losses)}
                       for name, losses in self.joints.items()},
            'bodies': {name: _plain(body) for name, body in self.bodies.items()}}
        if self.payload is not None:
            result['payload'] = {'link': self.payload[0], **_plain(self.payload[1])}
        if self.errors:
            result['standard_errors'] = dict(self.errors)
        return result

    def write(self, path: Union[str, Path], remark: str = '') -> Path:
        """Write the file; each line of the remark becomes a comment at its head."""
        head = ''.join(f'# {line}\n' for line in remark.splitlines())
        text = yaml.safe_dump(self.to_dict(), sort_keys=False, default_flow_style=None, width=99)
        Path(path).write_text(head + text, encoding='utf-8')
        return Path(path)

    @classmethod
    def read(cls, path: Union[str, Path]) -> Identified:
        """
        Read a file that :meth:`write` wrote, or that somebody wrote like it.

        Raises
        ------
        ConfigurationError
            If it cannot be read or holds something else; the text names the place.
        """
        try:
            data = yaml.safe_load(Path(path).read_text(encoding='utf-8'))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f'{path}: cannot be read ({_reason(error)})') from None
        except yaml.YAMLError as error:
            raise ConfigurationError(f'{path}: is not YAML ({_reason(error)})') from None
        where = str(path)
        content = _mapping(where, data)
        if content.get('version') != VERSION:
            raise ConfigurationError(
                f'{where}: is no file of identified parameters (version: {VERSION} is missing)')
        joints = {str(name): _losses(f'{where}: joints: {name}', values) for name, values in
                  _mapping(f'{where}: joints', content.get('joints', {})).items()}
        bodies = {str(name): _inertial(f'{where}: bodies: {name}', values) for name, values in
                  _mapping(f'{where}: bodies', content.get('bodies', {})).items()}
        payload = None
        if content.get('payload') is not None:
            load = dict(_mapping(f'{where}: payload', content['payload']))
            payload = str(load.pop('link', '')), _inertial(f'{where}: payload', load)
        return cls(str(content.get('robot', '')), bodies, joints, payload,
                   _mapping(where, content.get('standard_errors', {})))


def _plain(body: Inertial) -> Dict[str, Any]:
    I = body.inertia  # noqa: E741 (the textbook's letter)
    return {'mass': float(body.mass), 'com': [float(value) for value in body.com],
            'inertia': [float(value) for value in I[np.triu_indices(3)]]}


def _mapping(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f'{where}: expected names and values')
    return value


def _number(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ConfigurationError(f'{where}: is {value!r}, expected a number')
    return float(value)


def _losses(where: str, values: Any) -> IdentifiedJoint:
    known = [item.name for item in fields(IdentifiedJoint)]
    for name in _mapping(where, values):
        if name not in known:
            raise ConfigurationError(f'{where}: {UnknownNameError("value", str(name), known)}')
    losses = IdentifiedJoint(**{
        name: _number(f'{where}: {name}', value) for name, value in values.items()})
    if min(losses.rotor_inertia, losses.viscous, losses.coulomb) < 0.0:
        raise ConfigurationError(f'{where}: rotor_inertia, viscous and coulomb cannot be negative')
    if losses.stribeck_speed <= 0.0:
        raise ConfigurationError(f'{where}: stribeck_speed must be positive')
    return losses


def _inertial(where: str, values: Any) -> Inertial:
    content = _mapping(where, values)
    numbers = {}
    for name, size in (('mass', 1), ('com', 3), ('inertia', 6)):
        value = content.get(name)
        items = [value] if size == 1 else value
        if not isinstance(items, list) or len(items) != size:
            raise ConfigurationError(f'{where}: {name}: expected {size} number(s)')
        numbers[name] = [_number(f'{where}: {name}', item) for item in items]
    tensor = np.zeros((3, 3))
    tensor[np.triu_indices(3)] = numbers['inertia']
    tensor = tensor + np.triu(tensor, 1).T
    try:
        return as_inertial('', numbers['mass'][0], numbers['com'], tensor)
    except InputError as error:
        raise ConfigurationError(f'{where}: {error}') from None


def _reason(error: Exception) -> str:
    return getattr(error, 'strerror', None) or ' '.join(str(error).split())
