"""Where the arm's base stands on what moves, on the command line: wall, ceiling, away from it."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from robot_dynamics.app.values import vector3
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.rotations import matrix_from_rpy


def add_mount_arguments(group: Any) -> None:
    """Declare ``--base-rpy-deg`` and ``--base-xyz`` in a parser or a group of it."""
    group.add_argument(
        '--base-rpy-deg', nargs='+', metavar='A',
        help="roll, pitch, yaw of the arm's base on what moves, in deg: 0 90 0 on a wall, 180 0 0 "
             'on a ceiling (default: upright)')
    group.add_argument('--base-xyz', nargs='+', metavar='X',
                       help="place of the arm's base on what moves, in m (default: its origin)")


def mounted(platform: BaseMotion, args: argparse.Namespace) -> BaseMotion:
    """Return the motion of the arm's base on a platform that moves so."""
    rpy = np.deg2rad(vector3('--base-rpy-deg', args.base_rpy_deg))
    place = vector3('--base-xyz', args.base_xyz)
    if not rpy.any() and not place.any():
        return platform
    return platform.transformed(matrix_from_rpy(rpy), place)
