"""Recordings that do not teach the arm are refused, with what is wrong and what to do."""

from __future__ import annotations

import dataclasses

from arm_cases import described, moved, torque, truth
import numpy as np
import pytest

from robot_dynamics.bags.findings import Findings
from robot_dynamics.core.errors import (
    ConfigurationError, IdentificationError, UnknownNameError)
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.identification.identify import identify, identify_motions
from robot_dynamics.identification.options import IdentifyOptions
from robot_dynamics.identification.plausibility import (
    check_effective, check_efforts, GravityShare)
from robot_dynamics.model.robot_model import Inertial

pytest.importorskip('clarabel', reason='the solver is an extra')


def refusal(recording, **options) -> str:
    """Return what an identification says that does not go on."""
    with pytest.raises(IdentificationError) as told:
        identify_motions([recording], described(), IdentifyOptions(**options))
    return str(told.value)


def test_an_arm_that_stood_still():
    still = moved(truth(), 20.0, size=0.0)
    assert 'stood still' in refusal(still)


def test_an_arm_that_stood_still_is_not_trusted_even_when_told_to_go_on():
    still = moved(truth(), 20.0, size=0.0, noise=0.01)
    result = identify_motions([still], described(), IdentifyOptions(force=True))
    codes = {finding.code for finding in result.findings if finding.severity == 'severe'}
    assert {'stood-still', 'uncertain'} <= codes


def test_a_joint_that_never_moved_is_named_and_keeps_its_friction():
    recording = moved(truth(), 30.0)
    model, arm = described(), truth()
    block = recording.block
    q, qd, qdd = block.position.copy(), block.velocity.copy(), block.acceleration.copy()
    q[:, 1], qd[:, 1], qdd[:, 1] = 0.3, 0.0, 0.0
    frozen = recording.changed(position=q, velocity=qd, acceleration=qdd,
                               effort=torque(arm, model, q, qd, qdd, block.base))
    result = identify_motions([frozen], model, IdentifyOptions(force=True))
    assert any(f.code == 'joint-still' and f.element == 'elbow' for f in result.findings)
    assert result.identified.joints['elbow'].viscous == pytest.approx(0.0, abs=0.05)


def test_effort_with_the_other_sign_names_the_joint():
    recording = moved(truth())
    turned = recording.changed(effort=recording.block.effort * [-1.0, 1.0])
    assert 'shoulder' in refusal(turned) and 'sign' in refusal(turned)


def shares(*, value=1.0, swing=0.8, power=0.3, error=0.02):
    """Return the shares of a good joint and of another one."""
    return [GravityShare(1.0, 0.02, 0.8, 0.3), GravityShare(value, error, swing, power)]


def test_friction_that_drives_tells_a_reversed_sign_where_nothing_is_lifted():
    nothing = {'value': np.nan, 'error': np.inf, 'swing': 0.0}
    with pytest.raises(IdentificationError, match='wrist.*sign'):
        check_efforts(shares(power=-0.9, **nothing), ('arm', 'wrist'), Findings(), False)
    check_efforts(shares(power=0.9, **nothing), ('arm', 'wrist'), Findings(), False)


def test_friction_that_cannot_be_told_from_inertia_tells_no_sign():
    nothing = GravityShare(np.nan, np.inf, 0.0, -1.9, power_error=1.7)
    check_efforts([*shares()[:1], nothing], ('arm', 'wrist'), Findings(), False)
    known = GravityShare(np.nan, np.inf, 0.0, -1.9, power_error=0.2)
    with pytest.raises(IdentificationError, match='wrist.*sign'):
        check_efforts([*shares()[:1], known], ('arm', 'wrist'), Findings(), False)


def test_one_joint_whose_effort_is_a_current_is_named():
    with pytest.raises(IdentificationError, match='wrist.*12 times.*current'):
        check_efforts(shares(value=0.08, swing=12.0), ('arm', 'wrist'), Findings(), False)
    check_efforts(shares(value=0.6, swing=1.5), ('arm', 'wrist'), Findings(), False)


def test_efforts_beyond_all_limits_are_not_taken_for_an_arm_that_stood_still():
    recording = moved(truth())
    assert 'not in N m' in refusal(recording.changed(effort=100.0 * recording.block.effort))


