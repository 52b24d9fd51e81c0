"""
Checks of what comes from outside, all of one shape: what looks at one kind of message.

A check says what is wrong as a :class:`Finding`, which names the check, the signal, the value,
the bound and the unit.  What follows from a finding is for the caller to decide.
"""

from __future__ import annotations

import dataclasses
from typing import Iterable, Optional, Protocol, TypeVar

Sample = TypeVar('Sample')
GRACE_NS = 20_000_000
Examined = TypeVar('Examined', contravariant=True)


@dataclasses.dataclass(frozen=True)
class Finding:
    """What a check has found."""

    check: str  #: Stable word for programs
    signal: str  #: What it is about, for example ``angular_velocity``
    text: str  #: For people: what was seen, and what to do
    #: Offending value and what it should keep to, where both are numbers
    value: Optional[float] = None
    bound: Optional[float] = None
    unit: str = ''  #: Of both
    #: Whether what is there is wrong; False: something is missing, which is as good as silence
    wrong: bool = True


class Check(Protocol[Examined]):
    """One check; it may remember earlier samples."""

    @property
    def signal(self) -> str:
        """What is looked at."""

    def examine(self, sample: Examined) -> Optional[Finding]:
        """Say what is wrong with a sample, or with those up to it; None where nothing is."""

    def reset(self) -> None:
        """Forget earlier samples."""


class Credit:
    """
    How long a signal has had for its change since the last good sample.

    A silence credits its length; samples that are refused in a row credit :data:`GRACE_NS` beside
    the longest of their distances, so that a signal which has stepped stays refused.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all samples."""
        self._last_ns: Optional[int] = None
        self._seen_ns = self._longest_ns = 0

    def seconds(self, stamp_ns: int) -> Optional[float]:
        """Return the credit of a sample; None where there was none before it."""
        if self._last_ns is None:
            return None
        self._longest_ns = max(self._longest_ns, stamp_ns - self._seen_ns)
        self._seen_ns = stamp_ns
        return max(min(stamp_ns - self._last_ns, self._longest_ns + GRACE_NS), 1) * 1e-9

    def accept(self, stamp_ns: int) -> None:
        """Note that a sample is good."""
        self._last_ns = self._seen_ns = stamp_ns
        self._longest_ns = 0


def first_finding(checks: Iterable[Check[Sample]], sample: Sample) -> Optional[Finding]:
    """Return what the first check finds that finds anything; later ones do not see the sample."""
    for check in checks:
        finding = check.examine(sample)
        if finding is not None:
            return finding
    return None
