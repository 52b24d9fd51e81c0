"""Play a recording into the feedforward: it commands as if it were there."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile

from robot_dynamics.app.replay_graph import Replay, REPLAY_ARGUMENTS


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(a.name, description=a.description, choices=a.choices,
                                default_value=None if a.name == 'bag' else a.default)
          for a in REPLAY_ARGUMENTS),
        OpaqueFunction(function=start)])


def start(context):
    replay = Replay.from_texts({
        a.name: LaunchConfiguration(a.name).perform(context) for a in REPLAY_ARGUMENTS})
    node = replay.feedforward()
    return [
        Node(package=node.package, executable=node.executable, name=node.name, output='screen',
             remappings=node.remappings,
             parameters=[ParameterFile(node.parameter_file), dict(node.parameters)]),
        ExecuteProcess(cmd=replay.player(), output='screen')]
