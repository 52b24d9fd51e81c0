"""
A three-joint arm on a differential drive: coupled torques, and what the ground carries.

Run: python examples/mobile_manipulator.py
"""

import numpy as np

from robot_dynamics import (
    BaseMotion, BaseState, DifferentialDrive, InverseDynamics, RobotModel)
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.ground_contact import ground_contact
from robot_dynamics.dynamics.uncoupled import UncoupledParts

model = RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))
# Any differential drive with any tree on top: radius and track are read from the wheels' shapes.
drive = DifferentialDrive.from_model(model, 'left_wheel_joint', 'right_wheel_joint')
robot = InverseDynamics(model, backend='interpreted', support=drive)
print(f'radius {drive.radius} m, track {drive.track} m, order of q: '
      + ', '.join(robot.model.joint_names))

# It turns to the left while it brakes, and the arm swings, on a deck that heels by 5 degrees.
q = np.array([0.0, 0.0, 0.3, 0.4, -0.6])
qd = np.array([6.0, 4.0, 0.5, -0.8, 1.0])
qdd = np.array([-3.0, -3.0, 1.0, 2.0, -1.0])
deck = BaseState(BaseMotion.from_roll_pitch(roll=np.deg2rad(5.0), pitch=0.0, roll_rate=0.1),
                 pose=[1.0, -0.5, 0.7])  # x, y [m], heading [rad] on the deck

together = robot.torque(q, qd, qdd, deck)
apart = UncoupledParts(robot).torque(q, qd, qdd, deck)
for name, right, wrong in zip(robot.model.joint_names, together, apart):
    print(f'{name:18} {right:8.3f} N m coupled, {wrong:8.3f} computed separately')

contact = ground_contact(robot, q, qd, qdd, deck)
print('loads under right wheel, left wheel, caster: '
      + ', '.join(f'{load:.0f} N' for load in contact.normal))
print(f'sideways at the axle {contact.lateral:.1f} N; tipping margin '
      f'{1e3 * contact.tipping_margin:.0f} mm')
