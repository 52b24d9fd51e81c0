"""A joint trajectory as a file: YAML in the words of the message, or CSV for everything else."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, List, Union

import numpy as np

from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import ConfigurationError, InputError
import yaml


def write_trajectory(trajectory: JointTrajectory, path: Union[str, Path], remark: str = ''
                     ) -> Path:
    """
    Write a trajectory: as CSV where the name ends so, else as YAML.

    The YAML is a trajectory_msgs/JointTrajectory, which ``ros2 topic pub`` takes as well; each
    line of the remark becomes a comment at its head.
    """
    target = Path(path)
    parts = (trajectory.positions, trajectory.velocities, trajectory.accelerations)
    if target.suffix == '.csv':
        names = [f'{name}.{kind}' for kind, values in zip(
            ('position', 'velocity', 'acceleration'), parts) if values is not None
            for name in trajectory.names]
        table = np.column_stack([trajectory.times, *(part for part in parts if part is not None)])
        with target.open('w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file)
            writer.writerow(['time', *names])
            writer.writerows([[f'{value:.9g}' for value in row] for row in table])
        return target
    lines = [f'# {line}' for line in remark.splitlines()]
    lines += [f'joint_names: [{", ".join(trajectory.names)}]', 'points:']
    for k, time in enumerate(trajectory.times):
        seconds, nanoseconds = divmod(round(float(time) * 1e9), 1_000_000_000)
        lines.append(f'- time_from_start: {{sec: {seconds}, nanosec: {nanoseconds}}}')
        for kind, values in zip(('positions', 'velocities', 'accelerations'), parts):
            if values is not None:
                lines.append(f'  {kind}: [{", ".join(f"{value:.9g}" for value in values[k])}]')
    target.write_text('\n'.join(lines) + '\n', encoding='utf-8')
    return target


def read_trajectory(path: Union[str, Path]) -> JointTrajectory:
    """
    Read a file that :func:`write_trajectory` wrote as YAML.

    Raises
    ------
    ConfigurationError
        If it cannot be read or is no trajectory.
    """
    try:
        loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
        data = yaml.load(Path(path).read_text(encoding='utf-8'), Loader=loader)
        points: List[Any] = data['points']
        times = [p['time_from_start']['sec'] + 1e-9 * p['time_from_start']['nanosec']
                 for p in points]
        position = [p['positions'] for p in points]
        velocity, acceleration = (
            [p[kind] for p in points] if kind in points[0] else None
            for kind in ('velocities', 'accelerations'))
        return JointTrajectory(data['joint_names'], times, position, velocity, acceleration)
    except OSError as error:
        raise ConfigurationError(f'{path}: cannot be read ({error.strerror or error})') from None
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, IndexError,
            InputError) as error:
        raise ConfigurationError(
            f'{path}: is no joint trajectory ({" ".join(str(error).split())}); robot-dynamics '
            'excite writes one') from None
