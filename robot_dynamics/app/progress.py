"""One line on stderr that says what is going on, for work that takes longer than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Optional, TextIO, Type

PATIENCE = 2.0  # s; what ends sooner says nothing
TERMINAL_PERIOD = 0.2  # s between updates of the line in a terminal
LOG_PERIOD = 15.0  # s between lines where stderr is a file or a pipe


class Progress:
    """
    Show that a long piece of work is alive, and how far it is.

    In a terminal one line is rewritten and removed at the end; elsewhere a line is written every
    fifteen seconds.  A thread of its own keeps the seconds counting while the work is busy.

    Parameters
    ----------
    task : str
        What is being done, for example ``'compiling the dynamics of pa10'``.
    stream : file, optional
        Where to write; None means stderr.

    Examples
    --------
    >>> with Progress('replaying') as progress:
    ...     for i in range(1000):
    ...         progress('sample', i / 1000)
    """

    def __init__(self, task: str, stream: Optional[TextIO] = None) -> None:
        self._task = task
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._detail = ''
        self._fraction: Optional[float] = None
        self._begin = time.monotonic()
        self._shown_width = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._keep_showing, daemon=True)

    def __call__(self, detail: str = '', fraction: Optional[float] = None) -> None:
        """
        Say how far the work is.

        Parameters
        ----------
        detail : str
            The step being done.
        fraction : float, optional
            How much is done, 0 to 1; None where that is not known.
        """
        self._detail, self._fraction = detail, fraction

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        self._done.set()
        self._thread.join()
        if self._shown_width:
            self._stream.write('\r' + ' ' * self._shown_width + '\r')
            self._stream.flush()

    def line(self) -> str:
        """Return the line as it would be shown now."""
        parts = [self._task]
        if self._detail:
            parts.append(self._detail)
        if self._fraction is not None:
            parts.append(f'{100 * min(max(self._fraction, 0.0), 1.0):.0f} %')
        return f'{": ".join(parts)} ({time.monotonic() - self._begin:.0f} s)'

    def _keep_showing(self) -> None:
        wait = PATIENCE
        while not self._done.wait(wait):
            wait = TERMINAL_PERIOD if self._terminal else LOG_PERIOD
            line = self.line()
            if self._terminal:
                self._stream.write('\r' + line.ljust(self._shown_width))
                self._shown_width = len(line)
            else:
                self._stream.write(line + '\n')
            self._stream.flush()
