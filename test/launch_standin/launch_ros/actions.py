"""Stand-in for ``launch_ros.actions``: nodes that are described, not started."""

from __future__ import annotations

from collections.abc import Mapping
import os
from typing import Any, Dict, Iterable, Optional, Tuple

from launch import check_text, is_text, LaunchContext, text
from launch.actions import ExecuteProcess
from launch_ros.parameter_descriptions import ParameterFile, ParameterValue
import yaml

SCALARS = (bool, int, float, str, bytes)


class Node(ExecuteProcess):
    """A ROS node in a process of its own."""

    def __init__(self, *, executable: Any, package: Any = None, name: Any = None,
                 namespace: Any = None, exec_name: Any = None,
                 parameters: Optional[Iterable[Any]] = None,
                 remappings: Optional[Iterable[Tuple[Any, Any]]] = None,
                 ros_arguments: Optional[Iterable[Any]] = None,
                 arguments: Optional[Iterable[Any]] = None, **options: Any) -> None:
        super().__init__(**options)
        check_text('executable', executable)
        check_text('package, name, namespace', *(
            value for value in (package, name, namespace) if value is not None))
        self._executable, self._package, self._name = executable, package, name
        self._namespace = namespace
        self._parameters = list(parameters or ())
        for entry in self._parameters:
            _check_parameters(entry)
        self._remappings = [(source, target) for source, target in remappings or ()]
        for rule in self._remappings:
            check_text('remappings', *rule)
        self._arguments = list(arguments or ())
        check_text('arguments', *self._arguments)
        self._ros_arguments = list(ros_arguments or ())
        check_text('ros_arguments', *self._ros_arguments)

    def describe(self, context: LaunchContext) -> Dict[str, Any]:
        """Return everything resolved; only the stand-in has this."""
        def resolved(value: Any) -> str:
            return '' if value is None else text(context, value)
        return {
            'package': resolved(self._package), 'executable': resolved(self._executable),
            'name': resolved(self._name), 'namespace': resolved(self._namespace),
            'parameters': [_evaluate(context, entry) for entry in self._parameters],
            'remappings': [(resolved(source), resolved(target))
                           for source, target in self._remappings],
            'arguments': [resolved(value) for value in self._arguments],
        }


class LifecycleNode(Node):
    """A managed node."""

    def __init__(self, *, name: Any, namespace: Any, **options: Any) -> None:
        super().__init__(name=name, namespace=namespace, **options)


def _check_parameters(entry: Any) -> None:
    """Refuse what the real one cannot pass to a node."""
    if isinstance(entry, (ParameterFile, os.PathLike)) or is_text(entry):
        return
    if not isinstance(entry, Mapping):
        raise TypeError(f'parameters: expected a dict or a file, got {entry!r}')
    for name, value in entry.items():
        check_text('name of a parameter', name)
        if isinstance(value, Mapping):
            _check_parameters(value)
        elif isinstance(value, (list, tuple)) and not is_text(value):
            if not value:
                raise TypeError(f'{name}: an empty list has no type')
            kinds = {type(item) for item in value}
            if not all(issubclass(kind, SCALARS) for kind in kinds) or (
                    len(kinds) > 1 and kinds != {int, float}):
                raise TypeError(f'{name}: a list must hold scalars of one type, got {value!r}')
        elif not isinstance(value, SCALARS + (ParameterValue,)) and not is_text(value):
            raise TypeError(f'{name}: {value!r} is not a parameter')


def _evaluate(context: LaunchContext, entry: Any) -> Any:
    if isinstance(entry, ParameterFile):
        return entry.evaluate(context)
    if isinstance(entry, os.PathLike):
        return os.fspath(entry)
    if is_text(entry):
        return text(context, entry)
    return {text(context, name): _value(context, value) for name, value in entry.items()}


def _value(context: LaunchContext, value: Any) -> Any:
    if isinstance(value, ParameterValue):
        return value.evaluate(context)
    if isinstance(value, Mapping):
        return _evaluate(context, value)
    if isinstance(value, str) or not is_text(value):
        return value
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
        return list(value)
    return _typed(text(context, value))


def _typed(word: str) -> Any:
    """Read a resolved substitution as YAML, as launch_ros does."""
    return yaml.safe_load(word) if word else word
