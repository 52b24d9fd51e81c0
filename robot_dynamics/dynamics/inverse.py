"""Inverse dynamics: the joint torques of a motion of arm and base."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Set, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.codegen.kernel import Kernel
from robot_dynamics.dynamics.formulation import massless_bodies
from robot_dynamics.dynamics.formulations import formulation
from robot_dynamics.dynamics.joint_losses import checked_model, friction_law, joint_losses
from robot_dynamics.dynamics.loads import ExternalWrenches, Payload
from robot_dynamics.dynamics.samples import AnyBase, check_out, gather, Samples
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.protocol import checked_support, Support
from robot_dynamics.dynamics.supports.virtual_joints import wheels_first
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.dynamics.wrenches import add_wrenches
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion

RotorInertia = Union[bool, Mapping[str, float]]


class InverseDynamics:
    """
    Joint torques, their causes and the wrench on the deck, for a base that moves.

    Parameters
    ----------
    method : str
        'newton_euler' or 'lagrange_euler'; they agree to rounding on every motion.
    friction : bool
        Add viscous and Coulomb friction of the model's joints, smooth at zero speed.
    rotor_inertia : bool or mapping
        Add reflected rotor inertia: by default the model's own; False leaves it out, a mapping
        gives it per joint [kg m^2].
    backend : str
        'numba' compiles on first use (about a second, kept on disk); 'interpreted' starts at
        once and is some fifty times slower.
    support : Support
        What the robot stands on: by default bolted to its base; or a platform on wheels, such as
        ``DifferentialDrive.from_model(model, left, right)``.

    Attributes
    ----------
    model : RobotModel
        With the wheels of the support first, where it has any.

    Notes
    -----
    Everywhere ``q``, ``qd``, ``qdd`` have shape (nv,) or (T, nv) in the order of
    ``model.joint_names``, in rad (m), rad/s, rad/s^2.  ``base`` is a :class:`BaseMotion` for one
    sample or T, or None for a level base at rest; on wheels it is that of the deck, and a
    :class:`BaseState` gives the pose on it, which a deck that tilts or moves needs.  A NaN or a
    wrong shape raises :class:`InputError`.
    """

    def __init__(self, model: RobotModel, method: str = 'newton_euler', friction: bool = False,
                 rotor_inertia: RotorInertia = True, backend: str = 'numba',
                 support: Support = FixedMount()) -> None:
        self.support = checked_support(support)
        self.model = model = wheels_first(checked_model(model), support.wheels)
        self.method = method
        self.backend = backend
        self._losses = joint_losses(model, friction, rotor_inertia)
        self.friction = bool(friction)
        self._formulation = formulation(model, support, method, self._losses, backend)
        self._still = np.concatenate([np.zeros(support.pose_size), BaseMotion().packed])
        self._friction_law = friction_law(model)
        self._payload: Optional[Payload] = None
        self._prepared: Set[int] = set()
        self._entry: Optional[Callable[..., float]] = None
        self._nv = model.nv

    @property
    def rotor_inertia(self) -> FloatArray:
        """Reflected rotor inertia in use, (nv,) [kg m^2]."""
        return self._losses.rotor

    def torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
               base: AnyBase = None,
               external_wrenches: Optional[ExternalWrenches] = None,
               out: Optional[FloatArray] = None) -> FloatArray:
        """
        Joint torques for a motion.

        Parameters
        ----------
        q, qd, qdd, base
            See the class.
        external_wrenches : mapping, optional
            By link name: force [N] and moment [N m] of the environment on the link, (6,) or
            (T, 6), at the link's origin in its axes; :class:`ExternalWrench` for base axes,
            which on wheels are the deck's.
        out : ndarray, optional
            Where to write the result, (nv,) or (T, nv).

        Returns
        -------
        ndarray, (nv,) or (T, nv)
            Torques [N m], forces [N] of prismatic joints.

        Raises
        ------
        InputError
            If an array has the wrong shape or holds a value that is not finite.
        UnknownNameError
            If a wrench names a link that does not exist.
        """
        # The compiled entry checks lengths and finiteness itself and takes only float64
        # vectors: what it refuses takes the slow path, which finds out why.
        entry = self._entry
        if entry is not None and external_wrenches is None:
            result = np.empty(self._nv) if out is None else out
            try:
                if entry(q, qd, qdd, self._still if base is None else base.packed,
                         result) == 0.0:
                    return result
            except (TypeError, AttributeError):
                pass
        return self._checked_torque(q, qd, qdd, base, external_wrenches, out)

    def terms(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
              base: AnyBase = None) -> Terms:
        """
        Joint torques by cause; their sum is :meth:`torque`.

        Raises
        ------
        InputError
            Also if the base is known only by its specific force, which cannot be split into
            gravity and acceleration.
        """
        if base is not None and getattr(base, 'specific_force_only', False):
            raise InputError('base', 'is known only by its specific force, so gravity and base '
                                     'acceleration cannot be told apart; give an orientation')
        samples = self._gather(q, qd, qdd, base)
        results = [samples.empty(self._nv) for _ in Terms.names()]
        samples.run(self._formulation.terms, (*samples.arrays, samples.base), results)
        self._add_payload('terms', samples, (*samples.arrays, samples.base), results[:5])
        return Terms(*results)

    def base_wrench(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                    base: AnyBase = None,
                    external_wrenches: Optional[ExternalWrenches] = None) -> FloatArray:
        """
        Wrench of the robot on the deck, the root link's weight and inertia included.

        Returns
        -------
        ndarray, (6,) or (T, 6)
            Force [N], then moment [N m] about the base origin, in base axes; on wheels about
            the platform's frame O on the ground, in its axes.
        """
        samples = self._gather(q, qd, qdd, base)
        wrench = samples.empty(6)
        samples.run(self._formulation.base_wrench, (*samples.arrays, samples.base), (wrench,))
        self._add_payload('base_wrench', samples, (*samples.arrays, samples.base), (wrench,))
        if external_wrenches is not None:
            add_wrenches(self._formulation, samples, external_wrenches,
                         samples.zeros(self._nv), wrench)
        return wrench

    def mass_matrix(self, q: ArrayLike) -> FloatArray:
        """
        Joint-space mass matrix, (nv, nv) or (T, nv, nv) [kg m^2].

        Includes reflected rotor inertia and the payload; the same at every pose.
        """
        samples = gather(('q',), (q,), self._nv, None, self._still)
        flat = samples.empty(self._nv**2)
        samples.run(self._formulation.mass_matrix, samples.arrays, (flat,))
        self._add_payload('mass_matrix', samples, samples.arrays, (flat,))
        return flat.reshape(*flat.shape[:-1], self._nv, self._nv)

    def coriolis_matrix(self, q: ArrayLike, qd: ArrayLike) -> FloatArray:
        """
        Coriolis matrix C of Christoffel symbols, (nv, nv) or (T, nv, nv).

        C qd is the ``coriolis`` term, and dM/dt - 2 C is skew-symmetric; without payload.
        """
        samples = gather(('q', 'qd'), (q, qd), self._nv, None, self._still)
        flat = samples.empty(self._nv**2)
        samples.run(self._formulation.coriolis_matrix, samples.arrays, (flat,))
        return np.swapaxes(flat.reshape(*flat.shape[:-1], self._nv, self._nv), -1, -2)

    def energy(self, q: ArrayLike, qd: ArrayLike, base: AnyBase = None
               ) -> Tuple[FloatArray, FloatArray]:
        """
        Kinetic and potential energy of the robot on a base at rest.

        Parameters
        ----------
        q, qd
            See the class.
        base : BaseMotion or BaseState, optional
            Only its gravity counts, and the pose.

        Returns
        -------
        kinetic, potential : ndarray, () or (T,)
            In J; the potential is zero for a centre of mass at the height of the base origin.
            The payload is not included.
        """
        samples = gather(('q', 'qd'), (q, qd), self._nv, base, self._still)
        results = samples.empty(1), samples.empty(1)
        samples.run(self._formulation.energy, (*samples.arrays, samples.base), results)
        return results[0][..., 0], results[1][..., 0]

    def regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                  base: AnyBase = None) -> FloatArray:
        """
        Matrix Y with torque = Y p, for identification.

        Returns
        -------
        ndarray, (nv, 10 bodies) or (T, nv, 10 bodies)
            p is what ``inertial_parameters(model, support)`` returns; friction, rotor inertia
            and payload are not part of it.
        """
        samples = self._gather(q, qd, qdd, base)
        form = self._formulation
        width = 10 * (len(form.standing.bodies) - massless_bodies(self.support))
        flat = samples.empty(self._nv * width)
        samples.run(form.regressor, (*samples.arrays, samples.base), (flat,))
        return flat.reshape(*flat.shape[:-1], self._nv, width)

    def friction_torque(self, qd: ArrayLike) -> FloatArray:
        """Friction of the model at a velocity, whether or not :meth:`torque` includes it."""
        samples = gather(('qd',), (qd,), self._nv, None, self._still)
        return self._friction_law.torque(samples.arrays[0])

    def external_torque(self, q: ArrayLike, external_wrenches: ExternalWrenches,
                        base: AnyBase = None) -> FloatArray:
        """
        Return what external wrenches add to :meth:`torque`, (nv,) or (T, nv): -J^T of each.

        Parameters
        ----------
        q, external_wrenches, base
            As for :meth:`torque`; of the base only the pose counts.
        """
        samples = gather(('q',), (q,), self._nv, base, self._still)
        tau = samples.zeros(self._nv)
        add_wrenches(self._formulation, samples, external_wrenches, tau, samples.zeros(6))
        return tau

    def set_payload(self, link: str, mass: float, com: ArrayLike = (0.0, 0.0, 0.0),
                    inertia: ArrayLike = ((0.0,) * 3,) * 3) -> None:
        """
        Attach a load to a link, in place of an earlier one.

        Parameters
        ----------
        link : str
            Any link of the description, a merged one included.
        mass : float, kg
        com : array_like, (3,)
            Centre of mass in the link's frame [m].
        inertia : array_like, (3, 3)
            About the centre of mass, in the link's axes [kg m^2].

        Notes
        -----
        The first payload on a link compiles one kernel; after that values change freely.
        """
        payload = Payload.at_link(self._formulation.standing, link, mass, com, inertia)
        if payload.parameters[0] == 0.0:
            self.clear_payload()
            return
        self._payload = payload
        self._entry = self._single_entry()  # compiles now, not in the loop

    def prepare_payload(self, link: str, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile all that a payload on a link needs, so that setting one takes no time."""
        body = self._formulation.standing.frame(link).body
        if body in self._prepared:
            return
        if progress is not None:
            progress(f'compiling the equations of a payload on {link}')
        kernels = self._formulation.payload(body)
        for kernel in (kernels.torque, kernels.terms, kernels.base_wrench, kernels.mass_matrix):
            kernel.single
        self._prepared.add(body)

    def is_prepared_for(self, link: str) -> bool:
        """Tell whether :meth:`prepare_payload` was called for this link's body."""
        return self._formulation.standing.frame(link).body in self._prepared

    def clear_payload(self) -> None:
        """Remove the load; torques are exactly those from before."""
        self._payload = None
        self._entry = self._single_entry()

    def warm_up(self, *kernels: str, progress: Optional[Callable[[str], Any]] = None) -> None:
        """
        Compile ahead of time, so that the first call in a loop is as fast as the others.

        Parameters
        ----------
        kernels : str
            Any of 'torque' (the default), 'batch', 'terms', 'base_wrench', 'mass_matrix',
            'coriolis_matrix'.
        progress : callable, optional
            Told in words what is compiled next.
        """
        for name in kernels or ('torque',):
            kernel = self._formulation.torque if name == 'batch' else self._kernel(name)
            if progress is not None:
                progress(f'compiling {kernel.what}')
            if name == 'batch':
                kernel.batch
            else:
                kernel.single
        if 'torque' in (kernels or ('torque',)):
            self._entry = self._single_entry()

    def kernel(self) -> Callable[..., float]:
        """
        Return the compiled torque function for use inside another loop.

        Returns
        -------
        callable
            ``kernel(x, tau)`` with x = [q, qd, qdd, base.packed], (3 nv + 12,), and on wheels
            the pose before q, writes tau, (nv,), and returns 0.0, or NaN where x is not finite.
            Payload not included.
        """
        return self._formulation.packed_torque.single

    # -------------------------------------------------------------------------------- parts

    def _single_entry(self) -> Optional[Callable[..., float]]:
        """Return the torque of one sample, payload included, without checks around it."""
        entry = self._formulation.torque.checking
        if entry is None or self._payload is None:
            return entry
        parameters, nv = self._payload.parameters, self._nv
        load_entry = self._formulation.payload(self._payload.body).torque.single

        def loaded(q: Any, qd: Any, qdd: Any, base: Any, out: Any) -> float:
            check = entry(q, qd, qdd, base, out)
            if check == 0.0:
                load = np.empty(nv)
                load_entry(q, qd, qdd, base, parameters, load)
                out += load
            return check

        return loaded

    def _kernel(self, name: str) -> Kernel:
        known = ('torque', 'terms', 'base_wrench', 'mass_matrix', 'coriolis_matrix')
        if name not in known:
            raise InputError('kernels', f'{name!r} does not exist; choose from '
                                        + ', '.join(('batch', *known)))
        kernel: Kernel = getattr(self._formulation, name)
        return kernel

    def _gather(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                base: AnyBase) -> Samples:
        return gather(('q', 'qd', 'qdd'), (q, qd, qdd), self._nv, base, self._still)

    def _checked_torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                        base: AnyBase,
                        external_wrenches: Optional[ExternalWrenches],
                        out: Optional[FloatArray]) -> FloatArray:
        samples = self._gather(q, qd, qdd, base)
        shape = (self._nv,) if samples.number is None else (samples.number, self._nv)
        tau = np.empty(shape) if out is None else check_out(out, shape)
        kernel = self._formulation.torque
        samples.run(kernel, (*samples.arrays, samples.base), (tau,))
        self._add_payload('torque', samples, (*samples.arrays, samples.base), (tau,))
        if samples.number is None and self._entry is None:
            self._entry = self._single_entry()  # from now on the short way
        if external_wrenches is not None:
            add_wrenches(self._formulation, samples, external_wrenches, tau, samples.zeros(6))
        return tau

    def _add_payload(self, name: str, samples: Samples, inputs: Tuple[FloatArray, ...],
                     results: Sequence[FloatArray]) -> None:
        """Add the load's share to results, in place."""
        if self._payload is None:
            return
        kernel: Kernel = getattr(self._formulation.payload(self._payload.body), name)
        parameters = self._payload.parameters
        shares = [np.empty_like(result) for result in results]
        samples.run(kernel, (*inputs, parameters if samples.number is None else parameters[None]),
                    shares)
        for result, share in zip(results, shares):
            result += share
