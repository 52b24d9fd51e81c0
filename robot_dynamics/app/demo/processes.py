"""Start the processes of a scenario, notice when one dies, and end them all."""

from __future__ import annotations

import os
from pathlib import Path
import signal
import subprocess
import sys
import time
from types import TracebackType
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Type

from robot_dynamics.app.graph import NodeProcess
from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.parent import bound_to_this_process
from robot_dynamics.core.resources import PACKAGE
import yaml

POLL_PERIOD = 0.05  # s
PATIENCE = 6.0  # s that a process gets after SIGINT, for its ramp to zero


class ProcessFailure(RobotDynamicsError):
    """
    A process ended that should not have, or did not end when it should.

    Attributes
    ----------
    name : str
        Of its node.
    """

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f'{name}: {text}')
        self.name = name


class ProcessGroup:
    """The processes of one scenario; leaving the ``with`` block ends all that still run."""

    def __init__(self, processes: Sequence[NodeProcess], environment: Mapping[str, str],
                 directory: Path) -> None:
        self._processes = [process for process in processes if process.package == PACKAGE]
        self._environment = {**os.environ, **bound_to_this_process(), **environment}
        self._directory = directory
        self._running: Dict[str, 'subprocess.Popen[bytes]'] = {}

    def __enter__(self) -> ProcessGroup:
        self._directory.mkdir(parents=True, exist_ok=True)
        for process in self._processes:
            with open(self._log(process.name), 'wb') as log:
                self._running[process.name] = subprocess.Popen(
                    command_line(process, self._directory), env=self._environment,
                    stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        for number in (signal.SIGINT, signal.SIGKILL):
            for running in self._running.values():
                if running.poll() is None:
                    running.send_signal(number)
            end = time.monotonic() + PATIENCE
            for running in self._running.values():
                try:
                    running.wait(max(0.0, end - time.monotonic()))
                except subprocess.TimeoutExpired:
                    pass

    def wait_for(self, name: str, longest: float, watch: Callable[[], None]) -> None:
        """
        Wait until one process has done its work.

        Parameters
        ----------
        name : str
            Of its node.
        longest : float
            When to give up, s.
        watch : callable
            Called while waiting.

        Raises
        ------
        ProcessFailure
            If a process dies, or this one takes too long.
        """
        end = time.monotonic() + longest
        while True:
            for other, running in self._running.items():
                code = running.poll()
                if code is None:
                    continue
                if other != name or not self._is_done(name, code):
                    raise ProcessFailure(other, self._last_words(other, code))
                return
            if time.monotonic() > end:
                raise ProcessFailure(
                    name, f'has not finished within {longest:g} s; see {self._log(name)}')
            watch()
            time.sleep(POLL_PERIOD)

    def _log(self, name: str) -> Path:
        return self._directory / f'{name}.log'

    def _is_done(self, name: str, code: int) -> bool:
        """Tell whether a process has done its work; its own alarm may end it as it leaves DDS."""
        return not code or code == -signal.SIGALRM and '[FATAL]' not in self._log(name).read_text(
            errors='replace')

    def _last_words(self, name: str, code: int) -> str:
        """Return the line of a dead process that says why."""
        lines: List[str] = self._log(name).read_text(errors='replace').strip().splitlines()
        telling = [line for line in lines if '[FATAL]' in line or '[ERROR]' in line]
        words = (telling or lines or ['(it said nothing)'])[-1].rpartition(']: ')[2]
        how = f'was killed by signal {-code}' if code < 0 else f'ended with exit code {code}'
        return f'{how}: {words}'


def command_line(process: NodeProcess, directory: Path) -> List[str]:
    """Return the words that start a process; its own parameters go into a file."""
    own = directory / f'{process.name}.yaml'
    full_name = '/'.join(['', *filter(None, [process.namespace]), process.name])
    own.write_text(yaml.safe_dump(
        {full_name: {'ros__parameters': dict(process.parameters)}}), encoding='utf-8')
    words = [sys.executable, '-m', f'{PACKAGE}.nodes.{process.executable}', *process.arguments,
             '--ros-args', '-r', f'__node:={process.name}']
    if process.namespace:
        words += ['-r', f'__ns:=/{process.namespace.strip("/")}']
    for source, target in process.remappings:
        words += ['-r', f'{source}:={target}']
    for file in filter(None, [process.parameter_file, str(own)]):
        words += ['--params-file', file]
    return words
