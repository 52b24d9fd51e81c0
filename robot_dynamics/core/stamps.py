"""Integer nanoseconds and seconds."""

from __future__ import annotations


def to_ns(seconds: float) -> int:
    """Return whole nanoseconds for a time in seconds."""
    return int(round(seconds * 1e9))


def to_seconds(nanoseconds: int) -> float:
    """Return seconds for a difference of stamps in nanoseconds."""
    return nanoseconds * 1e-9
