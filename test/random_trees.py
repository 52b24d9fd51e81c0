"""
Random robots for property tests: valid URDFs of any size and shape, the same for the same seed.

Import it as a plain module: ``from random_trees import random_model, random_urdf``.
"""

from typing import List, Sequence

import numpy as np

from robot_dynamics import RobotModel
from robot_dynamics.motion.rotations import matrix_from_rpy

MOVING = ('revolute', 'continuous', 'prismatic')


def random_urdf(rng: np.random.Generator, joints: int, branching: bool = True,
                kinds: Sequence[str] = MOVING, fixed: bool = True, mimics: int = 0) -> str:
    """
    Write a random robot.

    Parameters
    ----------
    rng : numpy.random.Generator
    joints : int
        How many independent joints, named ``joint00``, ``joint01``, ... in depth-first order
        for a chain, in the order of creation for a tree.
    branching : bool
        A tree if true, a chain if not.
    kinds : sequence of str
        The joint types to draw from.
    fixed : bool
        Whether to hang links with mass on fixed joints in between.
    mimics : int
        How many further joints follow one of the independent ones.
    """
    lines = ['<robot name="random">', _link(rng, 'base')]
    carriers = ['base']  # links that something may hang on
    names = [f'joint{index:02d}' for index in range(joints)]
    kind_of = {}
    for index, name in enumerate(names):
        parent = str(rng.choice(carriers)) if branching else carriers[-1]
        if fixed and rng.random() < 0.3:
            lines += [_link(rng, f'plate{index:02d}'),
                      _joint(rng, f'weld{index:02d}', 'fixed', parent, f'plate{index:02d}')]
            parent = f'plate{index:02d}'
            if branching:
                carriers.append(parent)
        kind_of[name] = str(rng.choice(list(kinds)))
        lines += [_link(rng, f'link{index:02d}'),
                  _joint(rng, name, kind_of[name], parent, f'link{index:02d}')]
        carriers.append(f'link{index:02d}')
    for index in range(mimics if joints else 0):
        driver = str(rng.choice(names))
        rule = (f'<mimic joint="{driver}" multiplier="{_signed(rng, 0.3, 1.5)}" '
                f'offset="{rng.uniform(-0.4, 0.4)}"/>')
        parent = str(rng.choice(carriers)) if branching else carriers[-1]
        lines += [_link(rng, f'follower{index:02d}'),
                  _joint(rng, f'mimic{index:02d}', str(rng.choice(list(kinds))), parent,
                         f'follower{index:02d}', rule)]
        carriers.append(f'follower{index:02d}')
    return '\n'.join(lines + ['</robot>'])


def random_model(rng: np.random.Generator, joints: int, branching: bool = True,
                 kinds: Sequence[str] = MOVING, fixed: bool = True,
                 mimics: int = 0) -> RobotModel:
    """Load a random robot; the arguments are those of :func:`random_urdf`."""
    return RobotModel.from_urdf(random_urdf(rng, joints, branching, kinds, fixed, mimics))


def _link(rng: np.random.Generator, name: str) -> str:
    """Write a solid box of random size, turned and moved at random: a possible body."""
    mass = rng.uniform(0.2, 6.0)
    a, b, c = rng.uniform(0.05, 0.4, 3)
    R = matrix_from_rpy(rng.uniform(-3, 3, 3))
    moments = mass / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    inertia = R @ np.diag(moments) @ R.T
    tensor = ' '.join(f'{key}="{inertia[row, column]}"' for key, row, column in (
        ('ixx', 0, 0), ('ixy', 0, 1), ('ixz', 0, 2), ('iyy', 1, 1), ('iyz', 1, 2), ('izz', 2, 2)))
    com, rpy = rng.uniform(-0.2, 0.2, 3), rng.uniform(-3, 3, 3)
    return (f'<link name="{name}"><inertial><origin xyz="{_row(com)}" rpy="{_row(rpy)}"/>'
            f'<mass value="{mass}"/><inertia {tensor}/></inertial></link>')


def _joint(rng: np.random.Generator, name: str, kind: str, parent: str, child: str,
           extra: str = '') -> str:
    parts: List[str] = [
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>',
        f'<origin xyz="{_row(rng.uniform(-0.5, 0.5, 3))}" rpy="{_row(rng.uniform(-3, 3, 3))}"/>']
    if kind != 'fixed':
        axis = rng.normal(size=3)
        parts.append(f'<axis xyz="{_row(axis / np.linalg.norm(axis))}"/>')
        parts.append(f'<dynamics damping="{rng.uniform(0, 2)}" friction="{rng.uniform(0, 2)}"/>')
        position = '' if kind == 'continuous' else \
            f'lower="{rng.uniform(-3, -1)}" upper="{rng.uniform(1, 3)}" '
        parts.append(f'<limit {position}velocity="{rng.uniform(1, 5)}" '
                     f'effort="{rng.uniform(10, 200)}"/>')
    return ''.join(parts + [extra, '</joint>'])


def _signed(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.choice([-1.0, 1.0]) * rng.uniform(low, high))


def _row(values: np.ndarray) -> str:
    return ' '.join(repr(float(value)) for value in values)
