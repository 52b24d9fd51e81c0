"""Random robots on two wheels, and Pinocchio's view of one on a moving deck."""

import numpy as np
from random_trees import random_urdf

from robot_dynamics import DifferentialDrive, InverseDynamics, RobotModel
from robot_dynamics.motion.rotations import matrix_from_rpy

WHEELS = {'left_wheel': 'left_wheel_joint', 'right_wheel': 'right_wheel_joint'}
MECANUM = ('front_right', 'front_left', 'rear_right', 'rear_left')
CYLINDER = ('<collision><origin xyz="0 0 0" rpy="0 0 0"/><geometry><cylinder radius="{r}" '
            'length="0.05"/></geometry></collision>')


def on_wheels(model, left_wheel, right_wheel, wheel_radius=None, track=None, **options):
    """Return the dynamics of a model on a differential drive."""
    drive = DifferentialDrive.from_model(model, left_wheel, right_wheel, wheel_radius, track)
    return InverseDynamics(model, support=drive, **options)


def wheeled_tree(rng, joints, signs=(1, 1), mimics=0, radius=0.12, heading=0.8):
    """Return (model, URDF text) of a random tree with unsymmetric wheels, axle turned a bit."""
    text = random_urdf(rng, joints, mimics=mimics).replace('</robot>', '')
    x, y = rng.uniform(-0.2, 0.2, 2)
    axle = matrix_from_rpy([0, 0, heading]) @ [0.0, 0.3, 0.0]
    for sign, side, factor in zip(signs, ('right', 'left'), (-1, 1)):
        text += _wheel(rng, side, np.array([x, y, 0.1]) + factor * axle, sign, radius, heading)
    text += '</robot>'
    return RobotModel.from_urdf(text), text


def mecanum_tree(rng, joints, signs=(1, 1, 1, 1), radius=0.12, heading=0.8):
    """Return (model, URDF text) of a random tree on four wheels, front right to rear left."""
    text = random_urdf(rng, joints).replace('</robot>', '')
    middle, R = np.array([*rng.uniform(-0.2, 0.2, 2), 0.1]), matrix_from_rpy([0, 0, heading])
    ahead, aside = rng.uniform(0.15, 0.4, 2)
    for sign, name, (x, y) in zip(signs, MECANUM, ((1, -1), (1, 1), (-1, -1), (-1, 1))):
        text += _wheel(rng, name, middle + R @ [x * ahead, y * aside, 0.0], sign, radius, heading)
    text += '</robot>'
    return RobotModel.from_urdf(text), text


def _wheel(rng, name, place, sign, radius, heading):
    mass, spread = rng.uniform(0.5, 2.0), rng.uniform(0.001, 0.003, 3)
    com = rng.uniform(-0.02, 0.02, 3)
    tilt = 1.5707963267948966 * -sign
    return (
        f'<link name="{name}_link"><inertial><origin xyz="{com[0]} {com[1]} {com[2]}"/>'
        f'<mass value="{mass}"/><inertia ixx="{spread[0] + 0.004}" ixy="0.0003" ixz="0" '
        f'iyy="{spread[1] + 0.004}" iyz="0" izz="{spread[2] + 0.004}"/></inertial>'
        + CYLINDER.format(r=radius) + '</link>'
        f'<joint name="{name}" type="continuous"><parent link="base"/>'
        f'<child link="{name}_link"/><origin xyz="{place[0]} {place[1]} {place[2]}" '
        f'rpy="{tilt} 0 {heading}"/><axis xyz="0 0 1"/></joint>')


def twists_by_contact(support):
    """
    Twist of the platform of its wheels' rates, (3, wheels), from what each contact allows.

    One row a direction in which a contact does not slip: of a plain wheel forward and across, of
    a mecanum wheel along its roller.
    """
    rows, rates = [], []
    mecanum = len(support.wheels) == 4
    for k, (x, y) in enumerate(support.wheel_contacts):
        turn = np.pi / 4 * (1, -1, -1, 1)[k]
        directions = [(np.cos(turn), np.sin(turn))] if mecanum else [(1.0, 0.0), (0.0, 1.0)]
        for dx, dy in directions:
            rows.append([dx, dy, -dx * y + dy * x])
            rates.append(support.radius * support.signs[k] * dx * np.eye(len(support.wheels))[k])
    return np.linalg.lstsq(np.array(rows), np.array(rates), rcond=None)[0]


