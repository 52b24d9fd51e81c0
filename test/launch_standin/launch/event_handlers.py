"""Stand-in for ``launch.event_handlers``."""

from __future__ import annotations

from typing import Any


class OnProcessExit:
    """Do something when a process ends."""

    def __init__(self, *, target_action: Any = None, on_exit: Any = None,
                 handle_once: bool = False) -> None:
        self.target_action, self.on_exit = target_action, on_exit


class OnShutdown:
    """Do something when the launch ends."""

    def __init__(self, *, on_shutdown: Any = None) -> None:
        self.on_shutdown = on_shutdown
