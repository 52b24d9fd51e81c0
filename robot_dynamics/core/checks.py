"""
Checks of what comes from outside, all of one shape: what looks at one kind of message.

A check says what is wrong as a :class:`Finding`, which names the check, the signal, the value,
the bound and the unit.  What follows from a finding is for the caller to decide.
"""

from __future__ import annotations

import dataclasses
from typing import Iterable, Optional, Protocol, TypeVar

Sample = TypeVar('Sample')
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


def first_finding(checks: Iterable[Check[Sample]], sample: Sample) -> Optional[Finding]:
    """Return what the first check finds that finds anything; later ones do not see the sample."""
    for check in checks:
        finding = check.examine(sample)
        if finding is not None:
            return finding
    return None
