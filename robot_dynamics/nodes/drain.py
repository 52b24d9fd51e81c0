"""Drain a subscription: what has already arrived, without waiting for its turn."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Tuple

from rclpy.subscription import Subscription

LONGEST_BURST = 100  # messages taken at once, so that a flood cannot hold up the caller


def drain(subscription: Subscription[Any], most: int = LONGEST_BURST) -> Iterator[Any]:
    """
    Yield the messages waiting at a subscription, oldest first, at most so many.

    Call it in the thread that spins the executor.  The executor does not see these messages.
    """
    for message, _ in drain_with_info(subscription, most):
        yield message


def drain_with_info(subscription: Subscription[Any], most: int = LONGEST_BURST
                    ) -> Iterator[Tuple[Any, Mapping[str, Any]]]:
    """Yield each message with what the middleware knows of it: when it was sent, its number."""
    for _ in range(most):
        with subscription.handle:
            taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
        if taken is None:
            return
        yield taken
