"""
A loop that serves a few subscriptions directly, and everything else from time to time.

rclpy's executor builds a new wait set from every service, timer and event handler of a node for
each message that it delivers: some 0.3 ms at 1 kHz.  Here only the subscriptions that carry the
fast stream are waited for; the executor has its turn twenty times a second, for services,
parameters and what is not in a hurry.
"""

from __future__ import annotations

import dataclasses
import time
from typing import Any, Callable, List, Optional

from rclpy.context import Context
from rclpy.executors import Executor
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.subscription import Subscription

from robot_dynamics.nodes.drain import drain

SLOW_PERIOD = 0.05  # s between turns of the executor


@dataclasses.dataclass
class Periodic:
    """Something to call regularly, by the steady clock."""

    period: float  #: In s
    call: Callable[[], Any]
    enabled: bool = True  #: May be set at any time
    due: float = 0.0  #: Steady time of the next call, s


class FastLoop:
    """
    Waits for chosen subscriptions, calls what is due, and lets an executor do the rest.

    Subscriptions are served in the order in which they were given; each keeps the callback that
    it was created with.

    Parameters
    ----------
    slow_period : float
        Time between turns of the executor, s.
    """

    def __init__(self, context: Context, slow_period: float = SLOW_PERIOD) -> None:
        self._context = context
        self._subscriptions: List[Subscription[Any]] = []
        self._periodic: List[Periodic] = []
        self._wait_set: Optional[Any] = None
        self._slow_period = slow_period
        self._slow_due = 0.0

    def listen(self, subscription: Subscription[Any]) -> None:
        """Serve this subscription directly."""
        self._subscriptions.append(subscription)
        self._wait_set = None

    def listen_to_clock(self, node: Node) -> None:
        """Serve the subscription that rclpy makes with use_sim_time directly, too."""
        for subscription in node.subscriptions:
            if subscription.topic_name == '/clock':
                self.listen(subscription)

    def forget(self, subscription: Subscription[Any]) -> None:
        """Serve this subscription no longer."""
        self._subscriptions.remove(subscription)
        self._wait_set = None

    def every(self, period: float, call: Callable[[], Any], enabled: bool = True) -> Periodic:
        """Call something every ``period`` seconds; calls that were missed are left out."""
        periodic = Periodic(period, call, enabled, time.monotonic() + period)
        self._periodic.append(periodic)
        return periodic

    def clear(self) -> None:
        """Forget subscriptions and calls."""
        self._subscriptions.clear()
        self._periodic.clear()
        self._wait_set = None

    def spin_once(self, executor: Executor) -> None:
        """Wait for the next message or instant, and serve what is there."""
        self.serve(self._slow_due - time.monotonic())
        now = time.monotonic()
        if now >= self._slow_due:
            self._slow_due = now + self._slow_period
            executor.spin_once(timeout_sec=0)

    def serve(self, longest: float) -> None:
        """Do so for the fast subscriptions and calls only, waiting at most so many seconds."""
        end = time.monotonic() + longest
        due = [periodic.due for periodic in self._periodic if periodic.enabled]
        for subscription in self._wait(min([end, *due]) - time.monotonic()):
            for message in drain(subscription, 1):  # if there are more, the next wait is short
                subscription.callback(message)  # type: ignore[call-arg]
        now = time.monotonic()
        for periodic in tuple(self._periodic):
            if periodic.enabled and now >= periodic.due:
                late = (now - periodic.due) // periodic.period
                periodic.due += (1.0 + late) * periodic.period
                periodic.call()

    def _wait(self, longest: float) -> List[Subscription[Any]]:
        """Return the subscriptions with a message, after at most ``longest`` seconds."""
        if not self._subscriptions:
            time.sleep(max(0.0, longest))
            return []
        if self._wait_set is None:
            assert self._context.handle is not None
            self._wait_set = rclpy_implementation.WaitSet(
                len(self._subscriptions), 0, 0, 0, 0, 0,
                self._context.handle)  # type: ignore[arg-type]
        self._wait_set.clear_entities()
        for subscription in self._subscriptions:
            self._wait_set.add_subscription(subscription.handle)
        self._wait_set.wait(max(0, int(1e9 * longest)))
        ready = self._wait_set.get_ready_entities('subscription')
        if not ready:
            return []
        return [subscription for subscription in self._subscriptions
                if subscription.handle.pointer in ready]
