"""Configuration fields carry their ranges, and refuse what is outside."""

import dataclasses

import pytest

from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.guard import GuardConfig
from robot_dynamics.control.rolling_trajectory import RollingTrajectoryConfig
from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.parameters import (
    config_from_parameters, parameter_specs, parameter_values)
from robot_dynamics.core.per_joint import per_joint
from robot_dynamics.simulation.simulated_robot import SimulatedRobotConfig

CONFIGS = (FeedforwardConfig, GuardConfig, RollingTrajectoryConfig, SimulatedRobotConfig)


@pytest.mark.parametrize('config', CONFIGS)
def test_every_field_is_described_and_every_number_bounded(config):
    for spec in parameter_specs(config):
        assert len(spec.description) > 10 or spec.description == 'of the noise', spec.name
        if spec.element_type in (int, float):
            assert spec.minimum is not None and spec.maximum is not None, spec.name


@pytest.mark.parametrize('config', CONFIGS)
def test_every_number_outside_its_range_is_refused_by_name(config):
    for spec in parameter_specs(config):
        if spec.element_type not in (int, float):
            continue
        for bad in (spec.minimum - 1, spec.maximum * 2 + 1, float('nan'), 'word', True):
            value = (bad,) if spec.is_list else bad
            with pytest.raises(ConfigurationError, match=spec.name.split('.')[-1]):
                config_from_parameters(config, {spec.name: value})


@pytest.mark.parametrize('config', CONFIGS)
def test_every_unknown_word_is_refused_with_the_choices(config):
    for spec in parameter_specs(config):
        if spec.choices:
            value = ('nonsense',) if spec.is_list else 'nonsense'
            with pytest.raises(ConfigurationError, match=spec.choices[0]):
                config_from_parameters(config, {spec.name: value})


@pytest.mark.parametrize('config', CONFIGS)
def test_values_survive_the_way_through_flat_parameters(config):
    assert config_from_parameters(config, parameter_values(config())) == config()


def test_lists_and_whole_numbers_are_brought_to_the_declared_kind():
    config = config_from_parameters(
        FeedforwardConfig, {'natural_frequency': [15], 'joints': ['a', 'b'], 'gravity': 9})
    assert config.natural_frequency == (15.0,)
    assert config.joints == ('a', 'b')
    assert isinstance(config.gravity, float)


def test_nested_parameters_have_dotted_names():
    config = config_from_parameters(FeedforwardConfig, {'watchdog.hold_time': 0.1})
    assert config.watchdog.hold_time == 0.1
    assert config.ramp == FeedforwardConfig().ramp


def test_an_unknown_parameter_is_named_with_similar_ones():
    with pytest.raises(UnknownNameError, match='watchdog.hold_time'):
        config_from_parameters(FeedforwardConfig, {'watchdog.holdtime': 0.1})


def test_a_fraction_is_no_whole_number():
    with pytest.raises(ConfigurationError, match='whole number'):
        SimulatedRobotConfig(seed=1.5)


def test_a_configuration_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        FeedforwardConfig().gravity = 1.0


def test_terms_cannot_be_left_out_where_orientation_may_be_missing():
    with pytest.raises(ConfigurationError, match='leave_out'):
        FeedforwardConfig(leave_out=('gravity',), require_orientation=False)


def test_a_joint_named_twice_is_refused():
    with pytest.raises(ConfigurationError, match='twice'):
        FeedforwardConfig(joints=('a', 'b', 'a'))


def test_per_joint_values_are_spread_or_must_match_the_joints():
    assert per_joint('x', (2.0,), ('a', 'b')).tolist() == [2.0, 2.0]
    assert per_joint('x', (), ('a', 'b'), 7.0).tolist() == [7.0, 7.0]
    assert per_joint('x', (1.0, 2.0), ('a', 'b')).tolist() == [1.0, 2.0]
    with pytest.raises(ConfigurationError, match='x: has 3 values'):
        per_joint('x', (1.0, 2.0, 3.0), ('a', 'b'))
