"""
A mobile manipulator computed in two parts that know nothing of each other.

That is how it is often done, and what the coupled dynamics are held against: the platform drives
as if it carried no arm, the arm moves as if the platform stood.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.mobile_manipulator import MobileManipulator
from robot_dynamics.dynamics.mobile_samples import gather_mobile
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion

WHEELS = 2  # the first two coordinates


def part(model: RobotModel, coordinates: range) -> RobotModel:
    """
    Keep the bodies that some coordinates move, and the base link.

    Bodies that hang on others than these hang in the air and go, too.
    """
    kept: List[int] = []
    for k, body in enumerate(model.bodies):
        if body.coordinate in coordinates and (body.parent == BASE or body.parent in kept):
            kept.append(k)
    place = {BASE: BASE, **{old: new for new, old in enumerate(kept)}}
    bodies = tuple(replace(model.bodies[k], parent=place[model.bodies[k].parent],
                           coordinate=model.bodies[k].coordinate - coordinates.start)
                   for k in kept)
    frames = {name: replace(frame, body=place[frame.body])
              for name, frame in model.frames.items() if frame.body in place}
    return replace(model, bodies=bodies, frames=frames,
                   joints=tuple(model.joints[k] for k in coordinates),
                   rotor_inertia=np.array(model.rotor_inertia)[list(coordinates)])


class UncoupledParts:
    """
    Platform and arm of a mobile manipulator, each for itself.

    The platform carries no arm; the arm stands on a platform that does not drive, at the same
    pose on the same deck.  Torques are in the order of the whole robot.

    Parameters
    ----------
    robot : MobileManipulator
        What is taken apart.
    """

    def __init__(self, robot: MobileManipulator) -> None:
        model, drive = robot.model, robot.drive
        self.whole = robot
        self.platform = MobileManipulator(
            part(model, range(WHEELS)), drive.left, drive.right, robot.method, drive.radius,
            drive.track, backend=robot.backend)
        self.arm = InverseDynamics(part(model, range(WHEELS, model.nv)), robot.method,
                                   backend=robot.backend)
        self._still = BaseMotion().packed

    def torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
               base: Optional[BaseMotion] = None, pose: Optional[ArrayLike] = None
               ) -> FloatArray:
        """Torques (nv,) or (T, nv); arguments as for the whole robot, with one pose."""
        wheels, arm, standing, at = self._split(q, qd, qdd, base, pose)
        return np.concatenate([
            self.platform.torque(wheels[0], wheels[1], wheels[2], base, at),
            self.arm.torque(arm[0], arm[1], arm[2], standing)], axis=-1)

    def terms(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
              base: Optional[BaseMotion] = None, pose: Optional[ArrayLike] = None) -> Terms:
        """Torques by cause."""
        wheels, arm, standing, at = self._split(q, qd, qdd, base, pose)
        parts = (self.platform.terms(wheels[0], wheels[1], wheels[2], base, at),
                 self.arm.terms(arm[0], arm[1], arm[2], standing))
        return Terms(*(np.concatenate([getattr(one, name) for one in parts], axis=-1)
                       for name in Terms.names()))

    def warm_up(self, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile both."""
        self.platform.warm_up('torque', progress=progress)
        self.arm.warm_up('torque', progress=progress)

    def _split(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: Optional[BaseMotion],
               pose: Optional[ArrayLike]
               ) -> Tuple[List[FloatArray], List[FloatArray], Optional[BaseMotion],
                          Optional[FloatArray]]:
        """Return the states of wheels and arm, what the arm stands on, and the pose."""
        samples, at = gather_mobile(self.whole.model.nv, ('q', 'qd', 'qdd'), (q, qd, qdd), base,
                                    pose, self._still)
        standing = base
        if base is not None:
            zero = np.zeros(WHEELS)
            standing = self.platform.platform_motion(base, at.reshape(-1, 3)[0], zero, zero)
        wheels, arm = ([array[..., keep] for array in samples.arrays]
                       for keep in (slice(None, WHEELS), slice(WHEELS, None)))
        return wheels, arm, standing, None if pose is None else at
