"""
The main loop of every node's process: start, spin, and an orderly end.

rclpy's own signal handlers invalidate the context before a node can say its last word.  Here
SIGINT and SIGTERM only end the spinning; after it the node may still publish (a ramp to zero).
While a node is starting there is nothing to end in order, and a signal ends the process at once;
so does one that comes a second and more after the first.  Within that second it counts once: a
terminal and launch both send it to a node.
"""

from __future__ import annotations

from contextlib import suppress
import os
import signal
import socket
import sys
import threading
import time
from typing import Any, Callable, List, Optional, Protocol, runtime_checkable, Tuple

import rclpy
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.parent import end_with_parent
from robot_dynamics.nodes.unknown_parameters import (
    unknown_before_the_start, unknown_parameters)

LEAVING = 5  # s, longest time to leave the graph
DELIVERY = 0.5  # s, longest wait for the last messages to arrive
PATIENCE = 5.0  # s, for a middleware that fails again and again
_QUIET = 1.0    # s without a failure: the next one is another story
GRACE = 1.0     # s in which a repeated signal is the same one


class EndOfRun(Exception):
    """Raised in a callback: the node has done what it was started for."""


@runtime_checkable
class Finishing(Protocol):
    """A node that has a last word to say when its process ends."""

    def finish(self) -> None:
        """Say it; the context is still valid.  It may take up to four and a half seconds."""


class Stop(Protocol):
    """Tells a node's loop to end."""

    is_set: bool
    on_set: Callable[[], Any]  # assigned by the loop: wakes it
    is_starting: Callable[[], bool]  # likewise: whether there is nothing yet to end in order


class _Patience:
    """
    Lets a node live on when the middleware fails for a moment.

    On an overloaded machine, or just after a peer was killed, a message cannot be published now
    and then; the next one can.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._first = self._last = -_QUIET

    def bear(self, error: Exception) -> None:
        """Warn, or raise the error if it has gone on for too long."""
        now = time.monotonic()
        if now - self._last > _QUIET:
            self._first = now
        self._last = now
        if now - self._first > PATIENCE:
            raise error
        self._node.get_logger().warning(
            f'the middleware failed, going on: {error}', throttle_duration_sec=1.0)


class _StopSignal:
    """
    SIGINT and SIGTERM as an event, seen at once even while the main thread waits in C.

    Attributes
    ----------
    is_set : bool
    on_set : callable
        Called by another thread.
    is_starting : callable
        Tells whether a signal ends the process at once.
    """

    def __init__(self) -> None:
        self.is_set = False
        self.on_set: Callable[[], Any] = lambda: None
        self.is_starting: Callable[[], bool] = lambda: True
        self._first, self._repeated = 0.0, False
        receiver, sender = socket.socketpair()
        sender.setblocking(False)
        signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        self._sockets = (receiver, sender)  # closed, they would no longer receive
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        threading.Thread(target=self._listen, args=(receiver,), daemon=True).start()

    def _listen(self, receiver: socket.socket) -> None:
        while True:
            number = receiver.recv(1)[0]
            if number not in (signal.SIGINT, signal.SIGTERM):
                continue
            if self.is_starting():
                os._exit(0)
            if self.is_set:
                # a busy launch passes on late the Ctrl-C that the terminal has sent already
                another = self._repeated or number != signal.SIGINT
                if another and time.monotonic() - self._first >= GRACE:
                    os._exit(128 + number)
                self._repeated = True
                continue
            self._first, self.is_set = time.monotonic(), True
            self.on_set()


def run(name: str, build: Callable[[], Node], arguments: Optional[List[str]] = None) -> int:
    """
    Run one node until it is told to stop.

    Parameters
    ----------
    name : str
        Name for the log while there is no node yet.
    build : callable
        Makes the node; called after rclpy is initialised.  If it has an attribute
        ``fast_loop`` (:class:`~robot_dynamics.nodes.fast_loop.FastLoop`), that one spins; while
        its attribute ``is_starting`` is true, a signal ends the process at once.  A class lists
        in ``PARAMETERS`` the configuration classes that its parameters come from.
    arguments : list of str, optional
        Command line, by default that of the process.

    Returns
    -------
    int
        Exit code: 0 after an orderly end, 2 if the configuration is wrong.
    """
    stop = _StopSignal()
    end_with_parent()
    return serve(name, build, arguments if arguments is not None else sys.argv, stop,
                 _bound_the_rest)


def serve(name: str, build: Callable[[], Node], arguments: List[str], stop: Stop,
          on_leaving: Callable[[], None]) -> int:
    """
    Do as :func:`run`, in the default context of rclpy and in any thread.

    Parameters
    ----------
    name, build, arguments
        As for :func:`run`.
    stop : Stop
        Tells when to end.
    on_leaving : callable
        Called when all is said, before the node leaves the graph.

    Returns
    -------
    int
        Exit code, as that of :func:`run`.
    """
    try:
        rclpy.init(args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    except RuntimeError as error:  # a --ros-args that is wrong, a file that cannot be read
        get_logger(name).fatal(f'cannot start with these arguments: {error}')
        return 2
    try:
        node = build()
    except RobotDynamicsError as error:
        get_logger(name).fatal(str(error))
        _warn_of(unknown_before_the_start(name, getattr(build, 'PARAMETERS', ())), name)
        rclpy.try_shutdown()
        return 2
    _warn_of(unknown_parameters(node), name)
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    stop.is_starting = lambda: bool(getattr(node, 'is_starting', False))
    stop.on_set = lambda: executor.create_task(lambda: None)  # wakes the executor
    code = 0
    try:
        loop, patience = getattr(node, 'fast_loop', None), _Patience(node)
        while not stop.is_set:
            try:
                if loop is not None:
                    loop.spin_once(executor)
                else:
                    executor.spin_once()
            except rclpy_implementation.RCLError as error:
                patience.bear(error)
    except EndOfRun:
        pass
    except RobotDynamicsError as error:
        node.get_logger().fatal(str(error))
        code = 2
    finally:  # after a defect too, whose traceback then ends the process with 1
        _finish(node, executor, on_leaving)
    return code


def _warn_of(unknown: List[Tuple[str, str]], name: str) -> None:
    for given, meant in unknown:
        get_logger(name).warning(
            f'there is no parameter {given}, so it has no effect; {meant} is meant?')


def _finish(node: Node, executor: SingleThreadedExecutor,
            on_leaving: Callable[[], None]) -> None:
    """Let the node end in its own way, then leave the graph, also where its way fails."""
    try:
        if isinstance(node, Finishing):
            node.finish()
    finally:
        _deliver(node)
        on_leaving()
        executor.shutdown()
        node.destroy_node()
        rclpy.try_shutdown(context=node.context)


def _deliver(node: Node) -> None:
    """Wait until what was said last has arrived: a controller holds what it heard last."""
    end = time.monotonic() + DELIVERY
    for publisher in node.publishers:
        left = max(0.0, end - time.monotonic())
        with suppress(rclpy_implementation.RCLError):
            publisher.wait_for_all_acked(Duration(seconds=left))


def _bound_the_rest() -> None:
    """
    Leave it to the kernel to end the process, should leaving the graph not succeed.

    Fast DDS has been seen to spin for ever in there, with Python's lock held: no handler and no
    thread of Python would run any more.  All that matters is said by now.  SIGINT does nothing
    more: launch may send the one that a terminal has sent already.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.alarm(LEAVING)
