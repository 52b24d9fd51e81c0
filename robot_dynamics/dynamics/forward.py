"""Forward dynamics: the joint accelerations that torques cause on a moving base."""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.formulations import formulation
from robot_dynamics.dynamics.inverse import RotorInertia
from robot_dynamics.dynamics.joint_losses import checked_model, joint_losses
from robot_dynamics.dynamics.loads import ExternalWrenches
from robot_dynamics.dynamics.samples import AnyBase, check_out, gather
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.protocol import checked_support, Support
from robot_dynamics.dynamics.supports.virtual_joints import wheels_first
from robot_dynamics.dynamics.wrenches import add_wrenches
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion


class ForwardDynamics:
    """
    Joint accelerations for given torques.

    Parameters
    ----------
    model, method, friction, rotor_inertia, backend, support
        As for :class:`~robot_dynamics.dynamics.inverse.InverseDynamics`.

    Notes
    -----
    A joint that moves nothing with inertia raises :class:`ModelError` at construction.

    ``acceleration(q, qd, inverse.torque(q, qd, qdd, base), base)`` is qdd.
    """

    def __init__(self, model: RobotModel, method: str = 'newton_euler', friction: bool = False,
                 rotor_inertia: RotorInertia = True, backend: str = 'numba',
                 support: Support = FixedMount()) -> None:
        self.support = checked_support(support)
        self.model = model = wheels_first(checked_model(model), support.wheels)
        self.backend = backend
        losses = joint_losses(model, friction, rotor_inertia)
        if not support.pose_size:  # wheels without inertia move that of the platform
            model.check_determined(losses.rotor)
        self._formulation = formulation(model, support, method, losses, backend)
        self._still = np.concatenate([np.zeros(support.pose_size), BaseMotion().packed])
        self._entry: Optional[Callable[..., float]] = None

    def acceleration(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike,
                     base: AnyBase = None,
                     external_wrenches: Optional[ExternalWrenches] = None,
                     out: Optional[FloatArray] = None) -> FloatArray:
        """
        Joint accelerations for a state and torques.

        Parameters
        ----------
        q, qd, tau : array_like, (nv,) or (T, nv)
            Positions [rad or m], velocities, torques [N m or N].
        base : BaseMotion or BaseState, optional
            Motion of the base, and on wheels the pose; None is level and still.
        external_wrenches : mapping, optional
            Forces and moments on links, as for ``InverseDynamics.torque``.
        out : ndarray, optional
            Where to write the result.

        Returns
        -------
        ndarray, (nv,) or (T, nv)
            In rad/s^2 or m/s^2.

        Raises
        ------
        InputError
            If an array has the wrong shape or a value that is not finite, or the mass matrix
            is singular there.
        """
        entry = self._entry
        if entry is not None and external_wrenches is None:
            result = np.empty(self.model.nv) if out is None else out
            try:
                if entry(q, qd, tau, self._still if base is None else base.packed,
                         result) == 0.0:
                    return result
            except (TypeError, AttributeError):
                pass
        nv = self.model.nv
        samples = gather(('q', 'qd', 'tau'), (q, qd, tau), nv, base, self._still)
        shape = (nv,) if samples.number is None else (samples.number, nv)
        result = np.empty(shape) if out is None else check_out(out, shape)
        q, qd, tau = samples.arrays
        if external_wrenches is not None:
            share, deck = samples.zeros(nv), samples.zeros(6)
            add_wrenches(self._formulation, samples, external_wrenches, share, deck)
            tau = tau - share
        kernel = self._formulation.acceleration
        samples.run(kernel, (q, qd, tau, samples.base), (result,))
        if not np.isfinite(result).all():
            raise InputError('q', 'the mass matrix is singular here: a joint moves no mass; '
                                  'give its links mass or the joint rotor inertia')
        if samples.number is None:
            self._entry = kernel.checking
        return result

    def warm_up(self, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile ahead of time; ``progress`` is told in words what is compiled."""
        kernel = self._formulation.acceleration
        if progress is not None:
            progress(f'compiling {kernel.what}')
        self._entry = kernel.checking
