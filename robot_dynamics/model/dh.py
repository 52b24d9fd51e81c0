"""
Denavit-Hartenberg tables, in the standard and the modified convention, as a robot model.

Standard (Denavit and Hartenberg 1955; Spong): frame i sits at the far end of link i,
    A_i = Rz(theta_i) Tz(d_i) Tx(a_i) Rx(alpha_i),
joint i turns about or slides along z_{i-1}.

Modified (Craig): frame i sits at joint i,
    A_i = Rx(alpha_{i-1}) Tx(a_{i-1}) Rz(theta_i) Tz(d_i),
joint i turns about or slides along z_i.

A model wants link frames at their joints.  In the modified convention they are the DH frames at
q = 0 except for the constant part of theta and d; in the standard convention link i's frame is
moved back to joint i.  Either way the inertials are given in the DH frames and transformed here.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, as_rotation, as_scalar, as_vector, FloatArray
from robot_dynamics.model.elements import BASE, Body, Inertial, Joint, LinkFrame
from robot_dynamics.model.inertia import as_inertial, placed
from robot_dynamics.motion.rotations import matrix_from_rpy

Pose = Tuple[FloatArray, FloatArray]
InertialLike = Union[Inertial, Sequence[Any]]
_ORIGIN: Pose = (np.eye(3), np.zeros(3))


@dataclass(frozen=True)
class DHRow:
    """One row of a Denavit-Hartenberg table, with the link's mass properties."""

    #: Twist in rad and length in m: alpha_i, a_i in the standard convention, alpha_{i-1}, a_{i-1}
    #: in the modified one
    alpha: float = 0.0
    a: float = 0.0
    #: Offset in m and angle in rad.  The joint value is added to theta (revolute) or to d
    #: (prismatic); the number here is the constant part.
    d: float = 0.0
    theta: float = 0.0
    kind: str = 'revolute'  #: 'revolute', 'continuous' or 'prismatic'
    #: Of the link, in the DH frame i, inertia about the centre of mass
    inertial: Optional[InertialLike] = None
    #: Names of joint and link; ``joint1`` and ``link1`` and so on if empty
    name: str = ''
    link: str = ''
    #: As in :class:`robot_dynamics.model.elements.Joint`
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf
    damping: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class DHParts:
    """What a table becomes: the arguments of a model."""

    base_inertial: Inertial
    bodies: Tuple[Body, ...]
    frames: Dict[str, LinkFrame]


RowLike = Union[DHRow, Sequence[float], Dict[str, Any]]


def dh_parts(rows: Sequence[RowLike], convention: str, base: Any, tool: Any, base_link: str,
             tool_link: str, base_inertial: Optional[Inertial],
             inertials: Optional[Sequence[InertialLike]] = None) -> DHParts:
    """Build the bodies of a table; the arguments are those of ``RobotModel.from_dh``."""
    if convention not in ('standard', 'modified'):
        raise InputError('convention', f"is {convention!r}, expected 'standard' or 'modified'")
    if not np.iterable(rows):
        raise InputError('rows', f'is {rows!r:.60}, expected one row for each joint')
    table = [_row(index, row) for index, row in enumerate(rows)]
    if not table:
        raise InputError('rows', 'is empty, expected one row for each joint')
    masses = _inertials(table, inertials)
    frames = {base_link: LinkFrame(BASE, *_ORIGIN)}
    bodies: List[Body] = []
    R_PJ, p_PJ = _pose('base', base)  # of the frame that row 1 starts from, in the base
    for index, row in enumerate(table):
        to_joint, to_frame = _split(row, convention)
        R_PJ, p_PJ = _compose((R_PJ, p_PJ), to_joint)
        joint = Joint(row.name or f'joint{index + 1}', row.kind, np.array([0.0, 0.0, 1.0]),
                      row.lower, row.upper, row.velocity, row.effort, row.damping, row.friction)
        link = row.link or f'link{index + 1}'
        bodies.append(Body(link, joint, index - 1, R_PJ, p_PJ, placed(masses[index], *to_frame),
                           index))
        _add_frame(frames, link, LinkFrame(index, *_ORIGIN))
        R_PJ, p_PJ = to_frame  # the next row starts from this DH frame, seen from this body
    _add_frame(frames, tool_link, LinkFrame(len(bodies) - 1,
                                            *_compose((R_PJ, p_PJ), _pose('tool', tool))))
    _refuse_doubles(bodies)
    return DHParts(base_inertial or Inertial(), tuple(bodies), frames)


