"""Stand-in for ``launch.events``."""

from __future__ import annotations


class Shutdown:
    """The launch is to end."""

    def __init__(self, *, reason: str = 'reason not given', due_to_sigint: bool = False) -> None:
        self.reason, self.due_to_sigint = reason, due_to_sigint
