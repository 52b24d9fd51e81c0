"""Words of the form ``name=value``, as parameters and options hold them."""

from __future__ import annotations

import math
from typing import Dict, Iterable, Tuple

from robot_dynamics.core.errors import ConfigurationError


def named_words(option: str, words: Iterable[str], sign: str = '=') -> Dict[str, str]:
    """
    Split words at the last ``sign``.

    Parameters
    ----------
    option : str
        What the user gave them to, for errors.
    words : iterable of str
        Empty words are passed over: an empty list of ROS parameters holds one.
    sign : str
        What stands between name and value.

    Raises
    ------
    ConfigurationError
        If a word has no name or no value, or a name comes twice.
    """
    found: Dict[str, str] = {}
    for word in words:
        if not word.strip():
            continue
        name, value = _split(word, sign)
        if not name or not value:
            raise ConfigurationError(f'{option}: {word!r} is not of the form name{sign}value')
        if name in found:
            raise ConfigurationError(f'{option}: {name!r} is given twice')
        found[name] = value
    return found


def named_numbers(option: str, words: Iterable[str]) -> Dict[str, float]:
    """Read words of the form ``name=number``; the errors are those of :func:`named_words`."""
    return {name: number(f'{option}: {name}', value)
            for name, value in named_words(option, words).items()}


def number(option: str, word: str) -> float:
    """Read one finite number."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigurationError(f'{option}: {word!r} is not a number')
    return value


def _split(word: str, sign: str) -> Tuple[str, str]:
    # the last '=': names may hold one; the first ':=', as a value may hold anything
    cut = word.partition if len(sign) > 1 else word.rpartition
    name, _, value = cut(sign)
    return name.strip(), value.strip()
