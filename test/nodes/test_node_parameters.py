import dataclasses
import subprocess
import sys

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import check_parameters, group, parameter
from robot_dynamics.nodes.parameters import ParameterSet
from robot_dynamics.nodes.unknown_parameters import unknown_parameters


@dataclasses.dataclass(frozen=True)
class Inner:
    time: float = parameter(0.5, 'how long it takes', 's', 0.0, 10.0)
    ways: tuple[str, ...] = parameter(('up',), 'where to', choices=('up', 'down'))

    def __post_init__(self):
        check_parameters(self)


@dataclasses.dataclass(frozen=True)
class Config:
    gain: float = parameter(2.0, 'how strong it is', 'Nm', 0.0, 5.0)
    mode: str = parameter('slow', 'how it goes', choices=('slow', 'fast'), live=False)
    joints: tuple[str, ...] = parameter((), 'which joints')
    limits: tuple[float, ...] = parameter((), 'how far', 'rad', 0.0, 3.0)
    inner: Inner = group(Inner)

    def __post_init__(self):
        check_parameters(self)


@pytest.fixture
def make_node(ros_domain):
    made = []

    def make(*arguments):
        context = Context()
        rclpy.init(context=context)
        node = Node('tested', context=context, cli_args=['--ros-args', *arguments])
        made.append((node, context))
        return node

    yield make
    for node, context in made:
        node.destroy_node()
        context.try_shutdown()


def test_defaults_land_in_the_dataclass(make_node):
    assert ParameterSet(make_node(), Config).config == Config()


def test_values_of_the_command_line_land_in_the_dataclass(make_node):
    node = make_node('-p', 'gain:=3.0', '-p', 'joints:=[b, a]', '-p', 'limits:=[1.0, 2.0]',
                     '-p', 'inner.time:=0.1')
    config = ParameterSet(node, Config).config
    assert config == Config(3.0, 'slow', ('b', 'a'), (1.0, 2.0), Inner(0.1))


def test_description_unit_and_range_are_declared(make_node):
    node = make_node()
    ParameterSet(node, Config)
    described = node.describe_parameter('inner.time')
    assert described.description == 'how long it takes [s]'
    assert (described.floating_point_range[0].from_value,
            described.floating_point_range[0].to_value) == (0.0, 10.0)
    assert 'slow, fast' in node.describe_parameter('mode').additional_constraints
    assert node.describe_parameter('mode').read_only
    assert not node.describe_parameter('gain').read_only


@pytest.mark.parametrize('argument, words', [
    ('gain:=7.0', 'gain'),
    ('gain:=2', 'parameter gain: expected a double; write 2.0 instead of 2'),
    ('limits:=1.5', r'expected a double array; write \[1.5\] instead of 1.5'),
    ('limits:=[1, 2]', r'double array; write \[1.0, 2.0\] instead of '),
    ('joints:=elbow', r"string array; write \['elbow'\] instead of 'elbow'"),
    ('mode:=quick', 'slow, fast'),
    ('gain:=.nan', 'parameter gain: expected a value from 0 to 5 Nm'),
    ('limits:=[1.0, 9.0]', 'limits'),
    ('inner.ways:=[east]', "^parameter inner.ways: is 'east', expected one of up, down"),
    ('limits:=[1.0, .nan]', 'limits'), ('joints:=3', 'string array')])
def test_a_wrong_value_at_the_start_is_refused_by_name(make_node, argument, words):
    with pytest.raises(ConfigurationError, match=words):
        ParameterSet(make_node('-p', argument), Config)


def test_a_misspelt_name_is_found_and_one_meant_for_another_node_is_not(make_node):
    node = make_node('-p', 'iner.time:=0.1', '-p', 'ship.roll.period:=[4.0]', '-p', 'gain:=3.0')
    ParameterSet(node, Config)
    assert unknown_parameters(node) == [('iner.time', 'inner.time')]


