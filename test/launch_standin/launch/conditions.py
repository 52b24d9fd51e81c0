"""Stand-in for ``launch.conditions``."""

from __future__ import annotations

from typing import Any

from launch import check_text, LaunchContext, text

TRUE, FALSE = ('true', '1'), ('false', '0')


class InvalidConditionExpressionError(RuntimeError):
    """A condition is neither true nor false."""


class IfCondition:
    """Holds if its text reads true."""

    def __init__(self, predicate_expression: Any) -> None:
        check_text('predicate_expression', predicate_expression)
        self._expression = predicate_expression

    def evaluate(self, context: LaunchContext) -> bool:
        """Return whether it holds."""
        word = text(context, self._expression).strip().lower()
        if word not in TRUE + FALSE:
            raise InvalidConditionExpressionError(f'{word!r} is neither true nor false')
        return word in TRUE


class UnlessCondition(IfCondition):
    """Holds if its text reads false."""

    def evaluate(self, context: LaunchContext) -> bool:
        """Return whether it holds."""
        return not super().evaluate(context)