def _split(row: DHRow, convention: str) -> Tuple[Pose, Pose]:
    """
    Split A_i at the joint.

    Returns
    -------
    to_joint : Pose
        From DH frame i-1 to the joint frame, whose z is the joint axis.
    to_frame : Pose
        From the joint frame, which moves with the link, to DH frame i.
    """
    turn = (_rotation_z(row.theta), np.zeros(3))
    slide = (np.eye(3), np.array([0.0, 0.0, row.d]))
    twist = (_rotation_x(row.alpha), np.array([row.a, 0.0, 0.0]))
    along_z = _compose(turn, slide)
    if convention == 'standard':
        return _ORIGIN, _compose(along_z, twist)
    return twist, along_z


def _row(index: int, row: RowLike) -> DHRow:
    """Accept a DHRow, a mapping of its fields, or the four numbers alpha, a, d, theta."""
    argument = f'rows[{index}]'
    if isinstance(row, dict):
        unknown = sorted(set(row) - set(DHRow.__dataclass_fields__))
        if unknown:
            raise InputError(argument, f'has the unknown entry {unknown[0]!r}, expected '
                                       f'{", ".join(DHRow.__dataclass_fields__)}')
        row = DHRow(**row)
    elif not isinstance(row, DHRow):
        row = DHRow(*as_vector(argument, row, 4).tolist())
    for key in ('alpha', 'a', 'd', 'theta'):
        as_scalar(f'{argument}.{key}', getattr(row, key))
    if row.kind not in ('revolute', 'continuous', 'prismatic'):
        raise InputError(f'{argument}.kind',
                         f"is {row.kind!r}, expected 'revolute', 'continuous' or 'prismatic'")
    for key in ('lower', 'upper', 'velocity', 'effort', 'damping', 'friction'):
        value = getattr(row, key)
        if not isinstance(value, (int, float, np.number)) or math.isnan(value):
            raise InputError(f'{argument}.{key}', f'is {value!r:.60}, expected a number')
    if not row.lower <= row.upper:
        raise InputError(f'{argument}.lower', f'{row.lower:g} is above upper, {row.upper:g}')
    return row


def _inertials(table: Sequence[DHRow],
               inertials: Optional[Sequence[InertialLike]]) -> List[Inertial]:
    """Take each link's mass properties from its row, or else from the separate list."""
    if inertials is not None and (not np.iterable(inertials) or len(inertials) != len(table)):
        held = f'holds {len(inertials)}' if np.iterable(inertials) else f'is {inertials!r:.60}'
        raise InputError('inertials', f'{held}, expected one for each of the {len(table)} rows')
    found = []
    for index, row in enumerate(table):
        argument, given = f'rows[{index}].inertial', row.inertial
        if inertials is not None:
            if given is not None:
                raise InputError(argument, 'given in the row and in inertials; leave one out')
            argument, given = f'inertials[{index}]', inertials[index]
        if given is None:
            given = Inertial()
        values = (given.mass, given.com, given.inertia) if isinstance(given, Inertial) else given
        if not np.iterable(values) or len(values) != 3:
            raise InputError(argument, f'is {values!r:.60}, expected mass, com, inertia')
        found.append(as_inertial(f'{argument}.', *values))
    return found


def _pose(argument: str, transform: Any) -> Pose:
    """Rotation and position of a 4 x 4 transform; the identity if None."""
    if transform is None:
        return _ORIGIN
    matrix = as_array(argument, transform, (4, 4))
    if not np.array_equal(matrix[3], [0.0, 0.0, 0.0, 1.0]):
        raise InputError(argument, 'its last row is not 0 0 0 1')
    return as_rotation(argument, matrix[:3, :3]), matrix[:3, 3]


def _add_frame(frames: Dict[str, LinkFrame], link: str, frame: LinkFrame) -> None:
    if link in frames:
        raise InputError('rows', f"the link name '{link}' occurs twice")
    frames[link] = frame


def _refuse_doubles(bodies: Sequence[Body]) -> None:
    names = [body.joint.name for body in bodies]
    for name in names:
        if names.count(name) > 1:
            raise InputError('rows', f"the joint name '{name}' occurs twice")


def _compose(first: Pose, second: Pose) -> Pose:
    return first[0] @ second[0], first[1] + first[0] @ second[1]


def _rotation_z(angle: float) -> FloatArray:
    return matrix_from_rpy([0.0, 0.0, angle])


def _rotation_x(angle: float) -> FloatArray:
    return matrix_from_rpy([angle, 0.0, 0.0])
