from launch_api import declared_arguments, REAL, started_nodes
import pytest

from robot_dynamics.core.errors import ConfigurationError

OURS = {'ship_motion_publisher', 'reference_trajectory_node', 'feedforward_node',
        'simulated_robot_node', 'effort_guard_node'}


@pytest.fixture
def launch_file(repository):
    return repository / 'launch' / 'ship_pa10.launch.py'


def nodes_by_executable(path, **arguments):
    return {node['executable']: node for node in started_nodes(path, arguments)}


def test_every_argument_has_a_description(launch_file):
    for name, description in declared_arguments(launch_file).items():
        assert description.endswith('.') and len(description) > 20, name


def test_the_nodes_are_started(launch_file):
    assert OURS <= set(nodes_by_executable(launch_file))


def test_the_commands_reach_the_simulated_robot(launch_file):
    rules = nodes_by_executable(launch_file, guard='false')['feedforward_node']['remappings']
    assert ('~/commands', 'effort_controller/commands') in [tuple(rule) for rule in rules]


@pytest.mark.parametrize('argument', ['method:=newton', 'base_motion:=both', 'friction:=maybe'])
def test_a_value_that_an_argument_does_not_take_is_refused(launch_file, argument):
    name, value = argument.split(':=')
    with pytest.raises(RuntimeError, match=name):
        started_nodes(launch_file, {name: value})


def parameters_of(node):
    values = {}
    for entry in node['parameters']:
        if isinstance(entry, dict):
            values.update(entry)
    return values


@pytest.mark.skipif(REAL, reason='the real launch does not show parameters before the start')
def test_arguments_arrive_as_parameters_of_the_nodes(launch_file):
    nodes = nodes_by_executable(
        launch_file, method='lagrange_euler', base_motion='fixed', friction='true',
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
    assert {nodes[name]['namespace'] for name in OURS - {'effort_guard_node'}} == {'port'}


def test_the_guard_stands_in_the_way_of_the_commands_except_in_lockstep(launch_file):
    nodes = nodes_by_executable(launch_file)
    rules = [tuple(rule) for rule in nodes['feedforward_node']['remappings']]
    assert 'effort_guard_node' in nodes
    assert ('~/commands', 'effort_controller/commands') not in rules
    assert 'effort_guard_node' not in nodes_by_executable(launch_file, lockstep='true')


@pytest.mark.skipif(REAL, reason='the real launch does not show parameters before the start')
def test_ship_reference_and_robot_share_one_epoch(launch_file):
    nodes = nodes_by_executable(launch_file)
    names = OURS - {'feedforward_node', 'effort_guard_node'}
    epochs = {parameters_of(nodes[name]).get('epoch') for name in names}
    assert len(epochs) == 1 and None not in epochs


@pytest.mark.skipif(REAL, reason='the real launch does not show parameters before the start')
def test_a_still_deck_is_still_for_publisher_and_robot(launch_file):
    nodes = nodes_by_executable(launch_file, still_deck='true')
    for name in ('ship_motion_publisher', 'simulated_robot_node'):
        assert parameters_of(nodes[name])['ship.roll.amplitude'] in ([0.0], (0.0,))


def test_what_is_not_installed_is_not_started(launch_file, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', '')
    assert set(nodes_by_executable(launch_file, rviz='true')) == OURS


@pytest.mark.skipif(REAL, reason='the real launch does not show parameters before the start')
def test_a_sea_state_reaches_publisher_and_robot_alike(launch_file):
    nodes = nodes_by_executable(
        launch_file, sea_state='5', wave_direction_deg='180', sea_seed='3', base_distance='12',
        estimator='savitzky_golay')
    for name in ('ship_motion_publisher', 'simulated_robot_node'):
        values = parameters_of(nodes[name])
        assert values['ship.mode'] == 'irregular' and values['ship.sea_state'] == 5
        assert values['ship.wave_direction_deg'] == 180.0 and values['ship.seed'] == 3
        assert list(values.get('base_point', values.get('arm.base_point'))) == [12.0, 0.0, 0.0]
    assert parameters_of(nodes['feedforward_node'])['estimator'] == 'savitzky_golay'


@pytest.mark.parametrize('argument', ['sea_state:=rough', 'sea_state:=4.5', 'sea_seed:=nan'])
def test_a_sea_that_is_no_whole_number_is_refused(launch_file, argument):
    name, value = argument.split(':=')
    with pytest.raises(ConfigurationError, match=name):
        started_nodes(launch_file, {name: value})
