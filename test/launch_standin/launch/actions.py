"""Stand-in for ``launch.actions``: those that this package's launch files use."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Optional

from launch import Action, check_text, LaunchContext, LaunchDescriptionEntity, text


class DeclareLaunchArgument(Action):
    """An argument of the launch file, with its default."""

    def __init__(self, name: str, *, default_value: Any = None, description: str = None,
                 choices: Optional[Iterable[str]] = None, **options: Any) -> None:
        super().__init__(**options)
        if default_value is not None:
            check_text(name, default_value)
        if choices is not None:
            choices = list(choices)
            if not all(isinstance(choice, str) for choice in choices):
                raise ValueError(f'{name}: choices must be str')
            if not choices:
                raise ValueError(f'{name}: choices must not be empty')
        self.name, self.default_value, self.choices = name, default_value, choices
        self.description = 'no description given' if description is None else description

    def execute(self, context: LaunchContext) -> None:
        """Set the default where no value was given; check the choices."""
        if self.name not in context.launch_configurations:
            if self.default_value is None:
                raise RuntimeError(f'Required launch argument "{self.name}" was not provided.')
            context.launch_configurations[self.name] = text(context, self.default_value)
        value = context.launch_configurations[self.name]
        if self.choices and value not in self.choices:
            raise RuntimeError(f'Argument "{self.name}" provided value "{value}" is not valid.')


class OpaqueFunction(Action):
    """Call a function with the context; it may return more to do."""

    def __init__(self, *, function: Callable[..., Any], args: Optional[Iterable[Any]] = None,
                 kwargs: Optional[Dict[str, Any]] = None, **options: Any) -> None:
        super().__init__(**options)
        if not callable(function):
            raise TypeError(f'function: expected a callable, got {function!r}')
        self._function, self._args, self._kwargs = function, list(args or ()), dict(kwargs or {})

    def execute(self, context: LaunchContext) -> Optional[List[LaunchDescriptionEntity]]:
        """Call it."""
        return self._function(context, *self._args, **self._kwargs)


class GroupAction(Action):
    """Several actions under one condition."""

    def __init__(self, actions: Iterable[Action], *, scoped: bool = True, forwarding: bool = True,
                 launch_configurations: Optional[Dict[Any, Any]] = None, **options: Any) -> None:
        super().__init__(**options)
        self._actions = list(actions)

    def execute(self, context: LaunchContext) -> List[LaunchDescriptionEntity]:
        """Return the actions."""
        return list(self._actions)


class SetEnvironmentVariable(Action):
    """Set a variable for the processes that follow."""

    def __init__(self, name: Any, value: Any, **options: Any) -> None:
        super().__init__(**options)
        check_text('SetEnvironmentVariable', name, value)
        self._name, self._value = name, value

    def execute(self, context: LaunchContext) -> None:
        """Set it in the context, not in this process."""
        context.environment[text(context, self._name)] = text(context, self._value)


class LogInfo(Action):
    """Print a message."""

    def __init__(self, *, msg: Any, **options: Any) -> None:
        super().__init__(**options)
        check_text('msg', msg)
        self.msg = msg


class EmitEvent(Action):
    """Emit an event."""

    def __init__(self, *, event: Any, **options: Any) -> None:
        super().__init__(**options)
        self.event = event


class Shutdown(Action):
    """End the whole launch."""

    def __init__(self, *, reason: Any = 'reason not given', **options: Any) -> None:
        super().__init__(**options)
        self.reason = reason


class RegisterEventHandler(Action):
    """Do something when something happens."""

    def __init__(self, event_handler: Any, **options: Any) -> None:
        super().__init__(**options)
        self.event_handler = event_handler


class ExecuteProcess(Action):
    """A process; the real one has many more options, all taken by keyword."""

    OPTIONS = {'prefix', 'cwd', 'env', 'additional_env', 'shell', 'sigterm_timeout',
               'sigkill_timeout', 'emulate_tty', 'output', 'output_format', 'log_cmd', 'on_exit',
               'respawn', 'respawn_delay', 'respawn_max_retries'}

    def __init__(self, *, cmd: Any = (), name: Any = None, condition: Any = None,
                 **options: Any) -> None:
        super().__init__(condition=condition)
        unknown = set(options) - self.OPTIONS
        if unknown:
            raise TypeError(f'unexpected keyword arguments: {sorted(unknown)}')
        self.cmd, self.options = list(cmd), options
