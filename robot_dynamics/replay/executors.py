"""
Run one function on many jobs, on this machine's processes or on a Dask cluster.

Both executors have one method, ``run``; a job whose worker dies is tried again on another, and
after that it is that job's failure, never that of the run.
"""

from __future__ import annotations

from collections import deque
import multiprocessing
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, Deque, Dict, Iterator, Optional, Protocol, Sequence, Tuple

from robot_dynamics.core.errors import ConfigurationError

ATTEMPTS = 2
"""How often a job is started before its worker's death counts as its own fault."""


class WorkerDied(Exception):
    """The worker died each time that it ran the job (killed, or out of memory)."""


Outcome = Tuple[int, Any]
"""Index of the job; its result, or the exception that it raised."""


class Executor(Protocol):
    """What runs jobs."""

    def run(self, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[Outcome]:
        """Run a function on each job; yield outcomes as they come, in any order."""


class ProcessPool:
    """
    Processes on this machine, each with one job at a time.

    Parameters
    ----------
    workers : int
        How many.
    """

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ConfigurationError(f'--jobs: is {workers}, expected at least 1')
        self.workers = workers
        # a forked child would share locks of threads that it does not have
        self._context = multiprocessing.get_context('spawn')

    def run(self, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[Outcome]:
        """Run a function on each job; yield outcomes as they come."""
        waiting: Deque[int] = deque(range(len(jobs)))
        attempts = [0] * len(jobs)
        busy: Dict[Connection, _Worker] = {}
        idle = [_Worker(self._context, function)
                for _ in range(min(self.workers, len(jobs)))]
        try:
            while waiting or busy:
                while waiting and idle:
                    worker, index = idle.pop(), waiting.popleft()
                    attempts[index] += 1
                    worker.start(index, jobs[index])
                    busy[worker.pipe] = worker
                for pipe in wait(list(busy)):
                    worker = busy.pop(pipe)  # type: ignore[call-overload]
                    index = worker.index
                    try:
                        outcome = worker.pipe.recv()
                    except (EOFError, OSError):  # the other end is gone with its process
                        worker.end()
                        idle.append(_Worker(self._context, function))
                        if attempts[index] < ATTEMPTS:
                            waiting.append(index)
                        else:
                            yield index, WorkerDied('its process died twice (killed, or out of '
                                                    'memory)')
                    else:
                        idle.append(worker)
                        yield index, outcome
        finally:
            for worker in (*idle, *busy.values()):
                worker.end()


class _Worker:
    """A child process and the pipe to it."""

    def __init__(self, context: Any, function: Callable[[Any], Any]) -> None:
        self.pipe, other = context.Pipe()
        self.index = -1
        self.process = context.Process(target=_serve, args=(other, function), daemon=True)
        self.process.start()
        other.close()

    def start(self, index: int, job: Any) -> None:
        self.index = index
        try:
            self.pipe.send(job)
        except OSError:
            pass  # the process is dead already; recv will say so

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def _serve(pipe: Connection, function: Callable[[Any], Any]) -> None:
    """Work on jobs until the parent closes the pipe."""
    while True:
        try:
            job = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            outcome = function(job)
        except Exception as error:  # noqa: B902  (the job's failure is its outcome)
            outcome = error
        pipe.send(outcome)


class DaskCluster:
    """
    An existing Dask cluster; its workers must see the recordings under the same paths.

    Parameters
    ----------
    address : str
        Of the scheduler, as ``tcp://host:8786``.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise ConfigurationError('--scheduler needs Dask: install the extra "cluster" '
                                     '(pip install "robot_dynamics[cluster]")') from error
        try:
            self._client = distributed.Client(address, timeout='10s', set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConfigurationError(f'--scheduler {address}: no Dask scheduler answers '
                                     f'({error})') from error

    def run(self, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[Outcome]:
        """Run a function on each job; the scheduler moves the jobs of a dead worker."""
        import distributed
        futures = {self._client.submit(function, job, pure=False): index
                   for index, job in enumerate(jobs)}
        try:
            for future in distributed.as_completed(futures, loop=self._client.loop):
                error: Optional[BaseException] = future.exception()
                if isinstance(error, distributed.KilledWorker):
                    error = WorkerDied('its workers died each time (killed, or out of memory)')
                yield futures[future], future.result() if error is None else error
                future.release()
        finally:
            self._client.close()
