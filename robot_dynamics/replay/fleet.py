"""Many recordings: one outcome each, whatever happens to the others."""

from __future__ import annotations

from concurrent.futures import as_completed, Executor
from dataclasses import dataclass
from pathlib import Path
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.replay.outputs import Outputs, write_outputs
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions


@dataclass(frozen=True)
class BagJob:
    """One recording to analyse; plain data, so that it travels to other machines."""

    bag: str  #: Path of the recording
    robot: Optional[str] = None  #: URDF, as text or path; None: from the recording
    options: ReplayOptions = ReplayOptions()  #: Choices
    outputs: Optional[Outputs] = None  #: Files to write


@dataclass(frozen=True)
class BagOutcome:
    """What became of one recording."""

    bag: str  #: Path of the recording
    summary: Optional[Dict[str, Any]]  #: ``ReplayResult.to_dict()``; None if it failed
    error: str = ''  #: One line; empty if it succeeded
    files: Tuple[str, ...] = ()  #: Files that were written


def run_job(job: BagJob) -> BagOutcome:
    """Analyse one recording and write its files; a bad recording is an outcome, no exception."""
    try:
        with analyze_bag(job.bag, job.robot, job.options) as result:
            files = write_outputs(result, job.outputs) if job.outputs is not None else ()
            return BagOutcome(job.bag, result.to_dict(), files=files)
    except (RobotDynamicsError, OSError) as error:
        return BagOutcome(job.bag, None, ' '.join(str(error).split()))


def analyze_fleet(jobs: Sequence[BagJob], executor: Executor,
                  progress: Optional[Callable[[BagOutcome, int], None]] = None
                  ) -> List[BagOutcome]:
    """
    Analyse many recordings.

    Parameters
    ----------
    jobs : sequence of BagJob
        What to analyse.
    executor : concurrent.futures.Executor
        Where; it is shut down at the end.
    progress : callable, optional
        Called with each outcome and how many are done.

    Returns
    -------
    list of BagOutcome
        In the order of the jobs.
    """
    outcomes: Dict[int, BagOutcome] = {}
    index = {executor.submit(run_job, job): i for i, job in enumerate(jobs)}
    try:
        for future in as_completed(index):
            error = future.exception()
            outcome = future.result() if error is None else BagOutcome(
                jobs[index[future]].bag, None,
                f'{type(error).__name__}: {" ".join(str(error).split())}')
            outcomes[index[future]] = outcome
            if progress is not None:
                progress(outcome, len(outcomes))
    finally:
        for future in index:
            future.cancel()
        executor.shutdown()
    return [outcomes[i] for i in range(len(jobs))]


def output_names(bags: Sequence[str]) -> List[str]:
    """Return a directory name for each recording: its own, numbered where two share it."""
    names: List[str] = []
    for bag in bags:
        path = Path(bag)
        plain = re.sub(r'[^\w.-]+', '_', path.stem if path.is_file() else path.name) or 'bag'
        name, number = plain, 2
        while name in names:
            name, number = f'{plain}_{number}', number + 1
        names.append(name)
    return names
