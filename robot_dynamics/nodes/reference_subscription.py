"""
The reference from publishers of either durability.

A latched trajectory should reach a feedforward that starts later, so the subscription asks for
transient local; DDS then delivers nothing from a publisher that is volatile, which is what
planners, teleoperation and streams of set-points are by default.
"""

from __future__ import annotations

from typing import Any, Callable, List

from rclpy.lifecycle import LifecycleNode
from rclpy.qos import DurabilityPolicy, QoSPolicyKind, QoSProfile
from rclpy.subscription import Subscription
from trajectory_msgs.msg import JointTrajectory

try:
    from rclpy.event_handler import SubscriptionEventCallbacks
except ImportError:  # Humble
    from rclpy.qos_event import SubscriptionEventCallbacks

VOLATILE = QoSProfile(depth=1, durability=DurabilityPolicy.VOLATILE)


class ReferenceSubscription:
    """
    Listens to the topic ``reference``, and once a volatile publisher appears to that as well.

    Parameters
    ----------
    latched : callable
        ``latched(event_callbacks)`` returns the transient-local subscription.
    call : callable
        Takes the messages, serialized.
    serve, forget : callable
        Told of every further subscription that is to be served, and of all at the end.
    """

    def __init__(self, node: LifecycleNode,
                 latched: Callable[[SubscriptionEventCallbacks], Subscription[Any]],
                 call: Callable[[bytes], None], serve: Callable[[Subscription[Any]], None],
                 forget: Callable[[Subscription[Any]], None]) -> None:
        self._node, self._call, self._serve, self._forget = node, call, serve, forget
        self._made: List[Subscription[Any]] = [latched(SubscriptionEventCallbacks(
            incompatible_qos=self._on_incompatible, use_default_callbacks=False))]

    def close(self) -> None:
        """Stop listening."""
        for subscription in self._made:
            self._forget(subscription)
        self._made.clear()

    def _on_incompatible(self, info: Any) -> None:
        if info.last_policy_kind != QoSPolicyKind.DURABILITY:
            self._node.get_logger().warning(
                f'a publisher on reference is not heard: its {info.last_policy_kind.name.lower()} '
                'is not what qos_overrides./reference.subscription asks for')
        elif len(self._made) == 1:
            further = self._node.create_subscription(
                JointTrajectory, 'reference', self._call, VOLATILE, raw=True)
            self._made.append(further)
            self._serve(further)