def test_effort_that_is_a_current_says_its_scale():
    recording = moved(truth())
    assert 'motor current' in refusal(recording.changed(effort=recording.block.effort / 12.0))


def test_effort_without_gravity():
    recording = moved(truth())
    block = recording.block
    zero = np.zeros_like(block.position)
    weight = InverseDynamics(truth().apply(described()), backend='interpreted').torque(
        block.position, zero, zero)
    assert 'gravity' in refusal(recording.changed(effort=block.effort - weight))


def test_a_recording_that_is_too_short():
    assert 'record longer' in refusal(moved(truth(), 1.5, noise=0.2))


@pytest.mark.parametrize('numbers', [120, 20])
def test_a_long_recording_whose_model_misses_something_is_not_only_called_short(numbers):
    both = np.array([True, True])
    for count, hint in ((170, True), (15, False)):
        with pytest.raises(IdentificationError) as told:
            check_effective(np.array([6.0, 5.0]), count, 60.0, both, both, numbers, ['a', 'b'],
                            Findings(), False)
        assert all((word in str(told.value)) == hint for word in (
            '--payload', '--friction-model', '--keep'))


def test_saturated_efforts_are_left_out_and_too_many_are_refused():
    recording = moved(truth())
    limit = np.array([60.0, 30.0])
    some = recording.block.effort.copy()
    some[100:150, 0] = 60.0
    result = identify_motions([recording.changed(effort=some)], described(), IdentifyOptions())
    assert any(finding.code == 'effort-saturated' for finding in result.findings)
    assert result.validation.relative('identified') < 2e-3
    many = np.where(np.arange(len(some))[:, None] % 3 == 0, limit, recording.block.effort)
    assert 'effort limit' in refusal(recording.changed(effort=many))


def test_no_effort_at_all():
    recording = moved(truth(), 10.0)
    recording.measured[:] = False
    assert 'no joint has a measured effort' in refusal(recording)


def with_load(mass):
    load = Inertial(mass, np.zeros(3), np.eye(3) * 1e-3)
    return dataclasses.replace(truth(), payload=('tool', load))


@pytest.mark.parametrize('scale', [0.4, 1.8])
def test_efforts_in_which_a_known_load_weighs_something_else(scale):
    recording = moved(with_load(3.0), noise=0.01)
    wrong = recording.changed(effort=scale * recording.block.effort)
    assert 'its scale does not fit' in refusal(wrong, payload='tool', payload_mass=3.0)
    identify_motions([wrong], described(), IdentifyOptions(payload='tool'))  # who is to know?


def test_a_known_load_tells_how_well_the_scale_is_known():
    recording = moved(with_load(3.0), noise=0.01)
    result = identify_motions(
        [recording], described(), IdentifyOptions(payload='tool', payload_mass=3.0))
    told = next(finding for finding in result.findings if finding.code == 'torque-scale')
    assert 'the load of 3 kg is found with' in told.text


def test_the_mass_of_a_load_goes_with_its_link():
    for options in ({'payload_mass': 2.0}, {'payload': 'tool', 'payload_mass': -1.0}):
        with pytest.raises(ConfigurationError, match='payload_mass'):
            IdentifyOptions(**options)


def test_words_that_name_nothing_say_what_there_is():
    with pytest.raises(UnknownNameError, match='upper'):
        identify_motions([moved(truth(), 10.0)], described(), IdentifyOptions(keep=('uper',)))
    with pytest.raises(ConfigurationError, match='--payload'):
        identify_motions([moved(truth(), 10.0)], described(), IdentifyOptions(only=('payload',)))
    with pytest.raises(ConfigurationError, match='coulomb'):
        IdentifyOptions(friction_model='dry')


@pytest.mark.parametrize('bags, validate, words', [
    (['a/work.mcap'], ['a/../a/work.mcap'], 'validate: work.mcap is learned from'),
    (['a'], ['a/part.db3'], 'validate: part.db3'), (['a/part.db3'], ['a'], 'validate: a is'),
    (['work.mcap', './work.mcap'], [], 'bags: work.mcap is given twice'),
    (['a'], ['b', 'b'], 'validate: b is')])
def test_what_was_learned_from_is_no_recording_to_try_it_on(bags, validate, words):
    with pytest.raises(IdentificationError, match=words):
        identify(bags, described(), validate_on=validate)
