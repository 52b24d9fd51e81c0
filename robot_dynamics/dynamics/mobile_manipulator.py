"""
The coupled dynamics of an arm on a differential-drive platform, on ground that may move.

Source: paper 004, A methodology for the coupled dynamic model of a differential-drive mobile
manipulator; corrections are named where they are made.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError, InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.codegen.kernel import Kernel
from robot_dynamics.dynamics.deck_model import constant_vertical_inertia, wheels_first
from robot_dynamics.dynamics.differential_drive import DifferentialDrive, find_drive
from robot_dynamics.dynamics.ground_contact import ground_contact, GroundContact
from robot_dynamics.dynamics.inverse import RotorInertia
from robot_dynamics.dynamics.joint_losses import friction_law, joint_losses
from robot_dynamics.dynamics.loads import ExternalWrenches
from robot_dynamics.dynamics.mobile_formulation import MobileFormulation
from robot_dynamics.dynamics.mobile_loads import MobileLoads
from robot_dynamics.dynamics.mobile_samples import gather_mobile
from robot_dynamics.dynamics.platform_motion import deck_under_platform, platform_on_deck
from robot_dynamics.dynamics.samples import check_out, Samples
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion

VARIANTS = ('physical', 'paper')
GRAVITY = ('physical', 'printed')


class MobileManipulator:
    """
    Torques of wheels and arm for a motion of both, on level ground or on a moving deck.

    Parameters
    ----------
    model : RobotModel
        Platform with two driven wheels and any tree of joints on top; the base link is the
        platform.  Joints of casters must be held (``joints=`` of ``RobotModel.from_urdf``).
    left_wheel, right_wheel : str
        The wheels' joints.
    method : str
        'newton_euler' or 'lagrange_euler'; they agree to rounding.
    wheel_radius, track : float, optional
        Override what the description's geometry says [m].
    variant : str
        'physical', or 'paper' for the constant vertical inertia of eqs. 71 and 72.
    gravity : str
        'physical', or 'printed' for the sign of eqs. 76 and 77, with which gravity pushes up.
    friction, rotor_inertia, backend
        As for :class:`~robot_dynamics.dynamics.inverse.InverseDynamics`.

    Attributes
    ----------
    model : RobotModel
        With the coordinates in the order that holds everywhere here: right wheel, left wheel,
        then the others in the order of the description.
    drive : DifferentialDrive
        Geometry of the wheels.

    Notes
    -----
    ``q``, ``qd``, ``qdd`` have shape (nv,) or (T, nv); qd is the reduced velocity v of the paper.
    ``base`` is the motion of the deck at the origin of the deck frame, in its axes; None is level
    ground at rest.  ``pose`` (3,) or (T, 3) is x, y [m] and heading [rad] of the platform in the
    deck frame, taken at the ground below the middle of the axle; a deck that tilts or moves
    needs it.  For an IMU on the platform see :meth:`deck_motion`.
    """

    def __init__(self, model: RobotModel, left_wheel: str, right_wheel: str,
                 method: str = 'newton_euler', wheel_radius: Optional[float] = None,
                 track: Optional[float] = None, variant: str = 'physical',
                 gravity: str = 'physical', friction: bool = False,
                 rotor_inertia: RotorInertia = False, backend: str = 'numba') -> None:
        for name, value, known in (('variant', variant, VARIANTS), ('gravity', gravity, GRAVITY)):
            if value not in known:
                raise ConfigurationError(f'{name} {value!r} does not exist; choose one of '
                                         + ', '.join(known))
        self.drive: DifferentialDrive = find_drive(
            model, left_wheel, right_wheel, wheel_radius, track)
        ordered = wheels_first(model, self.drive)
        self.model = constant_vertical_inertia(ordered) if variant == 'paper' else ordered
        self.method = method
        self.variant = variant
        self.gravity = gravity
        self.friction = bool(friction)
        self.backend = backend
        self._formulation = MobileFormulation(
            self.model, self.drive, method, joint_losses(self.model, friction, rotor_inertia),
            1.0 if gravity == 'physical' else -1.0, backend)
        self._loads = MobileLoads(self._formulation)
        self._still = BaseMotion().packed
        self._origin = np.zeros(3)
        self._entry: Optional[Callable[..., float]] = None
        self._nv = self.model.nv

    @property
    def joint_names(self) -> Tuple[str, ...]:
        """Order of q: right wheel, left wheel, the others."""
        return self.model.joint_names

    # ------------------------------------------------------------------------------- torques

    def torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
               base: Optional[BaseMotion] = None, pose: Optional[ArrayLike] = None,
               external_wrenches: Optional[ExternalWrenches] = None,
               out: Optional[FloatArray] = None) -> FloatArray:
        """
        Torques of wheels and joints for a motion: M1 qdd + C1 qd + G1, and the deck's part.

        Parameters
        ----------
        q, qd, qdd, base, pose
            See the class.
        external_wrenches : mapping, optional
            By link name, as for an arm; in the frame 'base' axes are the deck's.
        out : ndarray, optional
            Where to write the result.

        Returns
        -------
        ndarray, (nv,) or (T, nv)
            In N m, N for prismatic joints.

        Raises
        ------
        InputError
            If an array has the wrong shape or a value that is not finite, or a moving deck
            comes without a pose.
        """
        entry = self._entry
        if entry is not None and external_wrenches is None and (
                pose is not None or base is None):
            result = np.empty(self._nv) if out is None else out
            try:
                if entry(q, qd, qdd, self._origin if pose is None else pose,
                         self._still if base is None else base.packed, result) == 0.0:
                    return result
            except (TypeError, AttributeError):
                pass
        samples, at = self._gather(q, qd, qdd, base, pose)
        shape = samples.empty(self._nv).shape
        tau = np.empty(shape) if out is None else check_out(out, shape)
        if self._loads.present or external_wrenches is not None:
            tau[...] = self._loads.torque(samples, at, external_wrenches)
            return tau
        kernel = self._formulation.torque
        samples.run(kernel, (*samples.arrays, at, samples.base), (tau,))
        if samples.number is None:
            self._entry = kernel.checking  # from now on the short way
        return tau

    def terms(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
              base: Optional[BaseMotion] = None, pose: Optional[ArrayLike] = None) -> Terms:
        """
        Torques by cause; their sum is :meth:`torque`.

        ``inertia`` is M1 qdd, ``coriolis`` C1 qd with the turning of the platform in it,
        ``gravity`` G1; the base's terms are those of the moving deck.
        """
        if base is not None and base.specific_force_only:
            raise InputError('base', 'is known only by its specific force, so gravity and base '
                                     'acceleration cannot be told apart; give an orientation')
        samples, at = self._gather(q, qd, qdd, base, pose)
        if self._loads.present:
            return self._loads.terms(samples, at)
        results = [samples.empty(self._nv) for _ in Terms.names()]
        samples.run(self._formulation.terms, (*samples.arrays, at, samples.base), results)
        return Terms(*results)

    def ground_contact(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                       base: Optional[BaseMotion] = None, pose: Optional[ArrayLike] = None
                       ) -> GroundContact:
        """
        Return forces at the wheels, loads under them and the margin against tipping.

        Lateral and longitudinal forces are those that keep A qd = 0: the multipliers of eq. 8.
        """
        return ground_contact(self.drive, self.ground_wrench(q, qd, qdd, base, pose))

    def ground_wrench(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                      base: Optional[BaseMotion] = None, pose: Optional[ArrayLike] = None
                      ) -> FloatArray:
        """
        Return the wrench of the ground on the robot, (6,) or (T, 6).

        Force [N] and moment [N m] about the ground below the middle of the axle, x forward.
        """
        samples, at = self._gather(q, qd, qdd, base, pose)
        if self._loads.present:
            return self._loads.ground_wrench(samples, at)
        wrench = samples.empty(6)
        samples.run(self._formulation.ground_wrench, (*samples.arrays, at, samples.base),
                    (wrench,))
        return wrench

    def friction_torque(self, qd: ArrayLike) -> FloatArray:
        """Friction of the model at a velocity, whether or not it is part of the torque."""
        samples, _ = gather_mobile(self._nv, ('qd',), (qd,), None, None, self._still)
        return friction_law(self.model).torque(samples.arrays[0])

    # ------------------------------------------------------------- matrices of the equations

    def mass_matrix(self, q: ArrayLike) -> FloatArray:
        """M1 = R^T M R, (nv, nv) or (T, nv, nv) [kg m^2], the same at every pose."""
        samples, _ = gather_mobile(self._nv, ('q',), (q,), None, None, self._still)
        if self._loads.present:
            return self._loads.mass_matrix(samples)
        flat = samples.empty(self._nv**2)
        samples.run(self._formulation.mass_matrix, samples.arrays, (flat,))
        return self._square(flat)

    def coriolis_matrix(self, q: ArrayLike, qd: ArrayLike) -> FloatArray:
        """
        C1 = R^T (M R' + C R), (nv, nv) or (T, nv, nv), with Christoffel symbols in C.

        C1 qd is the ``coriolis`` term, and M1' - 2 C1 is skew-symmetric.  A payload does not
        enter.
        """
        samples, _ = gather_mobile(self._nv, ('q', 'qd'), (q, qd), None, None, self._still)
        flat = samples.empty(self._nv**2)
        samples.run(self._formulation.coriolis_matrix, samples.arrays, (flat,))
        return np.swapaxes(self._square(flat), -1, -2)

    def gravity_torque(self, q: ArrayLike, base: Optional[BaseMotion] = None,
                       pose: Optional[ArrayLike] = None) -> FloatArray:
        """G1 = R^T G, (nv,) or (T, nv) [N m]."""
        zero = np.zeros(self._nv)
        return self.terms(q, zero, zero, base, pose).gravity

    def constraint_matrix(self, heading: float) -> FloatArray:
        """Return A, (3, 3 + nv): A times rates of (x, y, heading, right, left, ...) is zero."""
        return self._constraints(heading, np.zeros(self._nv))[0]

    def null_space(self, heading: float) -> FloatArray:
        """Return R, (3 + nv, nv): the rates of all coordinates are R qd, and A R = 0."""
        return self._constraints(heading, np.zeros(self._nv))[1]

    def null_space_rate(self, heading: float, qd: ArrayLike) -> FloatArray:
        """Time derivative of R along a motion, (3 + nv, nv) [1/s]."""
        samples, _ = gather_mobile(self._nv, ('qd',), (qd,), None, None, self._still)
        return self._constraints(heading, samples.arrays[0])[2]

    @property
    def actuation_matrix(self) -> FloatArray:
        """B1 = R^T B, (nv, nv): wheels and joints are actuated, so it is the identity."""
        return np.eye(self._nv)

    # ----------------------------------------------------------------------- forward dynamics

    def acceleration(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike,
                     base: Optional[BaseMotion] = None, pose: Optional[ArrayLike] = None
                     ) -> FloatArray:
        """
        Accelerations that torques cause, (nv,) or (T, nv) [rad/s^2 or m/s^2].

        Raises
        ------
        InputError
            Also if the mass matrix is singular.
        """
        samples, at = gather_mobile(self._nv, ('q', 'qd', 'tau'), (q, qd, tau), base, pose,
                                    self._still)
        if self._loads.present:
            return self._loads.acceleration(samples, at)
        result, rate = samples.empty(self._nv), samples.empty(3)
        samples.run(self._formulation.acceleration, (*samples.arrays, at, samples.base),
                    (result, rate))
        if not np.isfinite(result).all():
            raise InputError('q', 'the mass matrix is singular here: a joint moves no mass')
        return result

    def state_rate(self, pose: FloatArray, q: FloatArray, qd: FloatArray, tau: FloatArray,
                   base: BaseMotion) -> FloatArray:
        """
        Rates of pose, q and qd, (3 + 2 nv,), for integrators: no checks, NaN where it fails.

        Arguments as for :meth:`acceleration`, each of one sample and an array of float64.
        """
        rates = np.full(3 + 2 * self._nv, np.nan)
        rates[3:3 + self._nv] = qd
        kernel = self._formulation.acceleration
        result = (rates[3 + self._nv:], rates[:3])
        inputs = (q, qd, tau, pose, base.packed)
        if kernel.single(*inputs, *result) != 0.0:
            kernel.interpret_single(*inputs, *result)  # angles beyond the compiled range
        if self._loads.present:
            rates[3 + self._nv:] = self.acceleration(q, qd, tau, base, pose)
        return rates

    def pose_rate(self, qd: ArrayLike, heading: float) -> FloatArray:
        """Rates of x, y [m/s] and heading [rad/s] of the rolling platform, (3,)."""
        return np.asarray(self.null_space(heading)[:3] @ np.asarray(qd, float))

    # -------------------------------------------------------------------- IMU on the platform

    def deck_motion(self, platform: BaseMotion, qd: ArrayLike, qdd: ArrayLike) -> BaseMotion:
        """
        Motion of the deck from that of the platform, with what the wheels cause removed.

        Parameters
        ----------
        platform : BaseMotion
            Of the base link's frame (``BaseMotion.from_imu`` brings an IMU's readings there).
        qd, qdd : array_like, (nv,) or (T, nv)
            As the robot moved at that instant.

        Returns
        -------
        BaseMotion
            Of a deck frame in which the platform's pose is (0, 0, 0): hand both over.
        """
        samples, _ = gather_mobile(self._nv, ('qd', 'qdd'), (qd, qdd), platform, np.zeros(3),
                                   self._still)
        return deck_under_platform(self.drive, platform, *samples.arrays)

    def platform_motion(self, deck: BaseMotion, pose: ArrayLike, qd: ArrayLike, qdd: ArrayLike
                        ) -> BaseMotion:
        """Motion of the base link on a moving deck, which an IMU on it feels."""
        samples, at = gather_mobile(self._nv, ('qd', 'qdd'), (qd, qdd), deck, pose, self._still)
        if at.ndim == 2 and len(at) > 1:
            raise InputError('pose', 'must be one pose, (3,)')
        return platform_on_deck(self.drive, deck, at.reshape(-1, 3)[0], *samples.arrays)

    # ----------------------------------------------------------------- payload and compilation

    def set_payload(self, link: str, mass: float, com: ArrayLike = (0.0, 0.0, 0.0),
                    inertia: ArrayLike = ((0.0,) * 3,) * 3) -> None:
        """Attach a load to a link, in place of an earlier one; see ``InverseDynamics``."""
        self._entry = None
        self._loads.set_payload(link, mass, com, inertia)

    def clear_payload(self) -> None:
        """Remove the load; torques are exactly those from before."""
        self._loads.clear_payload()

    def warm_up(self, *kernels: str, progress: Optional[Callable[[str], Any]] = None) -> None:
        """
        Compile ahead of time.

        Parameters
        ----------
        kernels : str
            Out of torque, batch (torque of many samples), terms, mass_matrix, coriolis_matrix,
            ground_wrench, acceleration; torque if none is named.
        progress : callable, optional
            Told in words what is compiled.
        """
        known = ('torque', 'batch', 'terms', 'mass_matrix', 'coriolis_matrix', 'ground_wrench',
                 'acceleration')
        for name in kernels or ('torque',):
            if name not in known:
                raise InputError('kernels', f'{name!r} does not exist; choose from '
                                            + ', '.join(known))
            kernel: Kernel = getattr(self._formulation, 'torque' if name == 'batch' else name)
            if progress is not None:
                progress(f'compiling {kernel.what}')
            getattr(kernel, 'batch' if name == 'batch' else 'single')

    def kernel(self) -> Callable[..., float]:
        """
        Compiled function (x, tau) with x = [pose (3), q, qd, qdd, base (12)].

        Without the checks of :meth:`torque` and without payload; returns 0.0, or NaN where it
        did not compute.
        """
        return self._formulation.packed_torque.single

    # -------------------------------------------------------------------------------- parts

    def _gather(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: Optional[BaseMotion],
                pose: Optional[ArrayLike]) -> Tuple[Samples, FloatArray]:
        return gather_mobile(self._nv, ('q', 'qd', 'qdd'), (q, qd, qdd), base, pose, self._still)

    def _square(self, flat: FloatArray) -> FloatArray:
        return flat.reshape(*flat.shape[:-1], self._nv, self._nv)

    def _constraints(self, heading: float, qd: FloatArray) -> Tuple[FloatArray, ...]:
        n = self._nv
        shapes = (3, 3 + n), (3 + n, n), (3 + n, n)
        results = [np.empty(rows * columns) for rows, columns in shapes]
        pose = gather_mobile(n, ('qd',), (qd,), None, [0.0, 0.0, heading], self._still)[1]
        self._formulation.constraints.single(pose, qd, *results)
        return tuple(flat.reshape(columns, rows).T.copy()
                     for flat, (rows, columns) in zip(results, shapes))
