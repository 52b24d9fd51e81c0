"""From a scenario to what ``ros2 launch`` starts; the launch files are this and a name."""

from __future__ import annotations

from typing import Any, List, Type, Union

from ament_index_python.packages import get_package_share_directory, PackageNotFoundError
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile, ParameterValue

from robot_dynamics.app.graph import CommandProcess, NodeProcess, Scenario
from robot_dynamics.core.resources import PACKAGE


def launch_description(scenario: Type[Scenario]) -> LaunchDescription:
    """Return the arguments of a scenario, and the processes that it starts with their values."""
    arguments = scenario.arguments()

    def start(context: Any) -> List[Any]:
        texts = {a.name: LaunchConfiguration(a.name).perform(context) for a in arguments}
        return [_action(process) for process in scenario.from_texts(texts).processes()
                if _is_installed(process)]

    return LaunchDescription([
        *(DeclareLaunchArgument(a.name, default_value=a.default, description=a.description,
                                choices=a.choices) for a in arguments),
        OpaqueFunction(function=start)])


def _action(process: Union[NodeProcess, CommandProcess]) -> Any:
    if isinstance(process, CommandProcess):
        return ExecuteProcess(cmd=list(process.words), output='screen')
    files = [ParameterFile(process.parameter_file)] if process.parameter_file else []
    values = {name: ParameterValue(value, value_type=str) if isinstance(value, str) else value
              for name, value in process.parameters.items()}
    return Node(package=process.package, executable=process.executable, name=process.name,
                namespace=process.namespace, remappings=process.remappings, output='screen',
                arguments=process.arguments, parameters=[*files, values])


def _is_installed(process: Union[NodeProcess, CommandProcess]) -> bool:
    if isinstance(process, CommandProcess) or process.package == PACKAGE:
        return True
    try:
        return bool(get_package_share_directory(process.package))
    except (PackageNotFoundError, OSError):
        return False
