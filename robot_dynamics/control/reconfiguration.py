"""Which changes of a configuration are safe while commands are issued."""

from __future__ import annotations

from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import parameter_specs, parameter_values


def check_live_change(old: FeedforwardConfig, new: FeedforwardConfig) -> None:
    """
    Refuse a change of what is built into the running objects.

    Raises
    ------
    ConfigurationError
        Names the first parameter that may not change.
    """
    before, after = parameter_values(old), parameter_values(new)
    for spec in parameter_specs(FeedforwardConfig):
        if not spec.live and before[spec.name] != after[spec.name]:
            raise ConfigurationError(
                f'{spec.name}: cannot change from {before[spec.name]!r} to '
                f'{after[spec.name]!r} while configured; deactivate and configure anew')
