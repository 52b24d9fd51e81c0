"""Stand-in for ``launch.substitutions``."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import Any, Iterable

from launch import check_text, LaunchContext, Substitution, SubstitutionFailure, text


class TextSubstitution(Substitution):
    """Plain text."""

    def __init__(self, *, text: str) -> None:
        check_text('text', text)
        self._text = text

    def perform(self, context: LaunchContext) -> str:
        """Return it."""
        return self._text


class LaunchConfiguration(Substitution):
    """The value of a launch argument."""

    def __init__(self, variable_name: Any, *, default: Any = None) -> None:
        check_text('variable_name', variable_name)
        self._name, self._default = variable_name, default

    def perform(self, context: LaunchContext) -> str:
        """Return the value, or the default."""
        name = text(context, self._name)
        if name in context.launch_configurations:
            return context.launch_configurations[name]
        if self._default is None:
            raise SubstitutionFailure(f"launch configuration '{name}' does not exist")
        return text(context, self._default)


class PathJoinSubstitution(Substitution):
    """Parts of a path."""

    def __init__(self, substitutions: Iterable[Any]) -> None:
        self._parts = list(substitutions)
        check_text('substitutions', *self._parts)

    def perform(self, context: LaunchContext) -> str:
        """Join them."""
        return os.path.join(*(text(context, part) for part in self._parts))


class EnvironmentVariable(Substitution):
    """The value of an environment variable."""

    def __init__(self, name: Any, *, default_value: Any = None) -> None:
        check_text('name', name)
        self._name, self._default = name, default_value

    def perform(self, context: LaunchContext) -> str:
        """Return it, or the default."""
        name = text(context, self._name)
        if name in context.environment:
            return context.environment[name]
        if self._default is None:
            raise SubstitutionFailure(f"environment variable '{name}' does not exist")
        return text(context, self._default)


class Command(Substitution):
    """What a command prints."""

    def __init__(self, command: Any, *, on_stderr: str = 'fail') -> None:
        check_text('command', command)
        self._command = command

    def perform(self, context: LaunchContext) -> str:
        """Run it."""
        run = subprocess.run(shlex.split(text(context, self._command)), capture_output=True,
                             text=True)
        if run.returncode:
            raise SubstitutionFailure(run.stderr)
        return run.stdout
