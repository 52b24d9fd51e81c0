"""
Where many recordings are analysed: processes of this machine, or a Dask cluster.

Both are executors as ``concurrent.futures`` has them; Dask brings its own.
"""

from __future__ import annotations

from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
import multiprocessing
from queue import SimpleQueue
import signal
from typing import Any, Callable

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.extras import require

ATTEMPTS = 2
"""How often a job is started before its worker's death counts as its own fault."""


class WorkerDied(Exception):
    """The worker died each time that it ran the job (killed, or out of memory)."""


class ProcessPool(ThreadPoolExecutor):
    """
    Processes on this machine, each with one job at a time.

    Each has a pool of its own, so that a job that kills its process harms no other.
    """

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ConfigurationError(f'--jobs: is {workers}, expected at least 1')
        super().__init__(workers)
        self._idle: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
        for _ in range(workers):
            self._idle.put(_one_process())

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function in the next process that is free."""
        return super().submit(self._attempt, function, *args, **kwargs)

    def _attempt(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        process = self._idle.get()
        try:
            for _ in range(ATTEMPTS):
                try:
                    return process.submit(function, *args, **kwargs).result()
                except BrokenProcessPool:
                    process.shutdown()
                    process = _one_process()
            raise WorkerDied('its process died twice (killed, or out of memory)')
        finally:
            self._idle.put(process)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their last jobs."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        while not self._idle.empty():
            self._idle.get().shutdown(wait)


def _one_process() -> ProcessPoolExecutor:
    # a forked child would share locks of threads that it does not have; Ctrl-C ends it in silence
    return ProcessPoolExecutor(1, multiprocessing.get_context('spawn'), signal.signal,
                               (signal.SIGINT, signal.SIG_DFL))


def dask_cluster(address: str) -> Executor:
    """
    Return the executor of an existing Dask cluster.

    Its workers must see the recordings under the same paths; the scheduler moves the jobs of a
    dead worker.

    Parameters
    ----------
    address : str
        Of the scheduler, as ``tcp://host:8786``.
    """
    require('--scheduler', 'distributed')
    import distributed
    try:
        client = distributed.Client(address, timeout='10s', set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f'--scheduler {address}: no Dask scheduler answers '
                                 f'({error})') from error
    executor: Executor = client.get_executor(pure=False)
    return executor
