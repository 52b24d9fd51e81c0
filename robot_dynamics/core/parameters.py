"""
Configuration fields that carry their own description, unit and range.

A frozen dataclass, a :class:`Configuration`, declares each field with :func:`parameter` and so
checks itself; :func:`parameter_specs` lists the fields, nested ones with dotted names, so that a
node declares exactly the same as ROS parameters.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Mapping, Optional, Type, TypeVar

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError

Config = TypeVar('Config')


@dataclasses.dataclass(frozen=True)
class ParameterSpec:
    """What a parameter is called, what it means and which values it takes."""

    name: str  #: Dotted name, for example ``watchdog.hold_time``
    default: Any  #: A tuple is a list parameter
    #: For people; the unit is empty where there is none
    description: str
    unit: str = ''
    #: Closed range of the value, or of each element of a list
    minimum: Optional[float] = None
    maximum: Optional[float] = None
    #: Allowed words, of the value or of each element; empty where anything goes
    choices: tuple[str, ...] = ()
    live: bool = True  #: May change while commands are issued
    degrees: bool = False  #: Whether the field is an angle in rad, and the parameter in degrees

    @property
    def is_list(self) -> bool:
        """Whether the value is a tuple."""
        return isinstance(self.default, tuple)

    @property
    def element_type(self) -> type:
        """Return bool, int, float or str: the type of the value, or of each element."""
        if not isinstance(self.default, tuple):
            return type(self.default)
        if self.default:
            return type(self.default[0])
        return float if self.minimum is not None else str


def parameter(default: Any, description: str, unit: str = '', minimum: Optional[float] = None,
              maximum: Optional[float] = None, choices: tuple[str, ...] = (),
              live: bool = True, degrees: bool = False) -> Any:
    """
    Declare one field of a configuration; the arguments are those of ParameterSpec.

    With ``degrees`` the field is in rad, and the parameter, whose name has ``_deg`` at its end,
    in degrees, as unit and range say.
    """
    return dataclasses.field(
        default=_turned(math.radians, default) if degrees else default, metadata={'spec': {
            'default': default, 'description': description, 'unit': unit, 'minimum': minimum,
            'maximum': maximum, 'choices': choices, 'live': live, 'degrees': degrees}})


def group(config_class: Type[Any]) -> Any:
    """Declare a field that holds another configuration, at its defaults."""
    return dataclasses.field(default_factory=config_class)


class Configuration:
    """A frozen dataclass of parameters that checks them when it is made."""

    def __post_init__(self) -> None:
        check_parameters(self)


def parameter_specs(config_class: Type[Any], prefix: str = '') -> list[ParameterSpec]:
    """List every parameter of a configuration class, nested ones with dotted names."""
    specs = []
    for field in dataclasses.fields(config_class):
        if 'spec' in field.metadata:
            specs.append(_spec(field, prefix))
        elif dataclasses.is_dataclass(field.default_factory):
            specs += parameter_specs(field.default_factory, f'{prefix}{field.name}.')
    return specs


def config_from_parameters(config_class: Type[Config], values: Mapping[str, Any]) -> Config:
    """
    Build a configuration from dotted names and values; what is not named keeps its default.

    Raises
    ------
    UnknownNameError
        If a name is not a parameter of this configuration.
    ConfigurationError
        If a value is outside its range.
    """
    known = [spec.name for spec in parameter_specs(config_class)]
    for name in values:
        if name not in known:
            raise UnknownNameError('parameter', name, known)
    config: Config = _build(config_class, values, '')
    return config


def parameter_values(config: Any, prefix: str = '') -> dict[str, Any]:
    """Return the values of a configuration under the dotted names of its parameters."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if 'spec' in field.metadata:
            spec = _spec(field, prefix)
            values[spec.name] = _turned(math.degrees, value) if spec.degrees else value
        elif dataclasses.is_dataclass(value):
            values.update(parameter_values(value, f'{prefix}{field.name}.'))
    return values


def check_parameters(config: Any) -> None:
    """
    Check every field of a configuration against its declared kind, range and choices.

    Lists become tuples and whole numbers become floats where the default is a float, so that a
    configuration compares equal however it was written.
    """
    for field in dataclasses.fields(config):
        if 'spec' not in field.metadata:
            continue
        spec = _spec(field)
        value = getattr(config, field.name)
        if isinstance(spec.default, tuple):
            value = _as_tuple(value)
            checked: Any = tuple(_check_one(spec, element) for element in value)
        else:
            checked = _check_one(spec, value)
        object.__setattr__(config, field.name, checked)  # frozen: only this check may write


def _spec(field: 'dataclasses.Field[Any]', prefix: str = '') -> ParameterSpec:
    name = f'{prefix}{field.name}{"_deg" if field.metadata["spec"]["degrees"] else ""}'
    return ParameterSpec(name=name, **field.metadata['spec'])


def _turned(turn: Callable[[float], float], value: Any) -> Any:
    """Turn angles, where they are numbers, from degrees into rad, or back."""
    if isinstance(value, (tuple, list)):
        return tuple(_turned(turn, element) for element in value)
    return turn(value) if isinstance(value, (int, float)) else value


def _as_tuple(value: Any) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes)):
        return (value,)
    try:
        return tuple(value)
    except TypeError:
        return (value,)


def _check_one(spec: ParameterSpec, value: Any) -> Any:
    kind = spec.element_type
    if kind is bool:
        if not isinstance(value, bool):
            raise ConfigurationError(f'{spec.name}: is {value!r}, expected true or false')
        return value
    if kind is str:
        if not isinstance(value, str):
            raise ConfigurationError(f'{spec.name}: is {value!r}, expected a word')
        if spec.choices and value not in spec.choices:
            raise ConfigurationError(
                f'{spec.name}: is {value!r}, expected one of {", ".join(spec.choices)}')
        return value
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    low = -math.inf if spec.minimum is None else spec.minimum
    high = math.inf if spec.maximum is None else spec.maximum
    stated = number
    if spec.degrees and math.isfinite(number):
        value = stated = round(math.degrees(number), 9)  # a bound comes back as it was given
    if not low <= stated <= high or (kind is int and number != int(number)):
        what = 'a whole number' if kind is int else 'a number'
        unit = f' {spec.unit}' if spec.unit else ''
        raise ConfigurationError(
            f'{spec.name}: is {value!r}, expected {what} from {low:g} to {high:g}{unit}')
    return int(number) if kind is int else number


def _build(config_class: Type[Any], values: Mapping[str, Any], prefix: str) -> Any:
    arguments: dict[str, Any] = {}
    for field in dataclasses.fields(config_class):
        name = prefix + field.name
        if 'spec' in field.metadata:
            spec = _spec(field, prefix)
            if spec.name in values:
                value = values[spec.name]
                arguments[field.name] = _turned(math.radians, value) if spec.degrees else value
        elif dataclasses.is_dataclass(field.default_factory):
            arguments[field.name] = _build(field.default_factory, values, f'{name}.')
    try:
        return config_class(**arguments)
    except ConfigurationError as error:  # a class need not know in which group it stands
        if str(error).startswith(prefix):
            raise
        raise ConfigurationError(f'{prefix}{error}') from error
