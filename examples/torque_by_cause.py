"""
Why the joints need their torque, by two independent formulations that agree.

Run: python examples/torque_by_cause.py
"""

import numpy as np

from robot_dynamics import BaseMotion, InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path

model = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))

# A deck that heels by 12 degrees, rolls back at 8 degrees a second, and slams upward.
base = BaseMotion.from_roll_pitch(
    roll=np.deg2rad(12.0), pitch=0.0, roll_rate=np.deg2rad(-8.0),
    roll_acceleration=np.deg2rad(-5.0), linear_acceleration=[0.0, 0.0, 1.5])
q = np.array([0.3, 0.6, 0.4, 0.0, -0.5, 0.0])  # rad
qd = np.array([0.4, -0.6, 0.8, 0.0, 0.5, 1.0])  # rad/s
qdd = np.array([0.5, 1.0, -1.0, 0.0, 0.0, 0.0])  # rad/s^2

# 'interpreted' starts at once; the default 'numba' compiles first and is far faster afterwards.
methods = {method: InverseDynamics(model, method=method, backend='interpreted')
           for method in ('newton_euler', 'lagrange_euler')}
terms = methods['newton_euler'].terms(q, qd, qdd, base)

print('torque [Nm]    ' + ' '.join(f'{name:>9}' for name in model.joint_names))
for cause, values in terms.as_dict().items():
    print(f'{cause:14} ' + ' '.join(f'{value:9.3f}' for value in values))
totals = {method: dynamics.torque(q, qd, qdd, base) for method, dynamics in methods.items()}
for method, values in totals.items():
    print(f'{method:14} ' + ' '.join(f'{value:9.3f}' for value in values))
difference = np.abs(totals['newton_euler'] - totals['lagrange_euler']).max()
print(f'largest difference between the two: {difference:.1e} Nm')
