"""
A robot on wheels computed in two parts that know nothing of each other.

That is how it is often done, and what the coupled dynamics are held against: the platform drives
as if it carried no arm, the arm moves as if the platform stood.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.loads import ExternalWrenches
from robot_dynamics.dynamics.samples import AnyBase, gather
from robot_dynamics.dynamics.supports.platform_motion import platform_motion
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState

State = Tuple[FloatArray, FloatArray, FloatArray]  # q, qd, qdd


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


class UncoupledParts(InverseDynamics):
    """
    Platform and arm of a robot on wheels, each for itself.

    The platform carries no arm; the arm stands on a platform that does not drive, at the same
    pose on the same deck.  Torques are in the order of the whole robot.

    Parameters
    ----------
    whole : InverseDynamics
        What is taken apart.  All but :meth:`torque` and :meth:`terms` is of it; a payload and
        external wrenches do not count in these.

    Raises
    ------
    InputError
        If it is on no wheels.
    """

    def __init__(self, whole: InverseDynamics) -> None:
        support, model = whole.support, whole.model
        if not isinstance(support, RollingPlatform):
            raise InputError('whole', 'is no robot on wheels, so there are no two parts')
        self.__dict__.update(vars(whole))
        self._platform = support
        self._wheels = len(support.wheels)
        rotors = dict(zip(model.joint_names, whole.rotor_inertia.tolist()))

        def dynamics(coordinates: range, **on: Any) -> InverseDynamics:
            alone = part(model, coordinates)
            return InverseDynamics(alone, whole.method, whole.friction, {
                name: rotors[name] for name in alone.joint_names}, whole.backend, **on)

        self.platform = dynamics(range(self._wheels), support=support)
        self.arm = dynamics(range(self._wheels, model.nv))

    def torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: AnyBase = None,
               external_wrenches: Optional[ExternalWrenches] = None,
               out: Optional[FloatArray] = None) -> FloatArray:
        """Torques (nv,) or (T, nv); arguments as for the whole robot, with one pose."""
        wheels, arm, standing = self._split(q, qd, qdd, base)
        return np.concatenate([self.platform.torque(*wheels, base),
                               self.arm.torque(*arm, standing)], axis=-1, out=out)

    def terms(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: AnyBase = None) -> Terms:
        """Torques by cause."""
        wheels, arm, standing = self._split(q, qd, qdd, base)
        parts = self.platform.terms(*wheels, base), self.arm.terms(*arm, standing)
        return Terms(*(np.concatenate([getattr(one, name) for one in parts], axis=-1)
                       for name in Terms.names()))

    def warm_up(self, *kernels: str, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile both parts, and the kernels named of the whole robot."""
        super().warm_up(*kernels, progress=progress)
        self.platform.warm_up('torque', progress=progress)
        self.arm.warm_up('torque', progress=progress)

    def _split(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: AnyBase
               ) -> Tuple[State, State, Optional[BaseMotion]]:
        """Return the states of wheels and arm, and what the arm stands on."""
        samples = gather(('q', 'qd', 'qdd'), (q, qd, qdd), self._nv, base, self._still)
        standing = None
        if base is not None:
            pose = samples.base.reshape(-1, samples.base.shape[-1])[:, :3]
            if (pose != pose[0]).any():
                raise InputError('pose', 'must be one pose, (3,)')
            motion = base.motion if isinstance(base, BaseState) else base
            zero = np.zeros(self._wheels)
            standing = platform_motion(self._platform, BaseState(motion, pose[0]), zero, zero)
        q, qd, qdd = samples.arrays
        wheels, arm = ((q[..., keep], qd[..., keep], qdd[..., keep]) for keep in (
            slice(None, self._wheels), slice(self._wheels, None)))
        return wheels, arm, standing
