"""The traced kernels of a mobile manipulator, by projection of those of a tree on the deck."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import List, NamedTuple, Optional, Tuple

import casadi as ca

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.dynamics.codegen.kernel import BACKENDS, Kernel
from robot_dynamics.dynamics.codegen.straight_line import Block
from robot_dynamics.dynamics.deck_model import on_deck, spins_freely, VIRTUAL
from robot_dynamics.dynamics.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.equations import differential_drive as equations
from robot_dynamics.dynamics.equations.forward import solve_symmetric
from robot_dynamics.dynamics.equations.joint_losses import friction_torque, rotor_torque
from robot_dynamics.dynamics.equations.newton_euler import newton_euler
from robot_dynamics.dynamics.equations.regrouping import regrouped
from robot_dynamics.dynamics.equations.tree import BaseVectors, Expression, Tree, tree_of
from robot_dynamics.dynamics.formulation import JointLosses, METHODS, TERM_NAMES
from robot_dynamics.model.robot_model import RobotModel

POSE = 3  # x, y [m], heading [rad] of the platform on the deck


class Symbols(NamedTuple):
    """The inputs of a kernel as expressions."""

    q: Expression
    v: Expression
    vd: Expression
    pose: Expression
    base: BaseVectors


class MobileFormulation:
    """
    The kernels of one mobile manipulator by one method, traced on first use.

    Parameters
    ----------
    model : RobotModel
        Coordinates in the order right wheel, left wheel, others.
    drive : DifferentialDrive
    method : str
        A key of ``METHODS``.
    losses : JointLosses
    gravity_sign : float
        1, or -1 for the paper's printed potential energy.
    backend : str

    Notes
    -----
    Inputs: q, qd, qdd (nv,), pose (3,) and the deck's motion (12,) at the deck frame's origin.
    """

    def __init__(self, model: RobotModel, drive: DifferentialDrive, method: str,
                 losses: JointLosses, gravity_sign: float, backend: str) -> None:
        for name, value, known in (('method', method, tuple(METHODS)),
                                   ('backend', backend, BACKENDS)):
            if value not in known:
                raise ConfigurationError(
                    f'{name} {value!r} does not exist; choose one of ' + ', '.join(known))
        self.model = model
        self.method = method
        self.backend = backend
        self.losses = losses
        self.unrolled = on_deck(model, drive)
        self.rolling = equations.Rolling(drive.radius, 0.5 * drive.track, *drive.signs)
        self.gravity_sign = gravity_sign
        self._equation = METHODS[method]
        self._angle_free = spins_freely(model)

    @cached_property
    def tree(self) -> Tree:
        """The robot on the deck with all its mass, for what the ground carries."""
        return tree_of(self.unrolled)

    @cached_property
    def minimal_tree(self) -> Tree:
        """The robot on the deck with what its joints feel."""
        return tree_of(self.unrolled, regrouped(self.unrolled))

    @cached_property
    def torque(self) -> Kernel:
        """Kernel (q, qd, qdd, pose, base) -> tau."""
        inputs, symbols = self._symbols()
        return self._kernel('torque', inputs, [Block('tau', self._reduced_torque(symbols))])

    @cached_property
    def packed_torque(self) -> Kernel:
        """Kernel (x) -> tau with x = [pose (3), q, qd, qdd, base (12)]: one array."""
        n = self.model.nv
        x = ca.SX.sym('x', POSE + 3 * n + 12)
        ends = [0, POSE, POSE + n, POSE + 2 * n, POSE + 3 * n, x.numel()]
        pose, q, v, vd, base = ca.vertsplit(x, ends)
        symbols = Symbols(q, v, vd, pose, self._vectors(base))
        return Kernel(f'packed torque of {self.model.name}', [Block('x', x)],
                      [Block('tau', self._reduced_torque(symbols))], {'x': POSE + n}, self.backend)

    @cached_property
    def terms(self) -> Kernel:
        """Kernel (q, qd, qdd, pose, base) -> one torque per cause."""
        inputs, s = self._symbols()
        zero, only = ca.SX(self.model.nv, 1), BaseVectors.only
        inertia = self._rigid(s._replace(v=zero, base=only()))
        coriolis = self._rigid(s._replace(vd=zero, base=only()))
        at_rest = s._replace(v=zero, vd=zero)
        gravity = self._rigid(at_rest._replace(base=only(g=s.base.g)))
        inertial = self._rigid(at_rest._replace(base=only(s.base.w, s.base.wd, s.base.a)))
        both = self._rigid(s._replace(vd=zero, base=only(w=s.base.w)))
        turning = self._rigid(at_rest._replace(base=only(w=s.base.w)))
        values = (inertia, coriolis, gravity, inertial, both - coriolis - turning,
                  *self._losses(s))
        return self._kernel('torque by cause', inputs, [
            Block(name, ca.densify(value)) for name, value in zip(TERM_NAMES, values)])

    @cached_property
    def mass_matrix(self) -> Kernel:
        """Kernel (q) -> M1 = R^T M R, flattened; the pose makes no difference."""
        inputs, symbols = self._symbols()
        return self._kernel('mass matrix', inputs[:1], [
            Block('M', ca.vec(self._mass(symbols.q)))])

    @cached_property
    def coriolis_matrix(self) -> Kernel:
        """Kernel (q, qd) -> C1 = R^T (M R' + C R), flattened; eq. 11."""
        inputs, s = self._symbols()
        n = VIRTUAL + self.model.nv
        q, qd, qdd = (ca.SX.sym(name, n) for name in ('q8', 'qd8', 'qdd8'))
        tau = self._equation(self.minimal_tree, self._frozen(q), ca.SX(n, 1), qdd,
                             BaseVectors.only())
        M = ca.densify(ca.jacobian(tau, qdd))
        C = equations.christoffel_matrix(M, q, qd)
        heading = ca.SX(0)
        R = equations.null_space(self.rolling, heading, self.model.nv)
        Rd = equations.null_space_rate(self.rolling, heading, s.v)
        here = [ca.densify(ca.vertcat(ca.SX(VIRTUAL, 1), s.q)), ca.densify(R @ s.v)]
        M, C = ca.substitute([M, C], [q, qd], here)
        return self._kernel('Coriolis matrix', inputs[:2], [
            Block('C', ca.vec(ca.densify(R.T @ (M @ Rd + C @ R))))])

    @cached_property
    def ground_wrench(self) -> Kernel:
        """
        Kernel (q, qd, qdd, pose, base) -> wrench of the ground on the robot (6,).

        Force and moment about the drive's frame O, in its axes; Newton-Euler for either method.
        """
        inputs, s = self._symbols()
        q, qd, qdd = self._unrolled_motion(s)
        deck = newton_euler(self.tree, q, qd, qdd, s.base)[1]
        force, moment = -deck[:3], -deck[3:]
        moment = moment - ca.cross(ca.vertcat(s.pose[0], s.pose[1], 0), force)
        c, sn = ca.cos(s.pose[2]), ca.sin(s.pose[2])
        turned = [ca.vertcat(c * u[0] + sn * u[1], c * u[1] - sn * u[0], u[2])
                  for u in (force, moment)]
        return self._kernel('ground wrench', inputs, [
            Block('wrench', ca.densify(ca.vertcat(*turned)))])

    @cached_property
    def acceleration(self) -> Kernel:
        """Kernel (q, qd, tau, pose, base) -> qdd and the rate of the pose (3,)."""
        inputs, s = self._symbols()
        tau = ca.SX.sym('tau', self.model.nv)
        bias = self._reduced_torque(s._replace(vd=ca.SX(self.model.nv, 1)))
        rate = equations.generalised_motion(self.rolling, s.pose[2], s.v, s.v)[0][:VIRTUAL]
        return self._kernel(
            'forward dynamics', [inputs[0], inputs[1], Block('tau', tau), *inputs[3:]],
            [Block('qdd', solve_symmetric(self._mass(s.q), tau - bias)),
             Block('pose_rate', ca.densify(rate))])

    @cached_property
    def constraints(self) -> Kernel:
        """Kernel (pose, qd) -> A, R and dR/dt, each flattened column by column."""
        inputs, s = self._symbols()
        heading, n = s.pose[2], self.model.nv
        matrices = (equations.constraint_matrix(self.rolling, heading, n),
                    equations.null_space(self.rolling, heading, n),
                    equations.null_space_rate(self.rolling, heading, s.v))
        return Kernel('rolling constraint', [inputs[3], inputs[1]], [
            Block(name, ca.vec(ca.densify(matrix))) for name, matrix in zip(
                ('A', 'R', 'R_rate'), matrices)], {}, 'interpreted')

    @cached_property
    def unrolling(self) -> Kernel:
        """Kernel (q, qd, qdd, pose) -> the same motion in all coordinates, (3 + nv,) each."""
        inputs, s = self._symbols()
        motion = equations.generalised_motion(self.rolling, s.pose[2], s.v, s.vd)
        values = (ca.vertcat(s.pose, s.q), *motion)
        return self._kernel('generalised motion', inputs[:4], [
            Block(name, ca.densify(value)) for name, value in zip(
                ('q8', 'qd8', 'qdd8'), values)])

    @cached_property
    def projection(self) -> Kernel:
        """Kernel (pose, tau of all coordinates) -> R^T tau."""
        inputs, s = self._symbols()
        tau = ca.SX.sym('tau8', VIRTUAL + self.model.nv)
        return self._kernel('projection', [inputs[3], Block('tau8', tau)], [
            Block('tau', ca.densify(equations.projected(self.rolling, s.pose[2], tau)))])

    # -------------------------------------------------------------------------------- parts

    def _symbols(self) -> Tuple[List[Block], Symbols]:
        n = self.model.nv
        q, v, vd = (ca.SX.sym(name, n) for name in ('q', 'qd', 'qdd'))
        pose, packed = ca.SX.sym('pose', POSE), ca.SX.sym('base', 12)
        blocks = [Block('q', q), Block('qd', v), Block('qdd', vd),
                  Block('pose', pose, constant_rows=True),
                  Block('base', packed, constant_rows=True)]
        return blocks, Symbols(q, v, vd, pose, self._vectors(packed))

    def _vectors(self, packed: Expression) -> BaseVectors:
        base = BaseVectors.unpack(packed)
        return base if self.gravity_sign > 0 else replace(base, g=-base.g)

    def _kernel(self, what: str, inputs: List[Block], outputs: List[Block]) -> Kernel:
        angles = {'q': self.model.nv, 'pose': POSE}
        names = {block.name for block in inputs}
        return Kernel(f'{what} of {self.model.name} on wheels by {self.method}', inputs, outputs,
                      {name: count for name, count in angles.items() if name in names},
                      self.backend)

    def _frozen(self, q: Expression) -> Expression:
        """Set the angles of wheels to zero where they make no difference."""
        q = ca.SX(q)
        for k, free in enumerate(self._angle_free):
            if free:
                q[VIRTUAL + k] = 0
        return q

    def _unrolled_motion(self, s: Symbols) -> Tuple[Expression, Expression, Expression]:
        q = self._frozen(ca.vertcat(s.pose, s.q))
        return (q, *equations.generalised_motion(self.rolling, s.pose[2], s.v, s.vd))

    def _rigid(self, s: Symbols, tree: Optional[Tree] = None) -> Expression:
        """R^T (M qdd + C qd + G) of eq. 10, with the motion of the deck in it."""
        tau = self._equation(tree or self.minimal_tree, *self._unrolled_motion(s), s.base)
        return equations.projected(self.rolling, s.pose[2], tau)

    def _losses(self, s: Symbols) -> Tuple[Expression, Expression]:
        losses = self.losses
        return (friction_torque(s.v, losses.friction),
                rotor_torque(s.vd, losses.rotor))

    def _reduced_torque(self, s: Symbols) -> Expression:
        return ca.densify(self._rigid(s) + sum(self._losses(s)))

    def _mass(self, q: Expression) -> Expression:
        n = self.model.nv
        vd = ca.SX.sym('qdd', n)
        at_origin = Symbols(q, ca.SX(n, 1), vd, ca.SX(POSE, 1), BaseVectors.only())
        tau = self._rigid(at_origin) + rotor_torque(vd, self.losses.rotor)
        return ca.densify(ca.jacobian(tau, vd))
