"""What the launch files declare and start."""

from types import SimpleNamespace

from launch_api import (
    declared_arguments, EmitEvent, ExecuteProcess, LogInfo, Node, REAL, started_nodes, walk)
import pytest

from robot_dynamics.app.scenarios import MobileScenario, Replay, ShipPa10
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.nodes.launch_description import CHOSEN_BY, RequiredProcessError, TRANSPORTS

SIMULATION = {'ship_motion_publisher', 'reference_trajectory_node', 'feedforward_node',
              'simulated_robot_node'}
SCENARIOS = {'ship_pa10': ShipPa10, 'mobile_manipulator': MobileScenario, 'replay': Replay}

shows_parameters = pytest.mark.skipif(
    REAL, reason='the real launch does not show parameters before the start')


@pytest.fixture
def launch_file(repository):
    return lambda scenario: repository / 'launch' / f'{scenario}.launch.py'


@pytest.fixture
def nodes_of(launch_file):
    """Return the nodes that a scenario starts with some arguments, by executable."""
    return lambda scenario, **arguments: {
        node['executable']: node for node in started_nodes(launch_file(scenario), arguments)}


@pytest.fixture
def player(tmp_path, monkeypatch):
    """Put something called ros2 on the path."""
    (tmp_path / 'ros2').write_text('#!/bin/sh\n')
    (tmp_path / 'ros2').chmod(0o755)
    monkeypatch.setenv('PATH', str(tmp_path))


def parameters_of(node):
    return {name: value for entry in node['parameters'] if isinstance(entry, dict)
            for name, value in entry.items()}


def topics_of(node):
    return [tuple(rule) for rule in node['remappings']]


@pytest.mark.parametrize('scenario', ['ship_pa10', 'mobile_manipulator'])
def test_every_argument_is_described_and_is_that_of_the_scenario(launch_file, scenario):
    declared = declared_arguments(launch_file(scenario))
    assert list(declared) == [argument.name for argument in SCENARIOS[scenario].arguments()]
    for name, description in declared.items():
        assert description.endswith('.') and len(description) > 20, name


def test_the_nodes_are_started(nodes_of):
    assert SIMULATION | {'effort_guard_node'} <= set(nodes_of('ship_pa10'))
    assert SIMULATION <= set(nodes_of('mobile_manipulator'))


def test_the_commands_reach_the_simulated_robot(nodes_of):
    assert ('~/commands', 'effort_controller/commands') in topics_of(
        nodes_of('ship_pa10', guard='false')['feedforward_node'])
    rules = topics_of(nodes_of('mobile_manipulator')['feedforward_node'])
    assert ('~/wheel_commands', 'wheel_controller/commands') in rules
    assert ('~/arm_commands', 'arm_controller/commands') in rules


@pytest.mark.parametrize('scenario, argument', [
    ('ship_pa10', 'method:=newton'), ('ship_pa10', 'base_motion:=both'),
    ('ship_pa10', 'friction:=maybe'), ('ship_pa10', 'sea_state:=rough'),
    ('ship_pa10', 'sea_state:=4.5'), ('ship_pa10', 'sea_state:=9'), ('ship_pa10', 'sea_seed:=nan'),
    ('ship_pa10', 'base_distance:=1e4'), ('ship_pa10', 'duration:=-1'),
    ('mobile_manipulator', 'feedforward:=both'), ('mobile_manipulator', 'deck:=perhaps'),
    ('mobile_manipulator', 'mass_error_percent:=much'), ('replay', 'rate:=0')])
def test_a_value_that_an_argument_does_not_take_is_refused(launch_file, scenario, argument):
    name, value = argument.split(':=')
    given = {'bag': '.'} if scenario == 'replay' else {}
    with pytest.raises(Exception, match=name):
        started_nodes(launch_file(scenario), {**given, name: value})


@pytest.mark.parametrize('word', ['true', 'True', '1'])
def test_yes_is_taken_in_the_spelling_of_yaml_and_of_python(word):
    texts = {argument.name: argument.default for argument in ShipPa10.arguments()}
    assert ShipPa10.from_texts({**texts, 'friction': word}).friction is True


