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
from robot_dynamics.dynamics.equations.tree import (
    BaseVectors, constant, Expression, Moments, symbolic_masses, Tree, tree_of)
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
        The robot.
    method : str
        A key of :data:`METHODS`.
    losses : JointLosses
        What the joints add.
    backend : str
        'numba' or 'interpreted'.
    """

    def __init__(self, model: RobotModel, method: str, losses: JointLosses,
                 backend: str) -> None:
        if method not in METHODS:
            raise ConfigurationError(f'method {method!r} does not exist; choose one of '
                                     + ', '.join(METHODS))
        if backend not in BACKENDS:
            raise ConfigurationError(f'backend {backend!r} does not exist; choose one of '
                                     + ', '.join(BACKENDS))
        self.model = model
        self.method = method
        self.losses = losses
        self.backend = backend
        self._equation = METHODS[method]
        self._payloads: Dict[int, PayloadKernels] = {}
        self._externals: Dict[Any, Kernel] = {}

    @cached_property
    def tree(self) -> Tree:
        """The robot with all its mass, for the wrench on the deck."""
        return tree_of(self.model)

    @cached_property
    def minimal_tree(self) -> Tree:
        """The robot with what its joints feel, for torques."""
        return tree_of(self.model, regrouped(self.model))

    @cached_property
    def torque(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> tau."""
        inputs, (q, qd, qdd, base) = self._symbols()
        tau = self._equation(self.minimal_tree, q, qd, qdd, base) + sum(self._loss_terms(qd, qdd))
        return self._kernel('torque', inputs, [Block('tau', tau)])

    @cached_property
    def packed_torque(self) -> Kernel:
        """Kernel (x) -> tau with x = [q, qd, qdd, base (12)]: one array to hand over."""
        n = self.model.nv
        x = ca.SX.sym('x', 3 * n + 12)
        q, qd, qdd = x[:n], x[n:2 * n], x[2 * n:3 * n]
        tau = self._equation(self.minimal_tree, q, qd, qdd, BaseVectors.unpack(x[3 * n:]))
        return Kernel(f'packed torque of {self.model.name}', [Block('x', x)],
                      [Block('tau', tau + sum(self._loss_terms(qd, qdd)))], {'x': n}, self.backend)

    @cached_property
    def terms(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> one torque per cause."""
        inputs, symbols = self._symbols()
        rigid = self._rigid_terms(self.minimal_tree, *symbols)
        outputs = [Block(name, ca.densify(value)) for name, value in zip(
            TERM_NAMES, (*rigid, *self._loss_terms(symbols[1], symbols[2])))]
        return self._kernel('torque by cause', inputs, outputs)

    @cached_property
    def base_wrench(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> wrench on the deck; Newton-Euler for either method."""
        inputs, (q, qd, qdd, base) = self._symbols()
        return self._kernel('base wrench', inputs, [
            Block('wrench', newton_euler(self.tree, q, qd, qdd, base)[1])])

    @cached_property
    def mass_matrix(self) -> Kernel:
        """Kernel (q) -> M, flattened."""
        inputs, (q, *_) = self._symbols()
        return self._kernel('mass matrix', inputs[:1], [Block('M', ca.vec(self._mass(q)))])

    @cached_property
    def acceleration(self) -> Kernel:
        """Kernel (q, qd, tau, base) -> qdd."""
        inputs, (q, qd, _, base) = self._symbols()
        tau = ca.SX.sym('tau', self.model.nv)
        still = ca.SX(self.model.nv, 1)
        bias = self._equation(self.minimal_tree, q, qd, still, base)
        bias += self._loss_terms(qd, still)[0]
        return self._kernel(
            'forward dynamics', [inputs[0], inputs[1], Block('tau', tau), inputs[3]],
            [Block('qdd', solve_symmetric(self._mass(q), tau - bias))])

    @cached_property
    def energy(self) -> Kernel:
        """Kernel (q, qd, base) -> kinetic and potential energy, the base taken at rest."""
        inputs, (q, qd, _, base) = self._symbols()
        kinetic = 0.5 * ca.dot(qd, self._mass(q) @ qd)
        potential = -ca.dot(base.g, first_moment(self.tree, q))
        return self._kernel('energy', [inputs[0], inputs[1], inputs[3]], [
            Block('kinetic', ca.densify(kinetic)), Block('potential', ca.densify(potential))])

    @cached_property
    def regressor(self) -> Kernel:
        """Kernel (q, qd, qdd, base) -> derivative of torque by inertial parameters."""
        inputs, (q, qd, qdd, base) = self._symbols()
        tree, parameters = symbolic_masses(self.tree)
        tau = self._equation(tree, q, qd, qdd, base)
        return self._kernel('regressor', inputs, [
            Block('Y', ca.densify(ca.vec(ca.jacobian(tau, parameters).T)))])

    def payload(self, body: int) -> PayloadKernels:
        """
        Kernels (q[, qd, qdd, base], payload) of a load that weighs alone on one body.

        Torque is linear in a body's inertial parameters, so the load's share is the torque of
        a robot that weighs nothing elsewhere.
        """
        if body not in self._payloads:
            self._payloads[body] = self._trace_payload(body)
        return self._payloads[body]

    def external(self, body: int, R_BL: np.ndarray, p_BL: np.ndarray,
                 base_axes: bool) -> Kernel:
        """Kernel (q, force and moment) -> (tau, deck wrench) of a wrench on one link."""
        key = (body, R_BL.tobytes(), p_BL.tobytes(), base_axes)
        if key not in self._externals:
            self._externals[key] = self._trace_external(body, R_BL, p_BL, base_axes)
        return self._externals[key]

    # -------------------------------------------------------------------------------- parts

    def _symbols(self) -> Tuple[List[Block], Tuple[Any, Any, Any, BaseVectors]]:
        n = self.model.nv
        q, qd, qdd = (ca.SX.sym(name, n) for name in ('q', 'qd', 'qdd'))
        packed = ca.SX.sym('base', 12)
        blocks = [Block('q', q), Block('qd', qd), Block('qdd', qdd),
                  Block('base', packed, constant_rows=True)]
        return blocks, (q, qd, qdd, BaseVectors.unpack(packed))

    def _kernel(self, what: str, inputs: Sequence[Block], outputs: Sequence[Block]) -> Kernel:
        name = f'{what} of {self.model.name} by {self.method}'
        return Kernel(name, inputs, outputs, {'q': self.model.nv}, self.backend)

    def _loss_terms(self, qd: Expression, qdd: Expression) -> Tuple[Expression, Expression]:
        return (friction_torque(qd, self.losses.friction),
                rotor_torque(qdd, self.losses.rotor))

    def _rigid_terms(self, tree: Tree, q: Expression, qd: Expression, qdd: Expression,
                     base: BaseVectors) -> List[Expression]:
        """
        D qdd, h, c, B_mi and B_mc qd of paper 003 eq. 19, by setting inputs to zero.

        B_mc qd is what is bilinear in the rates of joints and base: the torque with both, less
        that of each alone.
        """
        zero = ca.SX(self.model.nv, 1)
        only = BaseVectors.only
        inertia = self._equation(tree, q, zero, qdd, only())
        coriolis = self._equation(tree, q, qd, zero, only())
        gravity = self._equation(tree, q, zero, zero, only(g=base.g))
        base_inertial = self._equation(tree, q, zero, zero, only(base.w, base.wd, base.a))
        both = self._equation(tree, q, qd, zero, only(w=base.w))
        turning = self._equation(tree, q, zero, zero, only(w=base.w))
        return [inertia, coriolis, gravity, base_inertial, both - coriolis - turning]

    def _mass(self, q: Expression, tree: Optional[Tree] = None) -> Expression:
        n = self.model.nv
        qdd, zero = ca.SX.sym('qdd', n), ca.SX(n, 1)
        tau = self._equation(tree or self.minimal_tree, q, zero, qdd, BaseVectors.only())
        if tree is None:
            tau = tau + rotor_torque(qdd, self.losses.rotor)
        return ca.densify(ca.jacobian(tau, qdd)) if n else ca.SX(0, 0)

    def _weightless(self) -> Tree:
        return replace(self.tree, base=Moments.zero(), bodies=tuple(
            replace(body, moments=Moments.zero()) for body in self.tree.bodies))

    def _trace_payload(self, body: int) -> PayloadKernels:
        inputs, (q, qd, qdd, base) = self._symbols()
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
        rigid = self._rigid_terms(tree, q, qd, qdd, base)
        return PayloadKernels(
            self._kernel('payload torque', inputs, [
                Block('tau', ca.densify(self._equation(tree, q, qd, qdd, base)))]),
            self._kernel('payload torque by cause', inputs, [
                Block(name, ca.densify(value)) for name, value in zip(TERM_NAMES, rigid)]),
            self._kernel('payload base wrench', inputs, [
                Block('wrench', newton_euler(tree, q, qd, qdd, base)[1])]),
            self._kernel('payload mass matrix', [inputs[0], inputs[4]], [
                Block('M', ca.vec(self._mass(q, tree)))]))

    def _trace_external(self, body: int, R_BL: np.ndarray, p_BL: np.ndarray,
                        base_axes: bool) -> Kernel:
        inputs, (q, *_) = self._symbols()
        zero = ca.SX(self.model.nv, 1)
        wrench = ca.SX.sym('external', 6)
        R = constant(R_BL)
        if base_axes:  # turn into body axes along the chain
            R = body_rotation(self.tree, q, body).T
        force, moment = R @ wrench[:3], R @ wrench[3:]
        moment = moment + ca.cross(constant(p_BL), force)
        tau, deck = newton_euler(self._weightless(), q, zero, zero, BaseVectors.only(),
                                 {body: (force, moment)})
        return self._kernel('external wrench', [
            inputs[0], Block('external', wrench, constant_rows=True)], [
                Block('tau', ca.densify(tau)), Block('wrench', ca.densify(deck))])
