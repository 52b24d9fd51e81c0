"""The reader of launch files that the tests of launch files rely on, with real or stand-in API."""

from pathlib import Path

import launch_api
import pytest

LAUNCH_FILE = """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, OpaqueFunction
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile


def late(context):
    word = LaunchConfiguration('robot').perform(context)
    return [Node(package='robot_dynamics', executable=f'{word}_node',
                 parameters=[{'gains': [1.0, 2.0], 'rate': LaunchConfiguration('rate'),
                              'names': ['a', 'b'], 'label': '1'},
                             ParameterFile('some.yaml')],
                 remappings=[('in', ['/', LaunchConfiguration('robot'), '/in'])])]


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('robot', default_value='pa10', description='which robot'),
        DeclareLaunchArgument('rate', default_value='500.0', description='in Hz'),
        DeclareLaunchArgument('rviz', default_value='false', choices=['true', 'false'],
                              description='show it'),
        GroupAction([Node(package='rviz2', executable='rviz2')],
                    condition=IfCondition(LaunchConfiguration('rviz'))),
        Node(package='robot_dynamics', executable='quiet_node',
             condition=UnlessCondition(LaunchConfiguration('rviz'))),
        OpaqueFunction(function=late),
    ])
"""


@pytest.fixture
def launch_file(tmp_path: Path) -> Path:
    path = tmp_path / 'some.launch.py'
    path.write_text(LAUNCH_FILE, encoding='utf-8')
    return path


def test_declared_arguments_come_with_their_descriptions(launch_file):
    declared = launch_api.declared_arguments(launch_file)
    assert list(declared) == ['robot', 'rate', 'rviz']
    assert declared['rate'] == 'in Hz'
    assert declared['rviz'].rstrip('.') == 'show it'


def test_conditions_decide_which_nodes_start(launch_file):
    def started(**arguments):
        return [node['executable'] for node in launch_api.started_nodes(launch_file, arguments)]
    assert started() == ['quiet_node', 'pa10_node']
    assert started(rviz='true', robot='ur5') == ['rviz2', 'ur5_node']


def test_remappings_are_resolved_with_the_arguments(launch_file):
    last = launch_api.started_nodes(launch_file, {'robot': 'ur5'})[-1]
    assert last['remappings'] == [('in', '/ur5/in')]


def test_a_value_that_is_not_among_the_choices_is_refused(launch_file):
    with pytest.raises(RuntimeError, match='rviz'):
        launch_api.started_nodes(launch_file, {'rviz': 'perhaps'})


@pytest.mark.skipif(launch_api.REAL, reason='the real launch shows no parameters')
def test_parameters_are_resolved_and_typed_as_launch_ros_does(launch_file):
    last = launch_api.started_nodes(launch_file, {'rate': '250.0'})[-1]
    assert last['parameters'] == [
        {'gains': [1.0, 2.0], 'rate': 250.0, 'names': ['a', 'b'], 'label': '1'}, 'some.yaml']


@pytest.mark.parametrize('parameters, complaint', [
    ([{'value': None}], 'None'),
    ([{'value': object()}], 'object'),
])
def test_what_cannot_be_a_parameter_is_refused(parameters, complaint):
    with pytest.raises(TypeError, match=complaint):
        launch_api.Node(package='p', executable='e', parameters=parameters)
