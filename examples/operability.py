"""
Up to which sea an arm on a supply vessel can hold five kilograms at arm's length.

Run: python examples/operability.py
"""

import numpy as np

from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path
from robot_dynamics.operability.assessment import Mount, Question
from robot_dynamics.operability.frequency_domain import Ship
from robot_dynamics.operability.limits import effort_limits
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.seas import sea_states
from robot_dynamics.operability.study import assess
from robot_dynamics.operability.summary import main_cause
from robot_dynamics.ship.rao import RaoTable

model = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))
dynamics = InverseDynamics(model)
dynamics.set_payload('tool0', mass=5.0, com=(0.0, 0.0, 0.1))

stretched = RobotStates.postures(model, np.array([[0.0, 1.3, 0.0, 0.2, 0.0, 0.0]]))
forward = Mount(p_DB=np.array([25.0, 0.0, 6.0]))       # from the ship's rotation centre, m
question = Question(Ship(RaoTable.supply_vessel()), np.radians([0.0, 90.0, 180.0]))

result = assess(RobotLoads.of_arm(dynamics), stretched, effort_limits(model), forward, question,
                sea_states(2, 6), periods=[6.0, 9.0, 12.0], check_seeds=2)
print('heading [deg]   largest Hs [m] at 6, 9, 12 s   limited by')
for h, heading in enumerate(result.headings_deg):
    heights = '  '.join(f'{height:5.2f}' for height in result.curves.height[h])
    cell = result.cells[h][-1]
    print(f'{heading:13g}   {heights:28}   {cell.governing}: {main_cause(cell)}')
deviation, maximum = result.checks[0].worst
print(f'time domain against theory: {100 * deviation:.1f} % of deviation, '
      f'{100 * maximum:.1f} % of the maximum')
