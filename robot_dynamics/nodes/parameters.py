"""
ROS parameters from configuration dataclasses: declared once, typed, described, bounded.

The dataclasses of ``control`` carry description, unit and range of each field; here the same
fields become parameters of a node, and come back as a checked, frozen configuration.  A rejected
change names the parameter and the reason.  One request may change parameters of several classes:
it is taken as a whole, or nothing of it is.
"""

from __future__ import annotations

from array import array
from typing import (
    Any, Callable, Dict, Generic, List, Mapping, Optional, Tuple, Type, TypeVar)

from rcl_interfaces.msg import (
    FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult)
from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from robot_dynamics.core.errors import ConfigurationError, RobotDynamicsError
from robot_dynamics.core.parameters import (
    config_from_parameters, parameter_specs, parameter_values, ParameterSpec)
from robot_dynamics.nodes.unknown_parameters import given_parameters

Config = TypeVar('Config')


class ParameterSet(Generic[Config]):
    """
    The parameters of one configuration class on one node.

    Parameters
    ----------
    node : rclpy.node.Node
        The node that they are declared on.
    kind : type
        Configuration dataclass, see :mod:`robot_dynamics.core.parameters`.
    defaults : mapping, optional
        Defaults of this node that differ from those of the class, by dotted name.
    fixed : callable, optional
        Tells whether parameters that are not live are fixed at present; by default they are
        fixed once declared.

    Raises
    ------
    ConfigurationError
        If a value given at the start is refused.
    """

    def __init__(self, node: Node, kind: Type[Config], defaults: Mapping[str, Any] = {},
                 fixed: Optional[Callable[[], bool]] = None) -> None:
        self._kind = kind
        self._specs = {spec.name: spec for spec in parameter_specs(kind)}
        self._fixed = fixed
        self._listener: Optional[Callable[[Config], None]] = None
        values = {
            spec.name: _declare(node, spec, defaults.get(spec.name, spec.default), fixed is None)
            for spec in self._specs.values()}
        self.config: Config = _build(kind, values)
        _requests_of(node).sets.append(self)

    def on_change(self, listener: Callable[[Config], None]) -> None:
        """
        Call ``listener`` with the new configuration before a change is accepted.

        It refuses the change by raising a RobotDynamicsError: the text becomes the reason.
        Without a listener nothing would come of a change, so then each one is refused.
        """
        self._listener = listener

    def candidate(self, changes: List[Parameter[Any]]) -> Optional[Config]:
        """
        Return the configuration that a request asks for, or None if it is about others.

        Raises
        ------
        RobotDynamicsError
            If a parameter may not change now, or a value is wrong.
        """
        known = {change.name: _plain(change.value)
                 for change in changes if change.name in self._specs}
        if not known:
            return None
        if self._listener is None:
            raise ConfigurationError(f'{", ".join(known)}: cannot change while the node runs')
        for name in known:
            if self._fixed is not None and self._fixed() and not self._specs[name].live:
                raise ConfigurationError(
                    f'{name}: cannot change while the node is configured; deactivate it and clean '
                    'it up first')
        return _build(self._kind, {**parameter_values(self.config), **known})

    def apply(self, config: Config) -> None:
        """Let the listener act on a configuration, and keep it unless that is refused."""
        assert self._listener is not None
        self._listener(config)
        self.config = config


class _Requests:
    """The requests to change parameters of one node, whichever sets they are in."""

    def __init__(self) -> None:
        self.sets: List[ParameterSet[Any]] = []

    def on_set(self, changes: List[Parameter[Any]]) -> SetParametersResult:
        """Take all of a request, or refuse all of it."""
        applied: List[Tuple[ParameterSet[Any], Any]] = []
        try:
            wanted = [(one, one.candidate(changes)) for one in self.sets]
            for one, config in wanted:
                if config is not None:
                    before = one.config
                    one.apply(config)
                    applied.append((one, before))
        except RobotDynamicsError as error:
            for one, before in reversed(applied):
                one.apply(before)
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)


def _requests_of(node: Node) -> _Requests:
    """Return the one that answers for all sets of a node: ROS asks callbacks one by one."""
    requests: Optional[_Requests] = getattr(node, '_parameter_requests', None)
    if requests is None:
        requests = _Requests()
        setattr(node, '_parameter_requests', requests)
        node.add_on_set_parameters_callback(requests.on_set)
    return requests


