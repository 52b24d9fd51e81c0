"""Pinocchio's free-flyer and MuJoCo's free joint, written by others, on the same motions."""

from dynamics_states import random_base, random_state, relative_error
import mujoco
import numpy as np
from pinocchio_peer import PinocchioPeer
import pytest
from random_trees import random_urdf

from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path
from selections import some

METHODS = ('newton_euler', 'lagrange_euler')


@pytest.mark.parametrize('seed', some(2, range(8)))
def test_random_trees_agree_with_pinocchio(seed):
    rng = np.random.default_rng(seed)
    urdf = random_urdf(rng, joints=int(rng.integers(2, 12)),
                       mimics=int(rng.integers(0, 3)))
    model = RobotModel.from_urdf(urdf)
    peer = PinocchioPeer(urdf, model)
    for _ in range(3):
        state, base = random_state(rng, model.nv), random_base(rng)
        tau, wrench = peer.torque_and_wrench(*state, base)
        for method in METHODS:
            dynamics = InverseDynamics(model, method=method, backend='interpreted')
            assert relative_error(dynamics.torque(*state, base), tau) < 1e-9
            assert relative_error(dynamics.base_wrench(*state, base), wrench) < 1e-9
            assert relative_error(dynamics.mass_matrix(state[0]),
                                  peer.mass_matrix(state[0])) < 1e-9


def test_pa10_agrees_with_pinocchio(pa10, rng):
    peer = PinocchioPeer(resource_path('urdf/pa10.urdf').read_text(), pa10)
    for _ in range(5):
        state, base = random_state(rng, 6), random_base(rng)
        tau, wrench = peer.torque_and_wrench(*state, base)
        dynamics = InverseDynamics(pa10, backend='interpreted')
        assert relative_error(dynamics.torque(*state, base), tau) < 1e-9
        assert relative_error(dynamics.base_wrench(*state, base), wrench) < 1e-9


def mujoco_model(model):
    """Write an arm as MJCF with a free joint at its base; MuJoCo computes independently."""
    def numbers(values):
        return ' '.join(repr(float(v)) for v in np.ravel(values))

    def quaternion(R):
        from scipy.spatial.transform import Rotation
        return numbers(np.roll(Rotation.from_matrix(R).as_quat(), 1))

    def inertial(part):
        I = part.inertia  # noqa: E741
        return (f'<inertial mass="{part.mass!r}" pos="{numbers(part.com)}" fullinertia="'
                + numbers([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]) + '"/>')

    def element(k):
        body = model.bodies[k]
        kind = 'slide' if body.joint.kind == 'prismatic' else 'hinge'
        inner = ''.join(element(c) for c, other in enumerate(model.bodies) if other.parent == k)
        return (f'<body pos="{numbers(body.p_PJ)}" quat="{quaternion(body.R_PJ)}">'
                f'<joint name="{body.joint.name}" type="{kind}" axis="{numbers(body.joint.axis)}"'
                f'/>{inertial(body.inertial)}{inner}</body>')

    roots = ''.join(element(c) for c, body in enumerate(model.bodies) if body.parent < 0)
    base = inertial(model.base_inertial) if model.base_inertial.mass else (
        '<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>')
    return mujoco.MjModel.from_xml_string(
        '<mujoco><compiler angle="radian"/><option integrator="RK4"/><worldbody><body>'
        f'<freejoint/>{base}{roots}</body></worldbody></mujoco>')


@pytest.mark.parametrize('seed', range(4))
def test_random_trees_agree_with_mujoco(seed):
    rng = np.random.default_rng(100 + seed)
    urdf = random_urdf(rng, joints=int(rng.integers(2, 9)), kinds=('revolute', 'prismatic'))
    model = RobotModel.from_urdf(urdf)
    compiled = mujoco_model(model)
    data = mujoco.MjData(compiled)
    (q, qd, qdd), base = random_state(rng, model.nv), random_base(rng)
    compiled.opt.gravity[:] = base.gravity
    data.qpos[:7] = [0, 0, 0, 1, 0, 0, 0]
    data.qpos[7:], data.qvel[6:], data.qacc[6:] = q, qd, qdd
    data.qvel[3:6], data.qacc[3:6] = base.angular_velocity, base.angular_acceleration
    data.qacc[:3] = base.linear_acceleration
    mujoco.mj_inverse(compiled, data)
    for method in METHODS:
        tau = InverseDynamics(model, method=method, backend='interpreted').torque(
            q, qd, qdd, base)
        assert relative_error(tau, data.qfrc_inverse[6:]) < 1e-9
