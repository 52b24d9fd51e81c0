"""A robot that stands on wheels: tipping and slipping are rows of the ground's wrench."""

import numpy as np
import pytest

from robot_dynamics import InverseDynamics
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.dynamics.ground_contact import ground_contact
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.operability.assessment import Mount, Question
from robot_dynamics.operability.frequency_domain import Ship
from robot_dynamics.operability.limits import wheel_limits
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.seas import sea_states
from robot_dynamics.operability.study import assess
from robot_dynamics.ship.rao import RaoTable


@pytest.fixture(scope='module')
def dynamics(wheeled):
    support = DifferentialDrive.from_model(wheeled, 'left_wheel_joint', 'right_wheel_joint')
    return InverseDynamics(wheeled, support=support, backend='interpreted')


def bases(count):
    rng = np.random.default_rng(7)
    return BaseMotion.from_rpy(
        rng.uniform(-0.4, 0.4, (count, 3)), np.zeros((count, 3)), rng.normal(size=(count, 3)),
        rng.normal(size=(count, 3)))


def test_the_rows_of_tipping_agree_with_the_margin_of_ground_contact(dynamics):
    count = 200
    q = np.zeros((count, dynamics.model.nv))
    motion = bases(count)
    loads = RobotLoads.on_wheels(dynamics).function(q, q, q, motion)
    limit = wheel_limits(dynamics.model.nv, dynamics.support)[0]
    stands = (loads @ limit.rows.T <= 0.0).all(axis=1)
    margin = ground_contact(dynamics, q, q, q, BaseState(motion, np.zeros(3))).tipping_margin
    assert 20 < stands.sum() < count - 20
    assert (stands == (margin >= 0.0)).all()


def test_tipping_or_slip_limits_a_robot_on_wheels_in_a_beam_sea(dynamics):
    question = Question(Ship(RaoTable.supply_vessel()), np.radians([0.0, 90.0]))
    states = RobotStates.postures(dynamics.model, np.zeros((1, dynamics.model.nv)))
    heights = []
    for friction in (None, 0.15):
        limits = wheel_limits(dynamics.model.nv, dynamics.support, friction)
        result = assess(RobotLoads.on_wheels(dynamics), states, limits,
                        Mount(p_DB=np.array([10.0, 0.0, 4.0])), question, sea_states(4, 4),
                        periods=[8.0])
        heights.append(result.curves.height[1, 0])
        assert result.curves.governing[1][0] == ('tipping' if friction is None else 'slip')
    assert heights[1] < heights[0]


def test_a_robot_that_balances_on_two_wheels_is_refused(dynamics):
    class Balancing:
        contacts = np.array([[0.0, -0.3], [0.0, 0.3]])

    with pytest.raises(ConfigurationError, match='tips at once'):
        wheel_limits(dynamics.model.nv, Balancing())
