"""What the analysis noticed about a recording, as data that every report shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, List

from robot_dynamics.core.formatting import printable

INFO, WARNING, SEVERE = 'info', 'warning', 'severe'
SEVERITIES = (INFO, WARNING, SEVERE)


@dataclass(frozen=True)
class Finding:
    """One observation: what it is about, what was seen, what was done, what the user can do."""

    #: ``info``: worth knowing; ``warning``: figures may mislead; ``severe``: a part of the
    #: analysis was not possible or is most likely wrong
    severity: str
    code: str  #: Short stable name for programs, for example ``effort-sign``
    element: str  #: The topic, joint or file concerned
    text: str  #: One sentence for people

    def __str__(self) -> str:
        return f'{self.element}: {self.text}'


class Findings:
    """A list of findings in which each (code, element) appears once."""

    def __init__(self) -> None:
        self._items: Dict[tuple[str, str], Finding] = {}

    def add(self, severity: str, code: str, element: str, text: str) -> None:
        """Add a finding; a later one with the same code and element replaces the earlier."""
        if severity not in SEVERITIES:
            raise ValueError(f'severity {severity!r}: expected one of {", ".join(SEVERITIES)}')
        self._items[code, element] = Finding(severity, code, printable(element), printable(text))

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.by_severity())

    def __len__(self) -> int:
        return len(self._items)

    def has(self, code: str, element: str = '') -> bool:
        """Tell whether a finding with this code (and element, if given) exists."""
        return any(item.code == code and (not element or item.element == element)
                   for item in self._items.values())

    def by_severity(self) -> List[Finding]:
        """Return the findings, the most severe first, otherwise in the order of discovery."""
        return sorted(self._items.values(), key=lambda item: -SEVERITIES.index(item.severity))
