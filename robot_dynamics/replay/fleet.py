"""Many recordings: one outcome each, whatever happens to the others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.replay.executors import Executor
from robot_dynamics.replay.outputs import Outputs, write_outputs
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions


@dataclass(frozen=True)
class BagJob:
    """
    One recording to analyse; plain data, so that it travels to other machines.

    Attributes
    ----------
    bag : str
        Path of the recording.
    robot : str or None
        URDF, as text or path; None: from the recording.
    options : ReplayOptions
        Choices.
    outputs : Outputs or None
        Files to write.
    """

    bag: str
    robot: Optional[str] = None
    options: ReplayOptions = ReplayOptions()
    outputs: Optional[Outputs] = None


@dataclass(frozen=True)
class BagOutcome:
    """
    What became of one recording.

    Attributes
    ----------
    bag : str
        Path of the recording.
    summary : dict or None
        ``ReplayResult.as_dict()``; None if it failed.
    error : str
        One line; empty if it succeeded.
    files : tuple of str
        Files that were written.
    """

    bag: str
    summary: Optional[Dict[str, Any]]
    error: str = ''
    files: Tuple[str, ...] = ()


def run_job(job: BagJob) -> BagOutcome:
    """Analyse one recording and write its files; a bad recording is an outcome, no exception."""
    try:
        with analyze_bag(job.bag, job.robot, job.options) as result:
            files = write_outputs(result, job.outputs) if job.outputs is not None else ()
            return BagOutcome(job.bag, result.as_dict(), files=files)
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
    executor : ProcessPool or DaskCluster
        Where.
    progress : callable, optional
        Called with each outcome and how many are done.

    Returns
    -------
    list of BagOutcome
        In the order of the jobs.
    """
    outcomes: List[Optional[BagOutcome]] = [None] * len(jobs)
    done = 0
    for index, outcome in executor.run(run_job, jobs):
        if not isinstance(outcome, BagOutcome):
            outcome = BagOutcome(jobs[index].bag, None,
                                 f'{type(outcome).__name__}: {" ".join(str(outcome).split())}')
        outcomes[index] = outcome
        done += 1
        if progress is not None:
            progress(outcome, done)
    return [outcome for outcome in outcomes if outcome is not None]


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
