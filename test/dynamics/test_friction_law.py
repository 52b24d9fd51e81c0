"""One friction law: kernels, numbers and slopes agree, also with breakaway and asymmetry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.joint_losses import friction_law
from robot_dynamics.model.identified import Identified, IdentifiedJoint
from robot_dynamics.model.robot_model import Inertial, RobotModel
from robot_dynamics.simulation.simulated_friction import FrictionStep


@pytest.fixture(scope='module')
def model() -> RobotModel:
    """Give two joints in a row, one with the whole law, one with the plain one."""
    body = Inertial(2.0, [0.1, 0, 0], 0.05 * np.eye(3))
    plain = RobotModel.from_dh([(0, 0.3, 0, 0), (1.0, 0.2, 0, 0)], inertials=[body, body])
    first, second = plain.joint_names
    return Identified('law', {}, {
        first: IdentifiedJoint(0.1, 0.8, 1.5, 0.6, 0.08, 0.3, -0.2),
        second: IdentifiedJoint(0.05, 0.4, 0.9)}).apply(plain)


def written_out(v, viscous, coulomb, stribeck, speed, asymmetry, offset):
    """Return the law as the papers print it."""
    s = v / np.sqrt(v**2 + 0.01**2)
    return (viscous * v + (coulomb + stribeck * np.exp(-(v / speed)**2)) * s
            + asymmetry * np.abs(s) + offset)


@pytest.mark.parametrize('backend', ['numba', 'interpreted'])
def test_the_kernel_adds_the_law_as_it_is_written(model, backend):
    rng = np.random.default_rng(1)
    q, qdd = rng.normal(size=(2, 50, 2))
    qd = 0.2 * rng.normal(size=(50, 2))
    with_law = InverseDynamics(model, friction=True, backend=backend).torque(q, qd, qdd)
    without = InverseDynamics(model, backend='interpreted').torque(q, qd, qdd)
    expected = np.stack([written_out(qd[:, 0], 0.8, 1.5, 0.6, 0.08, 0.3, -0.2),
                         written_out(qd[:, 1], 0.4, 0.9, 0.0, 1.0, 0.0, 0.0)], axis=1)
    assert np.allclose(with_law - without, expected, atol=1e-12)
    assert np.allclose(friction_law(model).torque(qd), expected, atol=1e-13)


def test_the_slope_is_the_derivative_of_the_law(model):
    law = friction_law(model)
    v = np.array([[-0.5, 0.3], [-0.02, 0.01], [0.004, -0.004], [0.05, -0.08]])
    step = 1e-7
    assert np.allclose(law.slope(v), (law.torque(v + step) - law.torque(v - step)) / (2 * step),
                       rtol=1e-5)


def test_a_simulated_joint_slows_down_by_the_whole_law(model):
    inverse = InverseDynamics(model, backend='interpreted')
    q, qd, h = np.zeros(2), np.array([0.05, -0.3]), 0.0005
    slowed = FrictionStep(inverse).apply(q, qd, h, 1.0)
    left = inverse.mass_matrix(q) @ (slowed - qd) + h * friction_law(model).torque(slowed)
    assert np.abs(left).max() < 1e-9


def test_another_law_is_another_model(model):
    joints = tuple(replace(joint, stribeck=0.0) for joint in model.joints)
    bodies = tuple(replace(body, joint=joint) for body, joint in zip(model.bodies, joints))
    assert replace(model, bodies=bodies, joints=joints).fingerprint != model.fingerprint
