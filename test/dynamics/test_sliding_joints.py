"""
Translation pairs of paper 002 (eqs. 2, 4, 6, 8, 16) on arms whose closed forms fit on a page.

The closed forms are derived here by hand, from the velocities of the centres of mass; only
masses, centres and moments are read from the model.
"""

import numpy as np
import pytest

from robot_dynamics import BaseMotion, ForwardDynamics, InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path

METHODS = ('newton_euler', 'lagrange_euler')
G = 9.81


def shipped(name):
    return RobotModel.from_urdf(resource_path(f'urdf/{name}.urdf'))


@pytest.fixture
def state(rng):
    return rng.uniform(-1.0, 1.0, (3, 4)) * np.array([[1.0], [2.0], [3.0]])


def scara(model, q, qd, qdd, g):
    """
    Shoulder s, elbow e, lift d (down), wrist w (about the downward axis).

    Every body stays level, so its energy is that of a planar body plus the height of the lift.
    In the plane, body k turns with rate W_k and its centre lies at l1 u(s) + R(angle) c_k, which
    gives tau by Lagrange as sums of m r x a and I W'.
    """
    inner, outer, carriage, quill = (body.inertial for body in model.bodies)
    l1 = model.bodies[1].p_PJ[0]
    l2 = model.bodies[2].p_PJ[0]
    s, e, _, w = q

    def planar(chain, rates, accelerations):
        """Position and acceleration of the end of vectors, each turned by an angle."""
        position, acceleration = np.zeros(2), np.zeros(2)
        for (vector, angle), W, Wd in zip(chain, rates, accelerations):
            c, n = np.cos(angle), np.sin(angle)
            r = np.array([c * vector[0] - n * vector[1], n * vector[0] + c * vector[1]])
            position = position + r
            acceleration = acceleration + Wd * np.array([-r[1], r[0]]) - W**2 * r
        return position, acceleration

    W = np.cumsum([qd[0], qd[1], -qd[3]])
    Wd = np.cumsum([qdd[0], qdd[1], -qdd[3]])
    first, second = ((l1, 0.0), s), ((l2, 0.0), s + e)
    bodies = [
        (inner, [(inner.com[:2], s)], [0]),
        (outer, [first, (outer.com[:2], s + e)], [0, 1]),
        (carriage, [first, second, (carriage.com[:2], s + e)], [0, 1, 1]),
        (quill, [first, second, (quill.com[:2], s + e - w)], [0, 1, 2])]
    elbow = l1 * np.array([np.cos(s), np.sin(s)])
    wrist = elbow + l2 * np.array([np.cos(s + e), np.sin(s + e)])
    tau = np.zeros(4)
    for inertial, chain, turns in bodies:
        position, acceleration = planar(chain, W[turns], Wd[turns])
        turn = turns[-1]
        for joint, pivot, sign in ((0, np.zeros(2), 1.0), (1, elbow, 1.0), (3, wrist, -1.0)):
            if {0: 0, 1: 1, 3: 2}[joint] > turn:
                continue
            r, f = position - pivot, inertial.mass * acceleration
            tau[joint] += sign * (r[0] * f[1] - r[1] * f[0] + inertial.inertia[2, 2] * Wd[turn])
    # The lift points down: its force is that of the mass it carries, against gravity.
    tau[2] = (carriage.mass + quill.mass) * (qdd[2] - g)
    return tau


def gantry(model, qd, qdd, q, g):
    """Travel x, cross y, hoist z (down), swivel r: masses on rails, a head off its axis."""
    bridge, trolley, mast, head = (body.inertial for body in model.bodies)
    c, n = np.cos(q[3]), np.sin(q[3])
    rx = c * head.com[0] - n * head.com[1]
    ry = n * head.com[0] + c * head.com[1]
    W, Wd = qd[3], qdd[3]
    ax, ay = qdd[0] - Wd * ry - W**2 * rx, qdd[1] + Wd * rx - W**2 * ry
    return np.array([
        (bridge.mass + trolley.mass + mast.mass) * qdd[0] + head.mass * ax,
        (trolley.mass + mast.mass) * qdd[1] + head.mass * ay,
        (mast.mass + head.mass) * (qdd[2] - g),
        head.mass * (rx * ay - ry * ax) + head.inertia[2, 2] * Wd])


@pytest.mark.parametrize('method', METHODS)
def test_a_scara_has_the_torques_of_its_closed_form(state, method):
    model = shipped('scara')
    assert [joint.kind for joint in model.joints] == [
        'revolute', 'revolute', 'prismatic', 'continuous']
    torque = InverseDynamics(model, method=method, backend='interpreted').torque(
        *state, BaseMotion.still(G))
    np.testing.assert_allclose(torque, scara(model, *state, G), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize('method', METHODS)
def test_a_gantry_has_the_forces_of_its_closed_form(state, method):
    model = shipped('gantry')
    q, qd, qdd = state
    torque = InverseDynamics(model, method=method, backend='interpreted').torque(
        q, qd, qdd, BaseMotion.still(G))
    np.testing.assert_allclose(torque, gantry(model, qd, qdd, q, G), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize('name', ['scara', 'gantry'])
def test_forces_of_sliding_joints_cause_the_accelerations_they_were_computed_from(name, state):
    model = shipped(name)
    q, qd, qdd = state
    tau = (scara(model, q, qd, qdd, G) if name == 'scara' else gantry(model, qd, qdd, q, G))
    acceleration = ForwardDynamics(model, backend='interpreted').acceleration(
        q, qd, tau, BaseMotion.still(G))
    np.testing.assert_allclose(acceleration, qdd, rtol=1e-9, atol=1e-9)


def test_rails_on_a_turning_deck_carry_coriolis_force_of_what_slides():
    """Eq. 8: 2 w x v and w x (w x p) of a deck that turns about the vertical at constant rate."""
    model = shipped('gantry')
    w = 0.7
    q, qd = np.array([0.4, -0.2, 0.3, 0.0]), np.array([0.9, -0.5, 0.0, 0.0])
    tau = InverseDynamics(model, backend='interpreted').torque(
        q, qd, np.zeros(4), BaseMotion([0, 0, w], gravity=[0, 0, -G]))
    position = np.zeros(3)
    expected = np.zeros(2)
    for k, body in enumerate(model.bodies):
        position = position + body.p_PJ
        if k < 3:
            position = position + np.asarray(body.joint.axis) * q[k]
        place = (position + body.inertial.com)[:2]
        speed = np.array([qd[0], qd[1] if k else 0.0])  # the bridge does not run across
        force = body.inertial.mass * (2 * w * np.array([-speed[1], speed[0]]) - w**2 * place)
        expected += force if k else [force[0], 0.0]
    np.testing.assert_allclose(tau[:2], expected, rtol=1e-11)


@pytest.mark.parametrize('name', ['scara', 'gantry'])
def test_a_deck_that_heaves_makes_lifts_heavier(name):
    """Eq. 16: the force of a vertical sliding joint feels a - g of the deck."""
    model = shipped(name)
    lift = model.index('lift' if name == 'scara' else 'hoist')
    carried = sum(body.inertial.mass for body in model.bodies[lift:])
    zero = np.zeros(4)
    for heave in (0.0, 2.5, -G):
        tau = InverseDynamics(model, backend='interpreted').torque(
            zero, zero, zero, BaseMotion(linear_acceleration=[0, 0, heave], gravity=[0, 0, -G]))
        assert tau[lift] == pytest.approx(-carried * (G + heave), abs=1e-10)
