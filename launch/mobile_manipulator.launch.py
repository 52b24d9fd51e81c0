"""A simulated arm on a differential drive; the feedforward of both closes the loop over DDS."""

from ament_index_python.packages import get_package_share_directory, PackageNotFoundError
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile, ParameterValue

from robot_dynamics.app.mobile_launch_arguments import MOBILE_ARGUMENTS, mobile_manipulator


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(a.name, default_value=a.default, description=a.description,
                                choices=a.choices) for a in MOBILE_ARGUMENTS),
        OpaqueFunction(function=start)])


def start(context):
    texts = {a.name: LaunchConfiguration(a.name).perform(context) for a in MOBILE_ARGUMENTS}
    processes = mobile_manipulator(texts).processes()
    return [node(process) for process in processes if is_installed(process.package)]


def node(process):
    files = [ParameterFile(process.parameter_file)] if process.parameter_file else []
    values = {name: ParameterValue(value, value_type=str) if isinstance(value, str) else value
              for name, value in process.parameters.items()}
    return Node(package=process.package, executable=process.executable, name=process.name,
                namespace=process.namespace, remappings=process.remappings, output='screen',
                arguments=process.arguments, parameters=[*files, values])


def is_installed(package):
    try:
        return package == 'robot_dynamics' or bool(get_package_share_directory(package))
    except (PackageNotFoundError, OSError):
        return False
