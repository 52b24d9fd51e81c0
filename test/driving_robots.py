"""Robots on wheels that tests drive: on two, and the same robot on four mecanum wheels."""

from pathlib import Path
import re

from robot_dynamics import RobotModel
from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.core.resources import resource_path

ARM = ('arm1', 'arm2', 'arm3')
TWO_WHEELS = DrivingConfig(left_wheel='left_wheel_joint', right_wheel='right_wheel_joint')
FOUR_WHEELS = DrivingConfig(
    left_wheel='left_wheel_joint', right_wheel='right_wheel_joint',
    rear_left_wheel='rear_left_wheel_joint', rear_right_wheel='rear_right_wheel_joint')
WHEELBASE = 0.4  # m


def on_two_wheels():
    """Return the mobile manipulator of paper 004."""
    return RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))


def on_four_wheels():
    """Return the same arm and platform with the axle once more in place of the caster."""
    text = Path(resource_path('urdf/mobile_manipulator.urdf')).read_text()
    text = re.sub(r'<!--.*?-->', '', text, flags=re.S)
    text = re.sub(r'<joint name="caster.*?</joint>', '', text, flags=re.S)
    text = re.sub(r'<link name="caster.*?</link>', '', text, flags=re.S)
    wheels = ''.join(re.findall(
        r'<(?:joint|link) name="(?:right|left)_wheel.*?</(?:joint|link)>', text, flags=re.S))
    rear = re.sub('"(right|left)_wheel', r'"rear_\1_wheel', wheels)
    rear = re.sub(r'xyz="0 (-?0.25) 0"', rf'xyz="{-WHEELBASE} \1 0"', rear)
    return RobotModel.from_urdf(text.replace('</robot>', rear + '</robot>'))


DRIVING = {'two wheels': (on_two_wheels, TWO_WHEELS), 'four wheels': (on_four_wheels, FOUR_WHEELS)}
