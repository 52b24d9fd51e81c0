"""Functions that run in workers of the fleet tests; workers import this module."""

from __future__ import annotations

import os
from pathlib import Path
import signal
from typing import Any

from robot_dynamics.replay.fleet import BagJob, BagOutcome, run_job


def square(number: int) -> int:
    """Return the square; 13 raises."""
    if number == 13:
        raise ValueError('unlucky')
    return number * number


def die_once(job: Any) -> str:
    """Kill the own process at the first try of a job; ``job`` is (marker path, answer)."""
    marker, answer = job
    if not Path(marker).exists():
        Path(marker).write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL)
    return str(answer)


def die_always(job: Any) -> Any:
    """Kill the own process if the job says so."""
    if job == 'die':
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def run_job_dying_once(job: BagJob) -> BagOutcome:
    """Analyse a recording, but kill the process at the first try of the second one."""
    marker = Path(job.bag + '.tried')
    if job.bag.endswith('run1.mcap') and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return run_job(job)
