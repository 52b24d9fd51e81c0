"""A simulated PA10 on a moving ship; the feedforward closes the loop over DDS."""

from ament_index_python.packages import get_package_share_directory, PackageNotFoundError
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile, ParameterValue

from robot_dynamics.app.launch_arguments import ship_pa10, SHIP_PA10_ARGUMENTS


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(argument.name, default_value=argument.default,
                                description=argument.description, choices=argument.choices)
          for argument in SHIP_PA10_ARGUMENTS),
        OpaqueFunction(function=start)])


def start(context):
    texts = {argument.name: LaunchConfiguration(argument.name).perform(context)
             for argument in SHIP_PA10_ARGUMENTS}
    return [Node(
        package=process.package, executable=process.executable, name=process.name,
        namespace=process.namespace, remappings=process.remappings, output='screen',
        arguments=process.arguments, parameters=[
            *([ParameterFile(process.parameter_file)] if process.parameter_file else []),
            {name: ParameterValue(value, value_type=str) if isinstance(value, str) else value
             for name, value in process.parameters.items()}])
        for process in ship_pa10(texts).processes() if is_installed(process.package)]


def is_installed(package):
    try:
        return package == 'robot_dynamics' or bool(get_package_share_directory(package))
    except (PackageNotFoundError, OSError):
        return False
