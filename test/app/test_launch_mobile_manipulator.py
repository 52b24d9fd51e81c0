from launch_api import declared_arguments, REAL, started_nodes
import pytest

OURS = {'ship_motion_publisher', 'reference_trajectory_node', 'feedforward_node',
        'simulated_robot_node'}


@pytest.fixture
def launch_file(repository):
    return repository / 'launch' / 'mobile_manipulator.launch.py'


def nodes_by_executable(path, **arguments):
    return {node['executable']: node for node in started_nodes(path, arguments)}


def parameters_of(node):
    values = {}
    for entry in node['parameters']:
        if isinstance(entry, dict):
            values.update(entry)
    return values


def test_every_argument_has_a_description(launch_file):
    for name, description in declared_arguments(launch_file).items():
        assert description.endswith('.') and len(description) > 20, name


def test_the_four_nodes_are_started_with_a_command_topic_for_each_controller(launch_file):
    nodes = nodes_by_executable(launch_file)
    assert OURS <= set(nodes)
    rules = [tuple(rule) for rule in nodes['feedforward_node']['remappings']]
    assert ('~/wheel_commands', 'wheel_controller/commands') in rules
    assert ('~/arm_commands', 'arm_controller/commands') in rules


@pytest.mark.parametrize('argument', [
    'feedforward:=both', 'deck:=perhaps', 'mass_error_percent:=much'])
def test_a_value_that_an_argument_does_not_take_is_refused(launch_file, argument):
    name, value = argument.split(':=')
    with pytest.raises(Exception, match=name):
        started_nodes(launch_file, {name: value})


@pytest.mark.skipif(REAL, reason='the real launch does not show parameters before the start')
@pytest.mark.parametrize('deck', ['true', 'false'])
def test_the_deck_is_known_to_ship_robot_and_feedforward_alike(launch_file, deck):
    nodes = nodes_by_executable(launch_file, deck=deck)
    moving = deck == 'true'
    assert parameters_of(nodes['feedforward_node'])['base_motion'] == (
        'moving' if moving else 'fixed')
    for name in ('ship_motion_publisher', 'simulated_robot_node'):
        assert ('ship.roll.amplitude' in parameters_of(nodes[name])) == (not moving)


@pytest.mark.skipif(REAL, reason='the real launch does not show parameters before the start')
def test_an_imu_on_the_platform_comes_from_the_robot_and_not_from_the_ship(launch_file):
    nodes = nodes_by_executable(launch_file, deck='true', imu_on='platform')
    assert 'ship_motion_publisher' not in nodes
    assert parameters_of(nodes['simulated_robot_node'])['platform_imu'] is True
    assert parameters_of(nodes['feedforward_node'])['mobile.imu_on'] == 'platform'


@pytest.mark.skipif(REAL, reason='the real launch does not show parameters before the start')
def test_uncoupled_feedforward_reaches_the_node(launch_file):
    values = parameters_of(nodes_by_executable(
        launch_file, feedforward='uncoupled')['feedforward_node'])
    assert values['mobile.coupled'] is False and values['feedforward'] is True
