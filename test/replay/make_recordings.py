"""
Make the small recordings of ``test/replay/data``, one of each robot that ships.

    python test/replay/make_recordings.py

Eight seconds on a deck that rolls, pitches and heaves; the efforts have the friction of the
description and some noise, the IMU and the encoders are those of ordinary machines; the robot on
wheels drives, with its IMU on the platform.  The robot's
description is inside, so ``robot-dynamics analyze`` needs nothing else.
"""

from __future__ import annotations

from pathlib import Path
import sys
from typing import Any

import numpy as np
from replay_bags import deck, quaternions, START_NS

from robot_dynamics.app.demo.mobile_manipulator import driven_path
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.supports.platform_motion import platform_motion
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.motion.rotations import matrix_from_rpy, quat_from_matrix

DRIVING = 'mobile_manipulator'
OF_THE_PAPERS = ('anthropomorphic_arm', 'three_link_arm')
ROBOTS = ('pa10', *OF_THE_PAPERS, 'scara', 'gantry', DRIVING)
DATA = Path(__file__).with_name('data')
DURATION, RATE = 8.0, 100.0


def joint_motion(model: RobotModel, t: Any) -> tuple:
    """Sinusoids in the middle of the joints' ranges, with exact derivatives."""
    low, high = np.maximum(model.lower, -1.5), np.minimum(model.upper, 1.5)
    middle, half = (low + high) / 2, np.minimum((high - low) / 2, 0.8)
    w = 2 * np.pi * (0.2 + 0.06 * np.arange(model.nv))
    angle = t[:, None] * w + np.arange(model.nv)
    half = 0.6 * np.minimum(half, 0.8 * np.where(model.velocity_limit > 0, model.velocity_limit,
                                                 np.inf) / w)
    return middle + half * np.sin(angle), half * w * np.cos(angle), -half * w**2 * np.sin(angle)


def drive(model: RobotModel, t: Any, base: BaseMotion, rpy: Any) -> tuple:
    """Drive about on the deck: model, motion, effort, and what an IMU on the platform feels."""
    support = DifferentialDrive.from_model(model, 'left_wheel_joint', 'right_wheel_joint')
    robot = InverseDynamics(model, friction=True, backend='interpreted', support=support)
    q, qd, qdd = joint_motion(robot.model, t)
    pose = driven_path(support, q)
    effort = robot.torque(q, qd, qdd, BaseState(base, pose))
    felt = [platform_motion(support, BaseState(base[k], pose[k]), qd[k], qdd[k]).packed
            for k in range(len(t))]
    heading = np.column_stack([np.zeros((len(t), 2)), pose[:, 2]])
    quaternion = quat_from_matrix(
        matrix_from_rpy(rpy) @ matrix_from_rpy(heading) @ support.R_BO.T)
    return robot.model, (q, qd, qdd), effort, BaseMotion.from_packed(np.array(felt)), quaternion


def description(robot: str) -> Path:
    """Return the URDF of one of the robots."""
    folder = 'examples/papers' if robot in OF_THE_PAPERS else 'urdf'
    return resource_path(f'{folder}/{robot}.urdf')


def make(robot: str, path: Path) -> Path:
    """Write the recording of one robot."""
    urdf = description(robot)
    model = RobotModel.from_urdf(urdf)
    rng = np.random.default_rng(sum(robot.encode()))
    t = np.arange(int(DURATION * RATE)) / RATE
    base, rpy = deck(t)
    quaternion = quaternions(rpy)
    if robot == DRIVING:
        model, (q, qd, qdd), effort, base, quaternion = drive(model, t, base, rpy)
    else:
        q, qd, qdd = joint_motion(model, t)
        effort = InverseDynamics(model, friction=True, backend='interpreted').torque(
            q, qd, qdd, base)
    effort = effort + 0.01 * effort.std(axis=0) * rng.normal(size=effort.shape)
    stamps = START_NS + np.rint(t * 1e9).astype(np.int64)

    def rounded(values: Any, digits: int) -> Any:
        return np.round(values, digits)  # as encoders and converters do; also packs better
    with RecordingWriter(path, compression='storage') as bag:
        bag.robot_description(urdf.read_text(encoding='utf-8'), START_NS)
        bag.joint_states(stamps, model.joint_names, rounded(q, 5), rounded(qd, 4),
                         rounded(effort, 4))
        noise = rng.normal(size=(len(t), 6))
        bag.imu(stamps, rounded(base.angular_velocity + 3e-4 * noise[:, :3], 5),
                rounded(base.specific_force + 0.02 * noise[:, 3:], 4),
                rounded(quaternion, 5))
    return path


def main() -> int:
    """Write all of them anew."""
    DATA.mkdir(exist_ok=True)
    for robot in ROBOTS:
        path = DATA / f'{robot}.mcap'
        path.unlink(missing_ok=True)
        print(f'{make(robot, path)}: {path.stat().st_size / 1000:.0f} kB')
    return 0


if __name__ == '__main__':
    sys.exit(main())
