"""Stand-in for ``launch_ros.parameter_descriptions``."""

from __future__ import annotations

import os
from typing import Any

from launch import check_text, is_text, LaunchContext, text
import yaml


class ParameterValue:
    """A value that is resolved when the launch file runs, of a given type."""

    def __init__(self, value: Any, *, value_type: Any = None) -> None:
        self._value, self._type = value, value_type

    def evaluate(self, context: LaunchContext) -> Any:
        """Return the value in its type; without one it is read as YAML."""
        if not is_text(self._value):
            return self._value
        word = text(context, self._value)
        if self._type is str:
            return word
        value = yaml.safe_load(word)
        if self._type is float and isinstance(value, int) and not isinstance(value, bool):
            raise ValueError(f'{word!r} is an integer, expected a float')
        if self._type in (bool, int, float) and not isinstance(value, self._type):
            raise ValueError(f'{word!r} is not of type {self._type.__name__}')
        return value


class ParameterFile:
    """A YAML file with parameters."""

    def __init__(self, param_file: Any, *, allow_substs: Any = False) -> None:
        if not isinstance(param_file, os.PathLike):
            check_text('param_file', param_file)
        self._file = param_file

    def evaluate(self, context: LaunchContext) -> str:
        """Return the file's path."""
        if isinstance(self._file, os.PathLike):
            return os.fspath(self._file)
        return text(context, self._file)