@pytest.mark.parametrize('arguments', [['--params-file', 'absent.yaml'], ['--absent']])
def test_arguments_that_ros_refuses_end_a_node_with_a_line_and_code_2(ros_domain, arguments):
    node = [sys.executable, '-m', 'robot_dynamics.nodes.reference_trajectory_node', '--ros-args']
    done = subprocess.run([*node, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and 'Traceback' not in done.stderr
    assert 'cannot start with these arguments: ' in done.stderr and arguments[-1] in done.stderr


def change(node, name, value):
    return node.set_parameters([Parameter(name, value=value)])[0]


def test_an_accepted_change_is_seen_by_the_listener_and_in_the_configuration(make_node):
    node, seen = make_node(), []
    parameters = ParameterSet(node, Config)
    parameters.on_change(seen.append)
    assert change(node, 'inner.time', 2.0).successful
    assert seen == [parameters.config]
    assert parameters.config.inner.time == 2.0


def test_a_change_refused_by_the_listener_gives_its_reason_and_changes_nothing(make_node):
    node = make_node()
    parameters = ParameterSet(node, Config)

    def refuse(config):
        raise ConfigurationError(f'gain: {config.gain:g} would break the arm')

    parameters.on_change(refuse)
    result = change(node, 'gain', 4.0)
    assert not result.successful
    assert result.reason == 'gain: 4 would break the arm'
    assert parameters.config.gain == node.get_parameter('gain').value == 2.0


def test_a_change_that_nobody_would_act_on_is_refused(make_node):
    node = make_node()
    parameters = ParameterSet(node, Config)
    result = change(node, 'gain', 4.0)
    assert not result.successful and 'gain' in result.reason
    assert parameters.config.gain == node.get_parameter('gain').value == 2.0


def test_what_is_not_live_may_change_only_while_it_is_not_fixed(make_node):
    node, fixed = make_node(), [False]
    parameters = ParameterSet(node, Config, fixed=lambda: fixed[0])
    parameters.on_change(lambda config: None)
    assert change(node, 'mode', 'fast').successful
    fixed[0] = True
    result = change(node, 'mode', 'slow')
    assert not result.successful and result.reason.startswith('mode: cannot change')
    assert result.reason.endswith('deactivate it and clean it up first')
    assert parameters.config.mode == 'fast'
    assert change(node, 'gain', 1.0).successful


@dataclasses.dataclass(frozen=True)
class Other:
    weight: float = parameter(1.0, 'how heavy it is', 'kg', 0.0, 9.0)
    colour: str = parameter('red', 'how it looks', live=False)

    def __post_init__(self):
        check_parameters(self)


@pytest.mark.parametrize('registered', [(Config, Other), (Other, Config)])
@pytest.mark.parametrize('wrong', [('weight', 7.0), ('colour', 'blue')])
def test_a_request_across_sets_is_taken_as_a_whole_or_not_at_all(make_node, registered, wrong):
    node, in_force = make_node(), {}
    sets = {kind: ParameterSet(node, kind, fixed=lambda: True) for kind in registered}

    def act(config):
        if config == Other(weight=7.0):
            raise ConfigurationError('weight: too heavy')
        in_force[type(config)] = config

    for parameters in sets.values():
        parameters.on_change(act)
    good = [Parameter('gain', value=4.0), Parameter('weight', value=2.0)]
    assert node.set_parameters_atomically(good).successful
    assert in_force == {Config: Config(gain=4.0), Other: Other(weight=2.0)}
    for request in (['gain', wrong[0]], [wrong[0], 'gain']):
        result = node.set_parameters_atomically([
            Parameter(name, value=dict([wrong, ('gain', 1.0)])[name]) for name in request])
        assert not result.successful and result.reason.startswith(wrong[0])
        assert in_force == {Config: Config(gain=4.0), Other: Other(weight=2.0)}
        assert {kind: parameters.config for kind, parameters in sets.items()} == in_force
        assert node.get_parameter('gain').value == 4.0


def test_defaults_of_a_node_replace_those_of_the_class(make_node):
    assert ParameterSet(make_node(), Config, {'inner.time': 3.0}).config.inner.time == 3.0
