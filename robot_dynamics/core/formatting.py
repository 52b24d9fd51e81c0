"""Text for people: lists of bounded length, and names that cannot steer a terminal."""

from __future__ import annotations

from typing import Sequence
import unicodedata

_STEERS = {'Cc', 'Cf', 'Cs', 'Zl', 'Zp'}  # control, format (bidi), surrogates, line separators


def listed(names: Sequence[str], shown: int = 8) -> str:
    """Quote the names and join them by commas; beyond ``shown`` only their number is told."""
    quoted = ', '.join(f"'{name}'" for name in names[:shown])
    return quoted + (f' and {len(names) - shown} more' if len(names) > shown else '')


def printable(text: str) -> str:
    r"""
    Escape what a terminal or log would obey: a newline becomes ``\n``, an escape ``\x1b``.

    Names come from files and messages of others; every error and note passes here.
    """
    if text.isprintable():
        return text
    return ''.join(letter.encode('unicode_escape').decode('ascii')
                   if unicodedata.category(letter) in _STEERS else letter for letter in text)