@pytest.mark.parametrize('friction', [False, True])
def test_a_simulated_arm_with_drives_gets_the_feedback_that_suits_drives(friction):
    scenario = ShipPa10(friction=friction)
    ratio = scenario.feedforward_parameters()['feedback_inertia_ratio']
    assert ratio == (FeedforwardConfig().feedback_inertia_ratio if friction else 1e6)
    node = next(one for one in scenario.processes() if one.name == 'feedforward')
    assert ('feedback_inertia_ratio' in node.parameters) == friction


@shows_parameters
def test_arguments_arrive_as_parameters_of_the_nodes(nodes_of):
    nodes = nodes_of('ship_pa10', method='lagrange_euler', base_motion='fixed', friction='true',
                     lockstep='true', mass_error_percent='10', namespace='port')
    feedforward = parameters_of(nodes['feedforward_node'])
    assert feedforward['method'] == 'lagrange_euler'
    assert feedforward['base_motion'] == 'fixed'
    assert feedforward['lockstep_base_period'] == 0.01
    robot = parameters_of(nodes['simulated_robot_node'])
    assert robot['arm.friction'] is True
    assert robot['arm.mass_error_percent'] == 10.0
    assert robot['lockstep'] is True
    assert parameters_of(nodes['ship_motion_publisher'])['use_sim_time'] is True
    assert {nodes[name]['namespace'] for name in SIMULATION} == {'port'}
    values = parameters_of(nodes_of(
        'mobile_manipulator', feedforward='uncoupled')['feedforward_node'])
    assert values['mobile.coupled'] is False and values['feedforward'] is True


def test_the_guard_stands_in_the_way_of_the_commands_except_in_lockstep(nodes_of):
    nodes = nodes_of('ship_pa10')
    assert 'effort_guard_node' in nodes
    assert ('~/commands', 'effort_controller/commands') not in topics_of(nodes['feedforward_node'])
    assert 'effort_guard_node' not in nodes_of('ship_pa10', lockstep='true')


@shows_parameters
@pytest.mark.parametrize('scenario', ['ship_pa10', 'mobile_manipulator'])
def test_ship_reference_and_robot_share_one_epoch(nodes_of, scenario):
    nodes = nodes_of(scenario)
    epochs = {parameters_of(nodes[name]).get('epoch')
              for name in SIMULATION - {'feedforward_node'}}
    assert len(epochs) == 1 and epochs.pop() > 1e9
    given = nodes_of(scenario, epoch='12.5')['simulated_robot_node']
    assert parameters_of(given)['epoch'] == 12.5


@shows_parameters
@pytest.mark.parametrize('scenario, argument, moves', [
    ('ship_pa10', {'still_deck': 'true'}, False), ('ship_pa10', {'still_deck': 'false'}, True),
    ('mobile_manipulator', {'deck': 'false'}, False),
    ('mobile_manipulator', {'deck': 'true'}, True)])
def test_whether_the_deck_moves_is_known_to_publisher_and_robot_alike(
        nodes_of, scenario, argument, moves):
    nodes = nodes_of(scenario, **argument)
    for name in ('ship_motion_publisher', 'simulated_robot_node'):
        values = parameters_of(nodes[name])
        assert ('ship.roll.amplitude' in values) != moves
        assert moves or list(values['ship.roll.amplitude']) == [0.0]
    if scenario == 'mobile_manipulator':
        assert parameters_of(nodes['feedforward_node'])['base_motion'] == (
            'moving' if moves else 'fixed')


