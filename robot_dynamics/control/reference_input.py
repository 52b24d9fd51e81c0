"""
Where references come from: trajectories of all joints or of a part, and cmd_vel.

All of them end up with the follower as one trajectory of all joints.
"""

from __future__ import annotations

from typing import Callable, Optional, Sequence

import numpy as np

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.joint_state_input import JointStateInput
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.reference_follower import ReferenceFollower
from robot_dynamics.control.twist_reference import started, TwistReference
from robot_dynamics.control.watchdog import REFERENCE
from robot_dynamics.core.errors import InputError, RobotDynamicsError


class ReferenceInput:
    """
    Takes references and gives the follower what they make of the present motion.

    Attributes
    ----------
    is_moving : callable
        ``is_moving()`` tells whether the follower's motion is in force; otherwise a motion begins
        where the robot is measured.
    """

    def __init__(self, follower: ReferenceFollower, joints: JointStateInput,
                 twists: Optional[TwistReference], events: EventLog) -> None:
        self.is_moving: Callable[[], bool] = lambda: False
        self._follower = follower
        self._joints = joints
        self._twists = twists
        self._events = events

    def reset(self) -> None:
        """Forget every reference."""
        self._follower.clear()
        if self._twists is not None:
            self._twists.forget()

    def receive(self, trajectory: JointTrajectory, arrival_ns: int) -> None:
        """Follow a trajectory of all joints, or one of wheels or arm alone beside the other's."""
        twists, names = self._twists, self._follower.names
        if twists is None or _is_of_both(trajectory.names, names, twists.wheels):
            if twists is not None:
                twists.forget()
            self._follower.accept(trajectory, arrival_ns)
            return
        before = twists.arm, twists.rolling
        if set(trajectory.names) & set(twists.wheels):
            twists.rolling = started(trajectory, arrival_ns)
        else:
            twists.arm = started(trajectory, arrival_ns)
        if not self._follow(twists, arrival_ns):
            twists.arm, twists.rolling = before

    def receive_what(self, read: Callable[[], JointTrajectory], arrival_ns: int) -> None:
        """Follow what ``read()`` returns; what it raises gives an event."""
        try:
            trajectory = read()
        except (RobotDynamicsError, TypeError, ValueError) as error:
            self._refuse(f'the reference cannot be used: {error}', arrival_ns)
            return
        self.receive(trajectory, arrival_ns)

    def receive_twist(self, arrival_ns: int, forward: float, turning_rate: float,
                      left: float) -> None:
        """Drive with speeds [m/s] and a turning rate [rad/s], the arm as it was told."""
        if self._twists is None:
            self._refuse('cmd_vel cannot be used: the robot is on no wheels', arrival_ns)
            return
        try:
            self._twists.drive(forward, turning_rate, left)
        except InputError as error:
            self._refuse(f'cmd_vel cannot be used: {error}', arrival_ns)
            return
        self._follow(self._twists, arrival_ns)

    def _follow(self, twists: TwistReference, now_ns: int) -> bool:
        """Give the follower what the references of both parts make of the present motion."""
        joints, names = self._joints, self._follower.names
        if not joints.monitor.received:
            self._refuse('a reference for wheels or arm alone has come before any joint state, '
                         'so there is nothing to drive on from', now_ns)
            return False
        state = np.zeros((3, len(names)))
        if self.is_moving():
            self._follower.sample_into(now_ns, state)
        else:
            state[0] = joints.position[[joints.names.index(name) for name in names]]
        try:
            trajectory = twists.trajectory(names, state, now_ns)
        except InputError as error:
            self._refuse(f'the reference cannot be used: {error}', now_ns)
            return False
        self._follower.accept(trajectory, now_ns)
        return True

    def _refuse(self, text: str, now_ns: int) -> None:
        self._events.report(EventKind.REFERENCE_REFUSED, text, now_ns, 'warning', REFERENCE)


def _is_of_both(named: Sequence[str], commanded: Sequence[str], wheels: Sequence[str]) -> bool:
    """Whether a trajectory moves wheels and something else that is commanded."""
    return bool(set(named) & set(wheels)) and not (
        set(wheels) >= set(named) & set(commanded))
