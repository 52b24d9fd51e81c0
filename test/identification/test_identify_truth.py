"""An arm whose truth is known is found again, also on a deck that moves."""

from __future__ import annotations

from arm_cases import described, moved, torque, truth
from arm_cases import motion as sinusoids
import numpy as np
import pytest

from robot_dynamics.identification.identify import identify_motions
from robot_dynamics.identification.options import IdentifyOptions
from robot_dynamics.motion.base_motion import BaseMotion

pytest.importorskip('clarabel', reason='the solver is an extra')


def torque_error(result, arm) -> float:
    """Relative RMS error of the identified torque on another motion of a level base."""
    model = described()
    t = np.arange(0, 20, 0.05)
    q, qd, qdd = sinusoids(t, model.nv, seed=77)
    base = BaseMotion(np.zeros((len(t), 3)))
    true = torque(arm, model, q, qd, qdd, base)
    found = torque(result.identified, model, q, qd, qdd, base)
    return float(np.sqrt(np.mean((found - true)**2) / np.mean(true**2)))


@pytest.mark.parametrize('fixed', [True, False])
def test_a_true_arm_is_found_from_exact_samples_on_whatever_base(fixed):
    arm = truth(offset=0.3)
    result = identify_motions([moved(arm, fixed=fixed)], described(), IdentifyOptions())
    assert result.validation.relative('identified') < 1e-3
    assert result.validation.relative('described') > 0.1
    assert torque_error(result, arm) < 2e-3
    shoulder = result.identified.joints['shoulder']
    assert shoulder.coulomb == pytest.approx(1.5, rel=0.01)
    assert shoulder.viscous == pytest.approx(0.8, rel=0.01)
    assert shoulder.offset == pytest.approx(0.3, rel=0.05)


def test_ignoring_the_deck_costs_an_arm_its_truth():
    arm = truth()
    seen = moved(arm)
    blind = seen.changed(base=BaseMotion())
    blind.base_known = False
    good = identify_motions([seen], described(), IdentifyOptions())
    bad = identify_motions([blind], described(), IdentifyOptions(force=True))
    assert torque_error(bad, arm) > 10 * torque_error(good, arm)


def test_every_body_can_exist_whatever_the_noise():
    arm = truth()
    for seed in range(3):
        result = identify_motions([moved(arm, 12.0, seed=seed, noise=0.5)], described(),
                                  IdentifyOptions(force=True))
        assert result.layout.is_consistent(result.fit.theta)
        for body in result.model.bodies:
            assert body.inertial.mass > 0
            moments = np.linalg.eigvalsh(body.inertial.inertia)
            assert moments[0] > 0 and moments[2] <= moments[0] + moments[1] + 1e-12


def test_the_stribeck_term_finds_breakaway_that_the_plain_law_cannot():
    arm = truth(stribeck=0.5)
    recording = moved(arm)
    plain = identify_motions([recording], described(), IdentifyOptions())
    with_term = identify_motions([recording], described(),
                                 IdentifyOptions(friction_model='stribeck'))
    assert torque_error(with_term, arm) < 0.2 * torque_error(plain, arm)
    assert with_term.identified.joints['shoulder'].stribeck_speed == pytest.approx(
        0.08, rel=0.01)


def test_the_stated_uncertainty_covers_the_errors_that_are_made():
    arm = truth(offset=0.2)
    model, shares = described(), []
    t = np.arange(0, 20, 0.1)
    q, qd, qdd = sinusoids(t, model.nv, seed=5)
    base = BaseMotion(np.zeros((len(t), 3)))
    true = torque(arm, model, q, qd, qdd, base)
    for seed in range(8):
        result = identify_motions([moved(arm, 30.0, seed=seed, noise=0.05)], model,
                                  IdentifyOptions())
        error = np.abs(torque(result.identified, model, q, qd, qdd, base) - true)
        shares.append((error <= 2 * result.deviation(q, qd, qdd, base)).mean())
    assert 0.85 <= np.mean(shares) <= 0.995


def test_a_load_is_found_as_a_body_of_its_own_in_the_frame_of_its_link():
    arm = truth(offset=0.5, stribeck=0.3)
    load = np.array([0.02, -0.03, 0.1])
    carrying = type(arm)(arm.robot, arm.bodies, arm.joints, (
        'tool', type(arm.bodies['upper'])(1.5, load, 0.004 * np.eye(3))))
    start = arm.apply(described())
    result = identify_motions([moved(carrying)], start, IdentifyOptions(
        payload='tool', only=('payload',)))
    link, found = result.payload
    assert link == 'tool'
    assert found.mass == pytest.approx(1.5, rel=0.02)
    assert np.allclose(found.com, load, atol=0.01)
    for body, before in zip(result.model.bodies, start.bodies):
        if body.name == 'upper':
            assert body.inertial.mass == before.inertial.mass


def test_what_is_kept_stays_as_described():
    result = identify_motions([moved(truth())], described(),
                              IdentifyOptions(keep=('friction', 'upper')))
    upper, _ = result.model.bodies
    assert upper.inertial.mass == described().bodies[0].inertial.mass
    assert result.identified.joints['shoulder'].coulomb == 1.0
    assert result.model.bodies[1].inertial.mass != described().bodies[1].inertial.mass


def test_two_recordings_count_together():
    arm = truth()
    first, second = moved(arm, 15.0, seed=1, noise=0.1), moved(arm, 15.0, seed=2, noise=0.1)
    one = identify_motions([first], described(), IdentifyOptions())
    both = identify_motions([first, second], described(), IdentifyOptions())
    assert both.training.equations > 1.9 * one.training.equations
    assert np.trace(both.fit.covariance) < np.trace(one.fit.covariance)


def test_what_was_tried_on_other_recordings_was_not_learned_from():
    arm = truth()
    other = moved(arm, 10.0, seed=3)
    result = identify_motions([moved(arm, 20.0)], described(), IdentifyOptions(), [other])
    changed = other.changed(effort=other.block.effort + 5.0)
    again = identify_motions([moved(arm, 20.0)], described(), IdentifyOptions(), [changed])
    assert np.array_equal(result.fit.theta, again.fit.theta)
    assert again.validation.relative('identified') > result.validation.relative('identified')