def test_what_is_not_installed_is_not_started_and_that_is_said(nodes_of, launch_file, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', '')
    assert set(nodes_of('ship_pa10', rviz='true')) == SIMULATION | {'effort_guard_node'}
    said = [''.join(getattr(part, 'text', part) for part in entity.msg)
            for entity, _ in walk(launch_file('ship_pa10'), {'rviz': 'true'})
            if isinstance(entity, LogInfo)]
    assert any('rviz2 is not installed' in line for line in said)


@shows_parameters
def test_a_sea_state_reaches_publisher_and_robot_alike(nodes_of):
    nodes = nodes_of('ship_pa10', sea_state='5', wave_direction_deg='180', sea_seed='3',
                     base_distance='12', estimator='savitzky_golay')
    for name in ('ship_motion_publisher', 'simulated_robot_node'):
        values = parameters_of(nodes[name])
        assert values['ship.mode'] == 'irregular' and values['ship.sea_state'] == 5
        assert values['ship.wave_direction_deg'] == 180.0 and values['ship.seed'] == 3
        assert list(values.get('base_point', values.get('arm.base_point'))) == [12.0, 0.0, 0.0]
    assert parameters_of(nodes['feedforward_node'])['estimator'] == 'savitzky_golay'


@shows_parameters
def test_an_imu_on_the_platform_comes_from_the_robot_and_not_from_the_ship(nodes_of):
    nodes = nodes_of('mobile_manipulator', deck='true', imu_on='platform')
    assert 'ship_motion_publisher' not in nodes
    assert parameters_of(nodes['simulated_robot_node'])['platform_imu'] is True
    assert parameters_of(nodes['feedforward_node'])['mobile.imu_on'] == 'platform'


def test_the_bag_has_to_be_given(launch_file):
    with pytest.raises(RuntimeError, match='bag'):
        list(walk(launch_file('replay'), {}))


@pytest.mark.parametrize('arguments', [
    {'bag': 'nowhere'}, {'bag': '.', 'robot': 'nowhere'}, {'bag': '.', 'parameters': 'nowhere'}])
def test_a_replay_without_its_files_does_not_begin(launch_file, player, arguments):
    with pytest.raises(ConfigurationError, match=':=nowhere: there is no such file'):
        started_nodes(launch_file('replay'), arguments)


def test_a_replay_without_a_player_does_not_begin(launch_file, monkeypatch):
    monkeypatch.setenv('PATH', '')
    with pytest.raises(ConfigurationError, match='ros2 is not on PATH'):
        started_nodes(launch_file('replay'), {'bag': '.'})


@pytest.mark.parametrize('chosen', ['', *CHOSEN_BY])
def test_nodes_share_no_memory_with_killed_ones_unless_transports_were_chosen(
        launch_file, monkeypatch, chosen):
    for name in CHOSEN_BY:
        monkeypatch.delenv(name, raising=False)
    if chosen:
        monkeypatch.setenv(chosen, 'mine')
    set_to = {context.environment.get(TRANSPORTS) for entity, context
              in walk(launch_file('ship_pa10'), {}) if isinstance(entity, Node)}
    assert set_to <= ({'UDPv4'} if not chosen else {None, 'mine'}) and set_to


def test_once_a_process_of_ours_ends_all_do_and_a_failure_is_told(launch_file):
    """Launch turns an exception of a handler into exit code 1."""
    ends = [entity.options['on_exit'] if not REAL else entity._ExecuteLocal__on_exit
            for entity, _ in walk(launch_file('ship_pa10'), {})
            if isinstance(entity, Node)]
    assert len(ends) == 5
    running, ending = (SimpleNamespace(is_shutdown=done) for done in (False, True))
    for end in ends:
        with pytest.raises(RequiredProcessError, match='exit code 2'):
            end(SimpleNamespace(returncode=2), running)
        assert isinstance(end(SimpleNamespace(returncode=0), running), EmitEvent)
        assert end(SimpleNamespace(returncode=2), ending) is None


def test_the_recording_is_played_with_its_clock_into_the_feedforward(launch_file, player):
    path, arguments = launch_file('replay'), {'bag': '.', 'reference_topic': '/arm/desired'}
    node, = started_nodes(path, arguments)
    assert node['executable'] == 'feedforward_node'
    assert ('reference', '/arm/desired') in topics_of(node)
    players = [entity for entity, _ in walk(path, arguments)
               if isinstance(entity, ExecuteProcess) and not isinstance(entity, Node)]
    assert len(players) == 1
    if not REAL:
        values = parameters_of(node)
        assert values['use_sim_time'] is True
        assert 'robot_description' not in values


def test_every_argument_of_the_replay_reaches_its_processes():
    node, player = Replay('sea_trial', 'r.urdf', 'p.yaml', 2.0, 'fixed').processes()
    assert tuple(player.words[:4]) == ('ros2', 'bag', 'play', 'sea_trial')
    assert '--clock' in player.words
    assert player.words[player.words.index('--rate') + 1] == '2'
    assert node.parameters['robot_description'] == 'r.urdf'
    assert node.parameters['base_motion'] == 'fixed'
    assert node.parameter_file == 'p.yaml'
