"""What every command that reads recordings asks for: topics, part of the robot, IMU, signals."""

from __future__ import annotations

import argparse
from typing import Any, Dict

from robot_dynamics.app.models import add_xacro_arguments
from robot_dynamics.app.values import finite


def add_topics(group: Any) -> None:
    """Declare which topics count, in a group of a parser."""
    group.add_argument('--joint-topic', metavar='TOPIC', help='sensor_msgs/JointState')
    group.add_argument('--imu-topic', metavar='TOPIC',
                       help="sensor_msgs/Imu of the base; 'none' for a fixed base")
    group.add_argument('--description-topic', metavar='TOPIC', help='robot description')
    group.add_argument('--joint-map', metavar='RECORDED=MODEL,...', default='',
                       help='names of joints that differ')


def add_robot(group: Any) -> None:
    """Declare which part of the robot was recorded, and where its IMU is."""
    add_xacro_arguments(group)
    group.add_argument('--without-link', action='append', default=[], metavar='LINK',
                       help='take a link and all below it out of the description; repeatable')
    group.add_argument('--base-link', metavar='LINK', help='root of the part to use')
    group.add_argument('--tip-link', metavar='LINK', help='end of the part to use: a chain')
    group.add_argument('--held-joints', nargs='+', action='extend', default=[],
                       metavar='JOINT[=POSITION]',
                       help='joints that did not move: rigid at a position, rad or m (default 0)')
    group.add_argument('--identified', metavar='FILE', default='',
                       help="what 'identify' learned of the arm before, in place of the "
                            "description's numbers; its friction and rotors count")
    group.add_argument('--imu-rpy', nargs=3, type=finite, metavar=('ROLL', 'PITCH', 'YAW'),
                       help='mounting of the IMU on the base, deg')
    group.add_argument('--imu-position', nargs=3, type=finite, metavar=('X', 'Y', 'Z'),
                       default=(0.0, 0.0, 0.0), help='place of the IMU in the base frame, m')


def add_bandwidths(group: Any, joints: float, imu: float) -> None:
    """Declare up to which frequency motion counts, with defaults in Hz, and what is a gap."""
    group.add_argument('--bandwidth', type=finite, default=joints, metavar='HZ',
                       help=f'of joint velocities and accelerations (default {joints:g})')
    group.add_argument('--imu-bandwidth', type=finite, default=imu, metavar='HZ',
                       help=f'of the motion of the base (default {imu:g})')
    group.add_argument('--max-gap', type=finite, metavar='S',
                       help='longest pause that is no gap (default: 3.5 periods)')


def reading_options(args: argparse.Namespace) -> Dict[str, Any]:
    """Return what these options say as fields of ``ReplayOptions``, beside its settings."""
    from robot_dynamics.bags.mapping import parse_joint_map
    return {
        'joint_topic': args.joint_topic, 'imu_topic': args.imu_topic,
        'description_topic': args.description_topic,
        'joint_map': parse_joint_map(args.joint_map) or None,
        'imu_rpy_deg': None if args.imu_rpy is None else tuple(args.imu_rpy),
        'imu_position': tuple(args.imu_position), 'without_links': tuple(args.without_link),
        'base_link': args.base_link, 'tip_link': args.tip_link,
        'held_joints': tuple(args.held_joints), 'identified': args.identified or None}
