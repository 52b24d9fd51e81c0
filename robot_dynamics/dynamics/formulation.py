"""The traced kernels of one robot: from the equations to named inputs and outputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import casadi as ca
import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.dynamics.codegen.kernel import BACKENDS, Kernel
from robot_dynamics.dynamics.codegen.straight_line import Block
from robot_dynamics.dynamics.equations.forward import solve_symmetric
from robot_dynamics.dynamics.equations.joint_losses import (
    friction_torque, FrictionLaw, rotor_torque)
from robot_dynamics.dynamics.equations.kinematics import body_rotation, first_moment
from robot_dynamics.dynamics.equations.lagrange_euler import lagrange_euler
from robot_dynamics.dynamics.equations.newton_euler import newton_euler
from robot_dynamics.dynamics.equations.regrouping import regrouped
from robot_dynamics.dynamics.equations.rolling import christoffel_matrix
from robot_dynamics.dynamics.equations.tree import (
    BaseVectors, constant, Expression, Moments, symbolic_masses, Tree, tree_of)
from robot_dynamics.dynamics.supports.protocol import Support
from robot_dynamics.dynamics.supports.virtual_joints import spins_freely
from robot_dynamics.model.robot_model import RobotModel

TorqueEquation = Callable[[Tree, Expression, Expression, Expression, BaseVectors], Expression]

METHODS: Dict[str, TorqueEquation] = {
    'newton_euler': lambda tree, q, qd, qdd, base: newton_euler(tree, q, qd, qdd, base)[0],
    'lagrange_euler': lagrange_euler,
}

TERM_NAMES = ('inertia', 'coriolis', 'gravity', 'base_inertial', 'base_coriolis', 'friction',
              'rotor')


@dataclass(frozen=True)
class JointLosses:
    """Friction and reflected rotor inertia per coordinate; zeros where not asked for."""

    friction: FrictionLaw
    rotor: np.ndarray


class State(NamedTuple):
    """The inputs of a kernel as expressions."""

    q: Expression
    v: Expression
    vd: Expression
    pose: Expression
    base: BaseVectors


class PayloadKernels(NamedTuple):
    """What a load on one body adds: kernels with its ten parameters as last input."""

    torque: Kernel
    terms: Kernel
    base_wrench: Kernel
    mass_matrix: Kernel


class Formulation:
    """
    The kernels of one robot by one method, traced on first use.

    Parameters
    ----------
    model : RobotModel
        The robot; the wheels of its support come first.
    support : Support
        What it stands on.
    method : str
        A key of :data:`METHODS`.
    losses : JointLosses
        What the joints add.
    backend : str
        'numba' or 'interpreted'.

    Notes
    -----
    The input ``base`` of kernels is that of ``BaseState.packed``: the pose, if the support has
    one, then the 12 numbers of the motion.
    """

    def __init__(self, model: RobotModel, support: Support, method: str, losses: JointLosses,
                 backend: str) -> None:
        if method not in METHODS:
            raise ConfigurationError(f'method {method!r} does not exist; choose one of '
                                     + ', '.join(METHODS))
        if backend not in BACKENDS:
            raise ConfigurationError(f'backend {backend!r} does not exist; choose one of '
                                     + ', '.join(BACKENDS))
        self.model = model
        self.support = support
        self.standing = support.tree(model)
        self.method = method
        self.losses = losses
        self.backend = backend
        self._equation = METHODS[method]
        self._pose_size = support.pose_size
        self._angle_free = spins_freely(model, len(support.wheels))
        self._payloads: Dict[int, PayloadKernels] = {}
        self._externals: Dict[Any, Kernel] = {}

    @cached_property
    def tree(self) -> Tree:
        """The robot on its support with all its mass, for what the ground carries."""
        return tree_of(self.standing)

    @cached_property
    def minimal_tree(self) -> Tree:
        """The robot on its support with what its joints feel, for torques."""
        return tree_of(self.standing, regrouped(self.standing))

    @cached_property
    def torque(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> tau."""
        inputs, symbols = self._symbols()
        return self._kernel('torque', inputs, [Block('tau', self._torque(symbols))])

    @cached_property
    def packed_torque(self) -> Kernel:
        """Kernel (x) -> tau with x = [pose, q, qd, qdd, motion (12)]: one array to hand over."""
        n, pose_size = self.model.nv, self._pose_size
        x = ca.SX.sym('x', pose_size + 3 * n + 12)
        ends = [0, *(pose_size + k * n for k in range(4)), x.numel()]
        pose, q, v, vd, motion = ca.vertsplit(x, ends)
        tau = self._torque(State(q, v, vd, pose, BaseVectors.unpack(motion)))
        return Kernel(f'packed torque of {self.model.name}', [Block('x', x)],
                      [Block('tau', tau)], {'x': pose_size + n}, self.backend)

    @cached_property
    def terms(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> one torque per cause."""
        inputs, s = self._symbols()
        rigid = self._rigid_terms(s, self._rigid)
        outputs = [Block(name, ca.densify(value)) for name, value in zip(
            TERM_NAMES, (*rigid, *self._loss_terms(s.v, s.vd)))]
        return self._kernel('torque by cause', inputs, outputs)

    @cached_property
    def base_wrench(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> wrench on the ground; Newton-Euler for either method."""
        inputs, s = self._symbols()
        return self._kernel('base wrench', inputs, [
            Block('wrench', self._ground_wrench(self._frozen(s), self.tree))])

    @cached_property
    def mass_matrix(self) -> Kernel:
        """Kernel (q) -> M, flattened; the same at every pose."""
        inputs, s = self._symbols()
        return self._kernel('mass matrix', inputs[:1], [Block('M', ca.vec(self._mass(s.q)))])

    @cached_property
    def coriolis_matrix(self) -> Kernel:
        """Kernel (q, qd) -> C = R^T (M R' + C R), flattened: paper 004, eq. 11."""
        inputs, s = self._symbols()
        n, pose = self._pose_size + self.model.nv, ca.SX.sym('pose', self._pose_size)
        q, qd, qdd = (ca.SX.sym(name, n) for name in ('q_all', 'qd_all', 'qdd_all'))
        tau = self._equation(self.minimal_tree, q, ca.SX(n, 1), qdd, BaseVectors.only())
        M = ca.densify(ca.jacobian(tau, qdd))
        C = christoffel_matrix(M, q, qd)
        here = self._frozen(s._replace(pose=pose))
        all_q, all_qd, _ = self._unrolled(here)
        R = ca.densify(ca.jacobian(all_qd, s.v))
        rate = ca.reshape(ca.jtimes(ca.vec(R), pose, all_qd[:self._pose_size]), *R.shape)
        M, C = ca.substitute([M, C], [q, qd], [ca.densify(all_q), ca.densify(all_qd)])
        at_origin = ca.substitute(R.T @ (M @ rate + C @ R), pose, ca.SX.zeros(self._pose_size))
        return self._kernel('Coriolis matrix', inputs[:2], [
            Block('C', ca.vec(ca.densify(at_origin)))])

    @cached_property
    def acceleration(self) -> Kernel:
        """Kernel (q, qd, tau, base) -> qdd."""
        inputs, s = self._symbols()
        tau = ca.SX.sym('tau', self.model.nv)
        bias = self._torque(s._replace(vd=ca.SX(self.model.nv, 1)))
        return self._kernel(
            'forward dynamics', [inputs[0], inputs[1], Block('tau', tau), inputs[3]],
            [Block('qdd', solve_symmetric(self._mass(s.q), tau - bias))])

    @cached_property
    def energy(self) -> Kernel:
        """Kernel (q, qd, base) -> kinetic and potential energy, the base taken at rest."""
        inputs, s = self._symbols()
        kinetic = 0.5 * ca.dot(s.v, self._mass(s.q) @ s.v)
        potential = -ca.dot(s.base.g, first_moment(self.tree, self._unrolled(self._frozen(s))[0]))
        return self._kernel('energy', [inputs[0], inputs[1], inputs[3]], [
            Block('kinetic', ca.densify(kinetic)), Block('potential', ca.densify(potential))])

    @cached_property
    def regressor(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> derivative of torque by inertial parameters."""
        inputs, s = self._symbols()
        tree, parameters = symbolic_masses(self.tree)
        Y = ca.jacobian(self._rigid(s, tree), parameters[10 * massless_bodies(self.support):])
        return self._kernel('regressor', inputs, [Block('Y', ca.densify(ca.vec(Y.T)))])

    def payload(self, body: int) -> PayloadKernels:
        """
        Kernels (q[, qd, qdd, base], payload) of a load that weighs alone on one body.

        Torque is linear in a body's inertial parameters, so the load's share is the torque of
        a robot that weighs nothing elsewhere.  ``body`` is one of :attr:`standing`.
        """
        if body not in self._payloads:
            self._payloads[body] = self._trace_payload(body)
        return self._payloads[body]

    def external(self, body: int, R_BL: np.ndarray, p_BL: np.ndarray,
                 base_axes: bool) -> Kernel:
        """
        Kernel (q, base, force and moment) -> (tau, wrench on the ground) of a wrench on a link.

        Without ``base`` where the support has no pose.
        """
        key = (body, R_BL.tobytes(), p_BL.tobytes(), base_axes)
        if key not in self._externals:
            self._externals[key] = self._trace_external(body, R_BL, p_BL, base_axes)
        return self._externals[key]

    # -------------------------------------------------------------------------------- parts

    def _symbols(self) -> Tuple[List[Block], State]:
        n, pose_size = self.model.nv, self._pose_size
        q, v, vd = (ca.SX.sym(name, n) for name in ('q', 'qd', 'qdd'))
        packed = ca.SX.sym('base', pose_size + 12)
        blocks = [Block('q', q), Block('qd', v), Block('qdd', vd),
                  Block('base', packed, constant_rows=True)]
        return blocks, State(q, v, vd, packed[:pose_size], BaseVectors.unpack(packed[pose_size:]))

    def _kernel(self, what: str, inputs: Sequence[Block], outputs: Sequence[Block]) -> Kernel:
        name = f'{what} of {self.model.name} by {self.method}'
        angles = {'q': self.model.nv}
        if self._pose_size and any(block.name == 'base' for block in inputs):
            angles['base'] = self._pose_size
        return Kernel(name, inputs, outputs, angles, self.backend)

    def _loss_terms(self, qd: Expression, qdd: Expression) -> Tuple[Expression, Expression]:
        return (friction_torque(qd, self.losses.friction),
                rotor_torque(qdd, self.losses.rotor))

    def _frozen(self, s: State) -> State:
        """Set the angles of wheels to zero where they make no difference."""
        if not any(self._angle_free):
            return s
        q = ca.SX(s.q)
        for k, free in enumerate(self._angle_free):
            if free:
                q[k] = 0
        return s._replace(q=q)

    def _unrolled(self, s: State) -> Tuple[Expression, Expression, Expression]:
        return self.support.unroll(s.q, s.v, s.vd, s.pose)

    def _rigid(self, s: State, tree: Optional[Tree] = None) -> Expression:
        """R^T (M qdd + C qd + G) of paper 004, eq. 10, with the motion of the base in it."""
        if tree is None:
            tree, s = self.minimal_tree, self._frozen(s)
        return self.support.project(self._equation(tree, *self._unrolled(s), s.base), s.pose)

    def _torque(self, s: State) -> Expression:
        return self._rigid(s) + sum(self._loss_terms(s.v, s.vd))

    def _rigid_terms(self, s: State, rigid: Callable[[State], Expression]) -> List[Expression]:
        """
        D qdd, h, c, B_mi and B_mc qd of paper 003 eq. 19, by setting inputs to zero.

        B_mc qd is what is bilinear in the rates of joints and base: the torque with both, less
        that of each alone.
        """
        zero, only = ca.SX(self.model.nv, 1), BaseVectors.only
        at_rest, steady = s._replace(v=zero, vd=zero), s._replace(vd=zero)
        inertia = rigid(s._replace(v=zero, base=only()))
        coriolis = rigid(steady._replace(base=only()))
        gravity = rigid(at_rest._replace(base=only(g=s.base.g)))
        base_inertial = rigid(at_rest._replace(base=only(s.base.w, s.base.wd, s.base.a)))
        both = rigid(steady._replace(base=only(w=s.base.w)))
        turning = rigid(at_rest._replace(base=only(w=s.base.w)))
        return [inertia, coriolis, gravity, base_inertial, both - coriolis - turning]

    def _ground_wrench(self, s: State, tree: Tree) -> Expression:
        wrench = newton_euler(tree, *self._unrolled(s), s.base)[1]
        return self.support.own_axes(wrench, s.pose)

    def _mass(self, q: Expression, tree: Optional[Tree] = None) -> Expression:
        n = self.model.nv
        vd, zero = ca.SX.sym('qdd', n), ca.SX(n, 1)
        tau = self._rigid(State(q, zero, vd, ca.SX(self._pose_size, 1), BaseVectors.only()), tree)
        if tree is None:
            tau = tau + rotor_torque(vd, self.losses.rotor)
        return ca.densify(ca.jacobian(tau, vd)) if n else ca.SX(0, 0)

    def _weightless(self) -> Tree:
        return replace(self.tree, base=Moments.zero(), bodies=tuple(
            replace(body, moments=Moments.zero()) for body in self.tree.bodies))

    def _trace_payload(self, body: int) -> PayloadKernels:
        inputs, s = self._symbols()
        load = ca.SX.sym('payload', 10)  # mass, com (3), inertia xx xy xz yy yz zz about the com
        tensor = ca.vertcat(ca.horzcat(load[4], load[5], load[6]),
                            ca.horzcat(load[5], load[7], load[8]),
                            ca.horzcat(load[6], load[8], load[9]))
        tree = self._weightless()
        moments = Moments.of(load[0], load[1:4], tensor)
        if body < 0:
            tree = replace(tree, base=moments)
        else:
            bodies = list(tree.bodies)
            bodies[body] = replace(bodies[body], moments=moments)
            tree = replace(tree, bodies=tuple(bodies))
        inputs.append(Block('payload', load, constant_rows=True))
        terms = self._rigid_terms(s, lambda state: self._rigid(state, tree))
        return PayloadKernels(
            self._kernel('payload torque', inputs, [
                Block('tau', ca.densify(self._rigid(s, tree)))]),
            self._kernel('payload torque by cause', inputs, [
                Block(name, ca.densify(value)) for name, value in zip(TERM_NAMES, terms)]),
            self._kernel('payload base wrench', inputs, [
                Block('wrench', ca.densify(self._ground_wrench(s, tree)))]),
            self._kernel('payload mass matrix', [inputs[0], inputs[4]], [
                Block('M', ca.vec(self._mass(s.q, tree)))]))

    def _trace_external(self, body: int, R_BL: np.ndarray, p_BL: np.ndarray,
                        base_axes: bool) -> Kernel:
        inputs, s = self._symbols()
        zero = ca.SX(self.model.nv, 1)
        q, v, vd = self._unrolled(s._replace(v=zero, vd=zero))
        wrench = ca.SX.sym('external', 6)
        R = constant(R_BL)
        if base_axes:  # turn into body axes along the chain
            R = body_rotation(self.tree, q, body).T
        force, moment = R @ wrench[:3], R @ wrench[3:]
        moment = moment + ca.cross(constant(p_BL), force)
        tau, ground = newton_euler(self._weightless(), q, v, vd, BaseVectors.only(),
                                   {body: (force, moment)})
        place = [inputs[0], inputs[3]] if self._pose_size else inputs[:1]
        return self._kernel('external wrench', [
            *place, Block('external', wrench, constant_rows=True)], [
                Block('tau', ca.densify(self.support.project(tau, s.pose))),
                Block('wrench', ca.densify(self.support.own_axes(ground, s.pose)))])


def massless_bodies(support: Support) -> int:
    """Bodies of a support's tree before the one that carries the base link's mass."""
    return max(support.pose_size - 1, 0)
