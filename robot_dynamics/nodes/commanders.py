"""
Who passes commands on to the arm, among all that subscribe to them.

A recorder or ``ros2 topic echo`` hears commands as well, and moves nothing: what counts is
whether the controller, or the guard before it, is there, and whether it is the same as before.
A controller subscribes once it is configured, and drops what it hears until it is active: which
are, a controller manager tells on its topic ``activity``.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence

from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile

try:
    from controller_manager_msgs.msg import ControllerManagerActivity
except ImportError:  # comes with ros2_control, not with the wheels, and not in Humble
    ControllerManagerActivity = None

ACTIVITY = 'controller_manager/activity'
ABSENT = 'absent'
SAME = 'same'
NEW = 'new'  # somebody has come since the last look
# beginnings of the names of nodes that only look; those of the command line tools are hidden
LOOKING_ON = ('_', 'rosbag2', 'rqt', 'plotjuggler', 'foxglove', 'rosbridge')
LOOKS = 100  # without a change, after which those who do not count are asked for once more
SETTLED = 1000  # the same for those who count: one may have come as another went
UNKNOWN = '_NODE_NAME_UNKNOWN_'  # of rmw: the name comes a little later than the subscription


class Commanders:
    """
    The nodes that pass on what some publishers send.

    Parameters
    ----------
    node : Node
        Owner of the publishers.
    names : sequence of str
        Nodes that count, by name or by fully qualified name; empty: all but those that only
        look.
    """

    def __init__(self, node: Node, publishers: Sequence[Publisher[Any]],
                 names: Sequence[str] = ()) -> None:
        self._infos = node.get_subscriptions_info_by_topic
        self._publishers = tuple(publishers)
        self._names = frozenset(names)
        self._inactive: frozenset[str] = frozenset()
        self._counts: tuple[int, ...] = ()
        self._idle_looks = 0
        self._endpoints: frozenset[bytes] = frozenset()

    def listen(self, subscribe: Callable[..., object]) -> None:
        """Hear which controllers are active; ``subscribe(type, topic, call, qos)``."""
        if ControllerManagerActivity is not None:
            subscribe(ControllerManagerActivity, ACTIVITY, self.on_activity,
                      QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))

    def on_activity(self, message: Any) -> None:
        """Leave controllers out that are there, but not active."""
        self._inactive = frozenset(
            controller.name for controller in message.controllers
            if controller.state.label != 'active')
        self._counts = ()  # look again

    def look(self) -> str:
        """Return whether they are absent, the same as at the last look, or new among them."""
        counts = tuple(publisher.get_subscription_count() for publisher in self._publishers)
        if counts == self._counts:
            self._idle_looks += 1
            if self._idle_looks < (SETTLED if self._endpoints else LOOKS) or not any(counts):
                return SAME if self._endpoints else ABSENT
        self._idle_looks = 0
        infos = [self._infos(publisher.topic_name) if count else []
                 for publisher, count in zip(self._publishers, counts)]
        known = [info.node_name != UNKNOWN for of_topic in infos for info in of_topic]
        if all(known) and all(len(of_topic) >= count for of_topic, count in zip(infos, counts)):
            self._counts = counts  # otherwise look again: not all is known yet
        before, self._endpoints = self._endpoints, frozenset(
            bytes(info.endpoint_gid) for of_topic in infos for info in of_topic
            if self._commands(info))
        if not self._endpoints:
            return ABSENT
        return NEW if self._endpoints - before else SAME

    def _commands(self, info: Any) -> bool:
        name = info.node_name
        if name in self._inactive:
            return False
        if self._names:
            full = f'{info.node_namespace.rstrip("/")}/{name}'
            return name in self._names or full in self._names
        return name != UNKNOWN and not name.startswith(LOOKING_ON)