def projected_pinocchio(urdf, robot, q, qd, qdd, base, pose):
    """
    Reduced torques and the ground's wrench about the platform's frame, in its axes.

    The platform is a free-flyer whose total motion is composed here, from that of the deck and
    of rolling on it; the projection is the principle of virtual power for wheels that roll.
    """
    import pinocchio as pin
    drive, names = robot.support, robot.model.joint_names
    K, wheels = twists_by_contact(drive), len(drive.wheels)
    c, s = np.cos(pose[2]), np.sin(pose[2])
    R_DO = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    R_OB, p = drive.R_BO.T, np.array([pose[0], pose[1], 0.0])
    w, wd, a, g = (np.asarray(v) for v in (
        base.angular_velocity, base.angular_acceleration, base.linear_acceleration,
        base.gravity))
    (u, left, n), (ud, leftd, nd) = K @ qd[:wheels], K @ qdd[:wheels]
    z = np.array([0, 0, 1.0])
    velocity = R_DO @ [u, left, 0]
    acceleration = R_DO @ [ud - left * n, leftd + u * n, 0]
    a_O = (a + np.cross(wd, p) + np.cross(w, np.cross(w, p)) + 2 * np.cross(w, velocity)
           + acceleration)
    w_P, wd_P = w + n * z, wd + nd * z + np.cross(w, n * z)
    lever = -R_DO @ R_OB @ drive.p_BO
    a_B = a_O + np.cross(wd_P, lever) + np.cross(w_P, np.cross(w_P, lever))
    R_DB = R_DO @ R_OB

    model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
    data = model.createData()
    model.gravity.linear = R_DB.T @ g
    position, rates, accelerations = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    rates[3:6], accelerations[3:6] = R_DB.T @ w_P, R_DB.T @ wd_P
    accelerations[:3] = R_DB.T @ a_B
    for k, name in enumerate(names):
        joint = model.joints[model.getJointId(name)]
        if joint.nq == 2:
            position[joint.idx_q:joint.idx_q + 2] = np.cos(q[k]), np.sin(q[k])
        else:
            position[joint.idx_q] = q[k]
        rates[joint.idx_v], accelerations[joint.idx_v] = qd[k], qdd[k]
    tau = pin.rnea(model, data, position, rates, accelerations)
    force, moment = R_OB @ tau[:3], R_OB @ (tau[3:6] + np.cross(-drive.p_BO, tau[:3]))
    reduced = np.array([tau[model.joints[model.getJointId(name)].idx_v] for name in names])
    reduced[:wheels] += K.T @ [force[0], force[1], moment[2]]
    return reduced, np.concatenate([force, moment])


def constraint_matrix(drive, heading, nv):
    """
    Return A of eq. 16, (3, 3 + nv): A times the rates of pose and joints is zero.

    Rows: no motion along the axle; right and left wheel roll.  The paper prints r for the last
    entry of the third row, which must be -r.
    """
    r, L = drive.radius, 0.5 * drive.track
    c, s = np.cos(heading), np.sin(heading)
    A = np.zeros((3, 3 + nv))
    A[0, :2] = -s, c
    A[1, :4] = c, s, L, -r * drive.signs[0]
    A[2, :3] = c, s, -L
    A[2, 4] = -r * drive.signs[1]
    return A


def null_space_rate(support, heading, qd):
    """Return the time derivative of the null space's basis along a motion, (3 + nv, nv)."""
    rate = np.zeros((3 + len(qd), len(qd)))  # what turns, and nothing else, is a sine or cosine
    rate[:2] = support.null_space(heading + 0.5 * np.pi, len(qd))[:2]
    return support.pose_rate(qd, np.zeros(3))[2] * rate
