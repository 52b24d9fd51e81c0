"""
The errors that users of this package can meet.

Every mistake of a user ends in a :class:`RobotDynamicsError`: its text is one clear line that
names the offender and the fix, and its attributes carry the same as data.
"""

from __future__ import annotations

import difflib
import re
from typing import Iterable, Mapping

from robot_dynamics.core.formatting import printable

_ARGUMENT = re.compile(r'`(\w+)([^`\w][^`]*)?`')


class RobotDynamicsError(Exception):
    """
    Base of all errors that this package raises on purpose.

    The command line prints its text as one line and exits with 2.
    """

    def __str__(self) -> str:
        return self.spelled({})

    def spelled(self, names: Mapping[str, str]) -> str:
        """
        Return the text with arguments named as the reader gives them.

        Parameters
        ----------
        names : mapping of str to str
            For example ``{'tip_link': '--tip-link'}``; others keep their name in Python.  In the
            text given to an error, arguments stand between backticks, with a value or key if any.
        """
        def name(match: re.Match[str]) -> str:
            argument, value = match.group(1), match.group(2) or ''
            if argument not in names:
                return argument + value
            value = value.strip("=[]'")
            return f'{names[argument]} {value}'.rstrip()
        return printable(_ARGUMENT.sub(name, self._raw()))

    def _raw(self) -> str:
        return super().__str__()


class InputError(RobotDynamicsError, ValueError):
    """
    An array or number is not what the function takes.

    Attributes
    ----------
    argument : str
        Name of the offending argument.
    """

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(f'{argument}: {problem}')
        self.argument = argument.strip('`')


class ConfigurationError(RobotDynamicsError, ValueError):
    """A parameter, option or file of the configuration is missing or contradicts another."""


class BagError(RobotDynamicsError):
    """A recording cannot be read, or lacks what the analysis needs."""


class ModelError(RobotDynamicsError, ValueError):
    """
    A robot description is wrong.

    Attributes
    ----------
    element : str
        The offending element, for example ``joint 'elbow'``.
    problem : str
        What is wrong with it.
    fix : str
        What to change.
    """

    def __init__(self, element: str, problem: str, fix: str = '') -> None:
        super().__init__(f'{element}: {problem}' + (f'; {fix}' if fix else ''))
        self.element = element
        self.problem = problem
        self.fix = fix


class UnknownNameError(RobotDynamicsError, KeyError):
    """
    A name that the model, message or table does not have.

    Attributes
    ----------
    name : str
        The unknown name.
    known : tuple of str
        The names that exist, the most similar ones first.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        close = difflib.get_close_matches(str(name), names, n=3)
        self.kind = kind
        self.name = name
        self.known = tuple(close + [other for other in names if other not in close])
        shown = ', '.join(self.known[:12]) + (', ...' if len(self.known) > 12 else '')
        self._text = f'unknown {kind} {name!r}; known: {shown or "none"}'
        super().__init__(self._text)

    def _raw(self) -> str:
        return self._text  # KeyError would print the repr of its argument


class IdentificationError(RobotDynamicsError):
    """A recording does not teach what was asked for, or contradicts the description."""