def _build(kind: Type[Config], values: Dict[str, Any]) -> Config:
    try:
        return config_from_parameters(kind, values)
    except ConfigurationError as error:
        raise ConfigurationError(f'parameter {error}') from error


def _declare(node: Node, spec: ParameterSpec, default: Any, read_only: bool) -> Any:
    """Declare one parameter, and return its value."""
    type_ = _type_of(spec)
    shown = list(default) if isinstance(default, tuple) else default
    if type_ == Parameter.Type.STRING_ARRAY and not shown:
        shown = ['']  # an empty list has no type in ROS
    if type_ == Parameter.Type.DOUBLE_ARRAY and not shown:
        shown = Parameter.Type.DOUBLE_ARRAY  # declared without a value
    try:
        value = node.declare_parameter(
            spec.name, shown, _descriptor(spec, type_, read_only)).value
    except InvalidParameterTypeException as error:
        raise ConfigurationError(_wrong_type(node, spec.name, type_)) from error
    except InvalidParameterValueException as error:
        raise ConfigurationError(f'parameter {spec.name}: {_out_of_range(spec, error)}') from error
    return _plain(value)


def _type_of(spec: ParameterSpec) -> Parameter.Type:
    """Return the ROS type; an empty list is of words unless it has a range."""
    if not isinstance(spec.default, tuple):
        return Parameter.Type.from_parameter_value(spec.default)
    if spec.default:
        return Parameter.Type.from_parameter_value(list(spec.default))
    return (Parameter.Type.STRING_ARRAY if spec.minimum is None
            else Parameter.Type.DOUBLE_ARRAY)


def _descriptor(spec: ParameterSpec, type_: Parameter.Type,
                read_only: bool) -> ParameterDescriptor:
    """Return what ``ros2 param describe`` shows."""
    descriptor = ParameterDescriptor(
        type=type_.value, read_only=read_only and not spec.live,
        description=spec.description + (f' [{spec.unit}]' if spec.unit else ''))
    if spec.choices:
        descriptor.additional_constraints = 'one of: ' + ', '.join(spec.choices)
    elif spec.minimum is not None and spec.maximum is not None:
        if type_ == Parameter.Type.DOUBLE:
            descriptor.floating_point_range = [FloatingPointRange(
                from_value=float(spec.minimum), to_value=float(spec.maximum))]
        elif type_ == Parameter.Type.INTEGER:
            descriptor.integer_range = [IntegerRange(
                from_value=int(spec.minimum), to_value=int(spec.maximum), step=1)]
        else:
            descriptor.additional_constraints = f'each from {spec.minimum:g} to {spec.maximum:g}'
    return descriptor


def _out_of_range(spec: ParameterSpec, error: Exception) -> str:
    """Say which values are possible."""
    if spec.minimum is None or spec.maximum is None:
        return str(error)
    return (f'expected a value from {spec.minimum:g} to {spec.maximum:g}'
            + (f' {spec.unit}' if spec.unit else ''))


def _wrong_type(node: Node, name: str, type_: Parameter.Type) -> str:
    """Say which type is wanted, and how the value given is written as one."""
    given = given_parameters(node)[name].value
    is_list = type_.name.endswith('_ARRAY')
    kind: Any = {'BOOL': bool, 'INTEGER': int, 'DOUBLE': float, 'STRING': str}[
        type_.name.removesuffix('_ARRAY')]
    try:
        items = [kind(value) for value in (given if isinstance(given, (list, array)) else [given])]
        meant = items if is_list else items[0]
        hint = f'; write {meant!r} instead of {given!r}' if (
            kind is not bool and (is_list or len(items) == 1)) else ''
    except (TypeError, ValueError):
        hint = ''
    return f'parameter {name}: expected a {type_.name.lower().replace("_", " ")}{hint}'


def _plain(value: Any) -> Any:
    """Turn a list into a tuple, without the empty strings that stand for an empty list."""
    if value is None:
        return ()
    if isinstance(value, (str, bool, int, float)):
        return value
    return tuple(item for item in value if item != '')
