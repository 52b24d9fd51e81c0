"""
A mobile manipulator behind the interface of an arm, so that feedforward and simulation take it.

What an arm does not have is a pose on the deck: whoever calls sets :attr:`MobileDynamics.pose`
before.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState


class MobileDynamics:
    """
    Inverse dynamics of a mobile manipulator at the pose that was set last.

    Parameters
    ----------
    robot : InverseDynamics
        Of a robot on a differential drive, without friction.
    coupled : bool
        False: the torque is that of platform and arm computed separately.  Mass matrix, payload
        and ground wrench stay those of the whole robot.

    Attributes
    ----------
    pose : (3,) array or None
        x, y [m], heading [rad] on the deck; None where it is not known.
    height : float
        Of the point that the base motion is given at, above the ground, m.
    lost : str
        Why there is no pose, for the error.
    """

    def __init__(self, robot: Any, coupled: bool = True) -> None:
        from robot_dynamics.dynamics.uncoupled import UncoupledParts
        self.robot = robot
        self.model = robot.model
        self.method = robot.method
        self.friction = robot.friction
        self.pose: Optional[FloatArray] = None
        self.height = 0.0
        self.lost = 'no pose has been received'
        self._torques: Any = robot if coupled else UncoupledParts(robot)
        self._last_pose: Optional[FloatArray] = None

    def torque(self, q: Any, qd: Any, qdd: Any, base: Optional[BaseMotion] = None,
               external_wrenches: Any = None, out: Optional[FloatArray] = None) -> FloatArray:
        """
        Torque at the pose, (nv,).

        Raises
        ------
        InputError
            If the deck moves and the pose is lost.  A deck that only tilts is answered for the
            last pose: that is what holds the robot when the pose is lost.
        """
        tau: FloatArray = self._torques.torque(q, qd, qdd, self._placed(base))
        if out is None:
            return tau
        out[:] = tau
        return out

    def terms(self, q: Any, qd: Any, qdd: Any, base: Optional[BaseMotion] = None) -> Any:
        """Torque by cause at the pose."""
        return self._torques.terms(q, qd, qdd, self._placed(base))

    def base_wrench(self, q: Any, qd: Any, qdd: Any, base: Optional[BaseMotion] = None,
                    external_wrenches: Any = None) -> FloatArray:
        """Wrench of the robot on the ground below the middle of the axle, x forward, (6,)."""
        wrench: FloatArray = self.robot.base_wrench(q, qd, qdd, self._placed(base))
        return wrench

    def mass_matrix(self, q: Any) -> FloatArray:
        """Return M1, (nv, nv)."""
        matrix: FloatArray = self.robot.mass_matrix(q)
        return matrix

    def friction_torque(self, qd: Any) -> FloatArray:
        """Friction of the model, (nv,)."""
        torque: FloatArray = self.robot.friction_torque(qd)
        return torque

    def external_torque(self, q: Any, external_wrenches: Any) -> FloatArray:
        """Add nothing yet."""
        return np.zeros(self.model.nv)

    def set_payload(self, *load: Any) -> None:
        """Attach a load to a link."""
        self.robot.set_payload(*load)

    def clear_payload(self) -> None:
        """Remove the load."""
        self.robot.clear_payload()

    def warm_up(self, progress: Any = None) -> None:
        """Compile all that a feedforward uses."""
        self.robot.warm_up('torque', 'mass_matrix', 'terms', 'base_wrench', progress=progress)
        if self._torques is not self.robot:
            self._torques.warm_up(progress=progress)

    def _placed(self, base: Optional[BaseMotion]) -> Optional[BaseState]:
        """Bring the base motion to the ground, and find the pose that goes with it."""
        if self.pose is not None:
            self._last_pose = self.pose
        if base is None or _is_level(base):
            return None if base is None else BaseState(base, self.pose)
        pose = self.pose
        if pose is None:
            if base.packed[:9].any():
                raise InputError('pose', f'{self.lost}, but the deck moves and the torques '
                                         'depend on where the platform stands')
            pose = np.zeros(3) if self._last_pose is None else self._last_pose
        if self.height:
            base = base.transformed(np.eye(3), (0.0, 0.0, -self.height))
        return BaseState(base, pose)


def _is_level(base: BaseMotion) -> bool:
    packed = base.packed
    return not (packed[:8].any() or packed[9:11].any())
