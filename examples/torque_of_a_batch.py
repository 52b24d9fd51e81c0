"""
Torques of a whole trajectory in one call: a PA10 swings its elbow on a rolling ship.

Run: python examples/torque_of_a_batch.py
"""

import numpy as np

from robot_dynamics import InverseDynamics, RobotModel, ShipMotion
from robot_dynamics.core.resources import resource_path

model = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))
dynamics = InverseDynamics(model)

# One minute at 1 kHz; rows are samples, columns are joints in the order of model.joint_names.
t = np.arange(0.0, 60.0, 0.001)
omega = 2 * np.pi / 4.0  # rad/s
swing = np.zeros(model.nv)
swing[model.index('joint3')] = 0.5  # rad
q = np.outer(np.sin(omega * t), swing)
qd = np.outer(omega * np.cos(omega * t), swing)
qdd = np.outer(-omega**2 * np.sin(omega * t), swing)

ship = ShipMotion.regular()  # roll and pitch in sinusoids; exact derivatives
moving = dynamics.torque(q, qd, qdd, ship.at(t))
fixed = dynamics.torque(q, qd, qdd)  # the same arm on a floor

print(f'{len(t)} samples of {model.name}')
print('joint   largest torque [Nm]   largest error of a fixed-base model [Nm]')
for i, name in enumerate(model.joint_names):
    print(f'{name:7} {np.abs(moving[:, i]).max():15.2f} '
          f'{np.abs(moving[:, i] - fixed[:, i]).max():30.2f}')
