"""Stand-in for ``launch``: context, substitutions as text, and the list of what to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
import os
from typing import Any, Dict, Iterable, List, Optional


class SubstitutionFailure(RuntimeError):
    """A substitution cannot be resolved."""


class LaunchContext:
    """The values of the launch configurations while a description is walked."""

    def __init__(self) -> None:
        self.launch_configurations: Dict[str, str] = {}
        self.environment: Dict[str, str] = dict(os.environ)

    def perform_substitution(self, substitution: Substitution) -> str:
        """Return a substitution's text."""
        return substitution.perform(self)


class Substitution(ABC):
    """Text that is known only when the launch file runs."""

    @abstractmethod
    def perform(self, context: LaunchContext) -> str:
        """Return the text."""


def is_text(value: Any) -> bool:
    """Return whether a value may stand where launch takes substitutions."""
    if isinstance(value, (str, Substitution)):
        return True
    return isinstance(value, (list, tuple)) and all(
        isinstance(part, (str, Substitution)) for part in value)


def check_text(what: str, *values: Any) -> None:
    """Refuse what the real launch cannot turn into a list of substitutions."""
    for value in values:
        if not is_text(value):
            raise TypeError(f'{what}: expected text or substitutions, got {value!r}')


def text(context: LaunchContext, value: Any) -> str:
    """Resolve text, a substitution, or several of them one after the other."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return ''.join(part if isinstance(part, str) else part.perform(context) for part in parts)


class LaunchDescriptionEntity(ABC):
    """What a launch description can hold."""

    @abstractmethod
    def visit(self, context: LaunchContext) -> Optional[List[LaunchDescriptionEntity]]:
        """Do it; return what is to be done next."""


class Action(LaunchDescriptionEntity):
    """Something to do, unless its condition says no."""

    def __init__(self, *, condition: Any = None) -> None:
        if condition is not None and not hasattr(condition, 'evaluate'):
            raise TypeError(f'condition: expected a Condition, got {condition!r}')
        self.condition = condition

    def visit(self, context: LaunchContext) -> Optional[List[LaunchDescriptionEntity]]:
        """Execute, if the condition holds."""
        if self.condition is not None and not self.condition.evaluate(context):
            return None
        return self.execute(context)

    def execute(self, context: LaunchContext) -> Optional[List[LaunchDescriptionEntity]]:
        """Do it; return what is to be done next."""
        return None


class LaunchDescription(LaunchDescriptionEntity):
    """A list of entities, done in order."""

    def __init__(self, initial_entities: Optional[Iterable[LaunchDescriptionEntity]] = None, *,
                 deprecated_reason: Optional[str] = None) -> None:
        self.entities: List[LaunchDescriptionEntity] = []
        for entity in initial_entities or ():
            self.add_action(entity)

    def add_action(self, action: LaunchDescriptionEntity) -> None:
        """Append an action."""
        if not isinstance(action, LaunchDescriptionEntity):
            raise TypeError(f'a launch description cannot hold {action!r}')
        self.entities.append(action)

    add_entity = add_action

    def visit(self, context: LaunchContext) -> List[LaunchDescriptionEntity]:
        """Return the entities."""
        return self.entities
