"""From a scenario to what ``ros2 launch`` starts; the launch files are this and a name."""

from __future__ import annotations

import os
from typing import Any, List, Type

from ament_index_python.packages import get_package_share_directory, PackageNotFoundError
from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument, EmitEvent, ExecuteProcess, LogInfo, OpaqueFunction,
    SetEnvironmentVariable)
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile, ParameterValue

from robot_dynamics.app.graph import AnyProcess, CommandProcess, NodeProcess, Scenario
from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.resources import PACKAGE

# Shared memory of a process that was killed makes others deaf; who has chosen is left alone.
TRANSPORTS = 'FASTDDS_BUILTIN_TRANSPORTS'
CHOSEN_BY = (TRANSPORTS, 'FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE')


class RequiredProcessError(RobotDynamicsError):
    """A process has failed that the others are nothing without; launch then ends with 1."""


def launch_description(scenario: Type[Scenario]) -> LaunchDescription:
    """
    Return the arguments of a scenario, and the processes that it starts with their values.

    Once one of this package's processes ends, all do: with 0 if that one had done its work,
    otherwise with 1.  What another package has is left out, with a word, where it is missing.
    """
    arguments = scenario.arguments()

    def start(context: Any) -> List[Any]:
        texts = {a.name: LaunchConfiguration(a.name).perform(context) for a in arguments}
        chosen = scenario.from_texts(texts)
        chosen.check()
        return [_action(process) for process in chosen.processes()]

    return LaunchDescription([
        *(DeclareLaunchArgument(a.name, default_value=a.default, description=a.description,
                                choices=a.choices) for a in arguments),
        *([] if any(name in os.environ for name in CHOSEN_BY)
          else [SetEnvironmentVariable(TRANSPORTS, 'UDPv4')]),
        OpaqueFunction(function=start)])


def _action(process: AnyProcess) -> Any:
    def on_exit(event: Any, context: Any) -> Any:
        if context.is_shutdown:
            return None
        if event.returncode:
            raise RequiredProcessError(
                f'{process.name} ended with exit code {event.returncode}; its last lines say why')
        return EmitEvent(event=Shutdown(reason=f'{process.name} has ended'))

    if isinstance(process, CommandProcess):
        return ExecuteProcess(cmd=list(process.words), output='screen', on_exit=on_exit)
    if not _is_installed(process):
        return LogInfo(msg=f'{process.package} is not installed: {process.name} is not started')
    files = [ParameterFile(process.parameter_file)] if process.parameter_file else []
    values = {name: ParameterValue(value, value_type=str) if isinstance(value, str) else value
              for name, value in process.parameters.items()}
    ending = {'on_exit': on_exit} if process.package == PACKAGE else {}
    return Node(package=process.package, executable=process.executable, name=process.name,
                namespace=process.namespace, remappings=process.remappings, output='screen',
                arguments=process.arguments, parameters=[*files, values], **ending)


def _is_installed(process: NodeProcess) -> bool:
    try:
        return process.package == PACKAGE or bool(get_package_share_directory(process.package))
    except (PackageNotFoundError, OSError):
        return False
