"""The bookkeeping of lockstep: one question in flight, asked again when nobody answers."""

from __future__ import annotations

import time
from typing import Callable

from robot_dynamics.core.errors import ConfigurationError

RETRY_PERIOD = 0.2  # s of wall time
STARTING = 4.0  # times as long for the first answer: others compile meanwhile


class Handshake:
    """
    One stamped question at a time.

    Before the very first answer the other nodes are still starting, and the question is simply
    repeated; later a repetition means that a message was late or lost.

    Parameters
    ----------
    timeout : float
        Longest wait for an answer, s of wall time; four times that for the first.
    wall : callable
        Returns the wall time in s.
    """

    def __init__(self, timeout: float, wall: Callable[[], float] = time.monotonic) -> None:
        self._timeout = timeout
        self._wall = wall
        self._stamp_ns = -1
        self._first = self._last = 0.0
        self.started = False
        self.repetitions = 0

    def asked(self, stamp_ns: int) -> None:
        """Note that the question of this stamp has just been sent."""
        self._last = self._wall()
        if stamp_ns != self._stamp_ns:
            self._stamp_ns = stamp_ns
            self._first = self._last
        elif self.started:
            self.repetitions += 1

    def is_answer(self, stamp_ns: int) -> bool:
        """Tell whether an answer of this stamp is the awaited one; a second one is not."""
        if stamp_ns != self._stamp_ns:
            return False
        self.started = True
        return True

    def is_overdue(self) -> bool:
        """
        Tell whether the question should be sent again.

        Raises
        ------
        ConfigurationError
            If nobody has answered for too long.
        """
        now, longest = self._wall(), self._timeout * (1.0 if self.started else STARTING)
        if now - self._first > longest:
            raise ConfigurationError(
                f'lockstep: no command answered the joint state of t = {self._stamp_ns * 1e-9:.3f}'
                f' s within {longest:g} s; is a feedforward_node active, does it publish '
                'commands_stamped, and has it all of its inputs?')
        return now - self._last > RETRY_PERIOD
