"""Events of the rooms below as log lines of a node."""

from __future__ import annotations

from typing import Iterable

from rclpy.impl.rcutils_logger import RcutilsLogger
from robot_dynamics.control.events import Event


def log_events(logger: RcutilsLogger, events: Iterable[Event]) -> None:
    """Write each event as one line; they come throttled already."""
    for event in events:
        text = event.text
        if event.suppressed:
            text += f' ({event.suppressed} more like it)'
        # one call for each severity: rclpy binds a place in the code to its first severity
        if event.severity == 'error':
            logger.error(text)
        elif event.severity == 'warning':
            logger.warning(text)
        else:
            logger.info(text)
