"""Commands are finite, within the effort limits, and change no faster than the rate limit."""

from hypothesis import given, settings, strategies
import numpy as np
import pytest

from robot_dynamics.control.limits import EffortLimiter, LimitsConfig
from robot_dynamics.control.ramp import Blend, OffsetRamp, smooth_step
from robot_dynamics.core.errors import ConfigurationError

JOINTS = ('a', 'b')
MS = 1_000_000


def limiter(**config):
    """Return a limiter with 100 and 10 Nm of the description."""
    return EffortLimiter(JOINTS, LimitsConfig(**config), [100.0, 10.0])


def test_the_smaller_of_description_and_configuration_counts():
    assert limiter(effort=(50.0,)).effort_limit.tolist() == [50, 10]
    assert limiter().effort_limit.tolist() == [100, 10]


def test_saturation_names_the_joints():
    limits = limiter()
    effort = np.array([50.0, -20.0])
    assert limits.limit(effort, 0)
    assert effort.tolist() == [50, -10]
    assert limits.saturated == (1,)


def test_the_rate_limit_bounds_the_step():
    limits = limiter(effort_rate=(1000.0, 500.0))
    limits.seed([0, 0], 0)
    effort = np.array([50.0, 0.5])
    limits.limit(effort, 2 * MS)
    np.testing.assert_allclose(effort, [2, 0.5])
    assert limits.rate_limited == (0,)
    assert limits.saturated == ()


def test_a_long_silence_gives_no_more_credit_than_the_longest_step():
    limits = limiter(effort_rate=(1000.0,), longest_step=0.02)
    limits.seed([0, 0], 0)
    effort = np.array([100.0, 0.0])
    limits.limit(effort, 10**12)
    assert effort[0] == pytest.approx(20)


@pytest.mark.parametrize('late', [5 * MS, 20 * MS, 10**12])
def test_one_command_changes_by_a_twentieth_of_the_limit_by_default_however_late(late):
    limits = EffortLimiter(('a', 'b'), LimitsConfig(), [100.0, 10.0])
    limits.seed([0, 0], 0)
    effort = np.array([100.0, -10.0])
    limits.limit(effort, late)
    np.testing.assert_allclose(effort, [5.0, -0.5])


def test_no_time_no_change():
    limits = limiter()
    limits.seed([1, 1], 5)
    effort = np.array([50.0, -5.0])
    limits.limit(effort, 5)
    assert effort.tolist() == [1, 1]
    effort = np.array([50.0, -5.0])
    limits.limit(effort, 0)  # the clock went back
    assert effort.tolist() == [1, 1]


@pytest.mark.parametrize('bad', [float('nan'), float('inf'), -float('inf')])
def test_what_is_not_finite_never_passes(bad):
    limits = limiter()
    limits.seed([1, 1], 0)
    effort = np.array([0.0, bad])
    assert not limits.limit(effort, MS)
    assert limits.last.tolist() == [1, 1]


def test_lowered_limits_are_reached_by_the_rate_limit():
    limits = limiter()
    last = limits.seed([90, 5], 0)
    limits.configure(LimitsConfig(effort=(20.0,)))
    for k in range(1, 400):
        effort = np.array([90.0, 5.0])
        limits.limit(effort, 2 * k * MS)
        assert effort[0] <= last[0] and (np.abs(effort - last) <= 0.4 + 1e-9).all()
        assert limits.saturated == (0,)
        last = effort
    assert effort.tolist() == [20, 5]


def test_a_limit_of_nothing_is_refused():
    with pytest.raises(ConfigurationError, match='effort'):
        LimitsConfig(effort=(0.0,))


def test_a_joint_without_any_limit_must_be_configured():
    for described in (None, [np.inf, 1.0], [0.0, 1.0], [1e300, 1.0], [np.nan, 1.0]):
        for config in (LimitsConfig(), LimitsConfig(effort_rate=(5.0,))):
            with pytest.raises(ConfigurationError, match='joint a .*set limits.effort'):
                EffortLimiter(JOINTS, config, described)
    assert EffortLimiter(JOINTS, LimitsConfig(effort=(5.0,))).effort_limit.tolist() == [5, 5]


@settings(max_examples=200, deadline=None)
@given(strategies.lists(strategies.tuples(
    strategies.lists(strategies.floats(), min_size=2, max_size=2),
    strategies.integers(-10 * MS, 30 * MS)), max_size=30))
def test_whatever_comes_in_limits_and_rates_hold(sequence):
    limits = limiter()
    last = limits.seed([0, 0], 0).copy()
    now = passed = 0
    for values, step in sequence:
        now += step
        effort = np.array(values)
        if limits.limit(effort, now):
            assert np.isfinite(effort).all()
            assert (np.abs(effort) <= limits.effort_limit).all()
            credit = limits.effort_rate * max(now - passed, 0) * 1e-9
            assert (np.abs(effort - last) <= credit + 1e-9).all()
            last, passed = effort.copy(), now


def test_an_offset_fades_out_without_a_step():
    ramp = OffsetRamp()
    ramp.begin(np.array([10.0]), np.array([4.0]), 0, 1.0)
    values = []
    for k in range(1001):
        effort = np.array([4.0])
        ramp.add_to(effort, k * MS)
        values.append(effort[0])
    assert values[0] == 10.0 and values[-1] == 4.0
    assert np.abs(np.diff(values)).max() < 6 * 1.5e-3 * 1.001
    assert not ramp.active


def test_a_blend_goes_from_start_to_target():
    blend = Blend(np.array([1.0]), 0, 0.5)
    target = np.array([3.0])
    assert blend.at(target, 0)[0] == 1.0
    assert blend.at(target, 250 * MS)[0] == pytest.approx(2.0)
    assert blend.at(target, 500 * MS)[0] == 3.0
    assert blend.done(500 * MS) and not blend.done(499 * MS)


def test_a_ramp_without_duration_is_over_at_once():
    assert Blend(np.array([1.0]), 7, 0.0).at(np.array([3.0]), 7)[0] == 3.0


def test_the_smooth_step_has_no_slope_at_its_ends():
    assert smooth_step(-1) == 0 and smooth_step(2) == 1
    assert smooth_step(1e-4) < 1e-7 and 1 - smooth_step(1 - 1e-4) < 1e-7
