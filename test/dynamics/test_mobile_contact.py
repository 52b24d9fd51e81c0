"""What the ground carries, against statics and Newton's second law by hand."""

from mobile_robots import on_wheels, WHEELS
import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState
from robot_dynamics.dynamics.ground_contact import convex_hull, ground_contact

ZERO = np.zeros(5)
G = 9.80665
# mass and place ahead of the axle of platform, wheels and the three links, arm straight ahead
PARTS = np.array([(19.2372, 0.2268), (1.802, 0.0), (3.293, 0.437), (3.436, 0.716),
                  (1.229, 0.92)])
HEIGHTS = np.array([0.12, 0.075, 0.35, 0.4, 0.4])


@pytest.fixture(scope='module')
def robot(wheeled):
    return on_wheels(wheeled, **WHEELS, backend='interpreted')


def test_loads_at_rest_are_those_of_statics(robot):
    contact = ground_contact(robot, ZERO, ZERO, ZERO)
    mass, first = PARTS[:, 0].sum(), PARTS.prod(axis=1).sum()
    caster = first / 0.45 * G
    wheel = (mass * G - caster) / 2
    assert np.allclose(contact.normal, [wheel, wheel, caster], rtol=1e-12)
    assert np.allclose(contact.zero_moment_point, [first / mass, 0.0], atol=1e-12)
    assert abs(contact.lateral) < 1e-12 and np.abs(contact.longitudinal).max() < 1e-12


def test_braking_loads_the_caster_by_the_height_of_the_masses(robot):
    braking = np.array([-10.0, -10.0, 0, 0, 0])
    contact = ground_contact(robot, ZERO, ZERO, braking)
    rest = ground_contact(robot, ZERO, ZERO, ZERO)
    deceleration = 10.0 * 0.075
    moment = (PARTS[:, 0] * HEIGHTS).sum() * deceleration + 2 * 0.003 * 10.0
    assert np.allclose(contact.normal[2] - rest.normal[2], moment / 0.45, rtol=1e-12)
    force = -PARTS[:, 0].sum() * deceleration
    assert np.allclose(contact.longitudinal, [force / 2, force / 2], rtol=1e-12)


def test_lateral_force_in_a_curve_is_centripetal(robot):
    rates = np.array([6.0, 2.0, 0, 0, 0])
    u, n = 0.075 / 2 * 8.0, 0.075 / 0.5 * 4.0
    contact = ground_contact(robot, ZERO, rates, ZERO)
    assert np.isclose(contact.lateral, PARTS[:, 0].sum() * u * n, rtol=1e-12)


def test_longitudinal_force_is_what_the_wheel_torque_leaves_after_spinning_up(robot, rng):
    """Of each wheel alone: spin inertia times acceleration = torque - radius times force."""
    q, qd, qdd = rng.normal(0, 1, (3, 5))
    tau = robot.torque(q, qd, qdd)
    force = ground_contact(robot, q, qd, qdd).longitudinal
    assert np.allclose(tau[:2], 0.003 * qdd[:2] + 0.075 * force, rtol=1e-11)


def test_ground_carries_weight_and_heave(robot):
    deck = BaseMotion(linear_acceleration=[0, 0, 2.0])
    contact = ground_contact(robot, ZERO, ZERO, ZERO, BaseState(deck, ZERO[:3]))
    assert np.isclose(contact.vertical, PARTS[:, 0].sum() * (G + 2.0), rtol=1e-12)
    assert np.isclose(contact.normal.sum(), contact.vertical, rtol=1e-12)


def test_margin_is_the_distance_to_the_nearest_edge(robot):
    contact = ground_contact(robot, ZERO, ZERO, ZERO)
    x = contact.zero_moment_point[0]
    edge = 0.25 * (0.45 - x) / np.hypot(0.25, 0.45)
    assert np.isclose(contact.tipping_margin, min(x, edge), rtol=1e-12)


def test_a_load_turns_negative_exactly_when_the_margin_does(robot):
    tilts = np.linspace(0, 0.9, 60)
    negative = []
    for tilt in tilts:
        contact = ground_contact(robot, ZERO, ZERO, ZERO, BaseState(
            BaseMotion.from_roll_pitch(tilt, 0.0), ZERO[:3]))
        assert (contact.tipping_margin < 0) == (contact.normal.min() < 0)
        negative.append(contact.normal.min() < 0)
    assert True in negative and False in negative


def test_free_fall_leaves_no_zero_moment_point(robot):
    falling = BaseMotion(linear_acceleration=[0, 0, -10.0])
    contact = ground_contact(robot, ZERO, ZERO, ZERO, BaseState(falling, ZERO[:3]))
    assert np.isnan(contact.zero_moment_point).all()
    assert contact.tipping_margin == -np.inf


def test_several_casters_leave_loads_open_and_the_margin_known(tiago_robot):
    nv = tiago_robot.model.nv
    contact = ground_contact(tiago_robot, *np.zeros((3, nv)))
    assert contact.normal is None
    assert len(tiago_robot.support.supports) == 4
    assert 0.0 < contact.tipping_margin < 0.2


def test_hull_keeps_corners_in_order_and_drops_the_rest():
    corners = [[0, 0], [2, 0], [2, 1], [0, 1]]
    inner = [[1, 0.5], [1, 0], [0, 0], [0.1, 0.9]]
    hull = convex_hull(np.array(corners + inner, float))
    assert sorted(map(tuple, hull)) == sorted(map(tuple, corners))
    edges = np.roll(hull, -1, axis=0) - hull
    assert (edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1]
            - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0] > 0).all()


def test_forces_of_a_series_are_those_of_its_samples(robot, rng):
    state = rng.normal(0, 1, (3, 6, 5))
    series = ground_contact(robot, *state)
    for k in range(6):
        one = ground_contact(robot, *state[:, k])
        for name in ('lateral', 'longitudinal', 'normal', 'zero_moment_point', 'tipping_margin'):
            assert np.allclose(getattr(series, name)[k], getattr(one, name), rtol=1e-12)


def test_the_robot_stays_on_its_wheels_along_table_3_on_a_gentle_deck(robot):
    """The chosen place of the caster carries the paper's motion; 0.3 rad of roll would not."""
    from gentle_ship import gentle_ship
    from robot_dynamics.simulation.motions import table_3_motion
    time = np.linspace(0, 4, 201)
    motion = table_3_motion().sample(time)
    pose = np.zeros((201, 3))
    pose[:, 0] = 0.075 * (motion.position[:, 0] - 8.0)

    def margin(amplitude):
        ship = gentle_ship(amplitude)
        deck = BaseState(ship.at(time + 1.5), pose)
        return ground_contact(robot, *motion, deck).tipping_margin.min()

    assert margin(0.0) > 0.005 and margin(0.1) > 0.0 and margin(0.3) < 0.0
