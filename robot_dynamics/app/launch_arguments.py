"""The arguments of a launch file: the parameters of its scenario, as users write them."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Mapping, Optional, Tuple, Type, TypeVar

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import (
    config_from_parameters, parameter_specs, ParameterSpec)

TRUE, FALSE = ('true', 'True', '1'), ('false', 'False', '0')

Config = TypeVar('Config')


@dataclasses.dataclass(frozen=True)
class LaunchArgument:
    """One argument: ``name:=value`` on the command line of ``ros2 launch``."""

    name: str
    default: Optional[str]  #: None: it has to be given
    description: str
    choices: Optional[Tuple[str, ...]] = None  #: All that it takes; None: not a fixed set


def launch_arguments(config_class: Type[Any],
                     required: Tuple[str, ...] = ()) -> Tuple[LaunchArgument, ...]:
    """List the arguments of a configuration; those in ``required`` have no default."""
    return tuple(LaunchArgument(
        spec.name, None if spec.name in required else _text(spec.default), _sentence(spec),
        TRUE + FALSE if spec.element_type is bool else spec.choices or None)
        for spec in parameter_specs(config_class))


def config_from_texts(config_class: Type[Config], texts: Mapping[str, str]) -> Config:
    """
    Build a configuration from the texts of its arguments; an empty text is the default.

    Raises
    ------
    ConfigurationError
        If a text is not what its argument takes.
    """
    values: Dict[str, Any] = {spec.name: _value(spec, texts[spec.name])
                              for spec in parameter_specs(config_class) if texts[spec.name]}
    return config_from_parameters(config_class, values)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _sentence(spec: ParameterSpec) -> str:
    unit = f' [{spec.unit}]' if spec.unit else ''
    return f'{spec.description[:1].upper()}{spec.description[1:]}{unit}.'


def _value(spec: ParameterSpec, text: str) -> Any:
    kind, word = spec.element_type, text.strip()
    if kind is str:
        return text
    if kind is bool:
        if word not in TRUE + FALSE:
            raise ConfigurationError(f'{spec.name}:={text}: expected true or false')
        return word in TRUE
    try:
        return float(word)
    except ValueError as error:
        raise ConfigurationError(f'{spec.name}:={text}: expected a number') from error
