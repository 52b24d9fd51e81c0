"""End with the process that started this one, even where that one is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Dict

VARIABLE = 'ROBOT_DYNAMICS_PARENT'
PERIOD = 1.0  # s


def bound_to_this_process() -> Dict[str, str]:
    """Return what to add to the environment of a child that shall not outlive this process."""
    return {VARIABLE: str(os.getpid())}


def end_with_parent() -> None:
    """
    Send this process SIGINT once its parent is gone, if the parent has asked for it.

    A parent that gets SIGTERM or SIGKILL cannot end its children; a child then has another parent.
    """
    parent = os.environ.get(VARIABLE, '')
    if parent.isdigit():
        threading.Thread(target=_watch, args=(int(parent), os.getppid()), daemon=True).start()


def _watch(asked: int, parent: int) -> None:
    """Wait until the process that has asked, or the one between, is gone."""
    while os.getppid() == parent and _lives(asked):
        time.sleep(PERIOD)
    os.kill(os.getpid(), signal.SIGINT)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
