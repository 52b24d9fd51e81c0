"""
Checks of measured joint values against what the description allows.

They have the shape of :class:`~robot_dynamics.core.checks.Check`.
"""

from __future__ import annotations

import dataclasses
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.checks import Check, Credit, Finding
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import check_parameters, parameter
from robot_dynamics.model.robot_model import RobotModel


CREEP = 0.02  # rad/s or m/s: slower may be the offset of a sensor
FROZEN_TIME = 0.1  # s: a driver may repeat a position until it has a new one
FROZEN_WAY = 0.01  # rad or m, that a joint should have gone: encoders are finer


@dataclasses.dataclass(frozen=True)
class JointChecksConfig:
    """Which measured joint positions and velocities are plausible."""

    position_margin: float = parameter(
        0.1, 'how far a measured position may lie beyond the limits of the description',
        'rad or m', 0.0, 1e6, live=False)
    position_step: float = parameter(
        0.05, 'how far a measured position may lie from the last one, beside what the velocity '
        'allows', 'rad or m', 1e-3, 1e6, live=False)
    velocity_factor: float = parameter(
        2.0, 'that velocity, and the largest plausible one that is reported, as a multiple of the '
        'velocity limit', '', 0.1, 1e6, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass(frozen=True)
class JointPositions:
    """Measured positions (n,), rad or m, their stamp, ns, and velocities if reported."""

    stamp_ns: int
    position: FloatArray
    velocity: Optional[FloatArray] = None


class PositionRangeCheck:
    """
    Measured positions lie within the position limits.

    Parameters
    ----------
    names, units : sequence of str
        Of the joints, in the order of the arrays.
    lower, upper : (n,) array, rad or m
        With the margin; infinite where there is no limit.
    """

    signal = 'position'

    def __init__(self, names: Sequence[str], units: Sequence[str], lower: FloatArray,
                 upper: FloatArray) -> None:
        self._names, self._units = tuple(names), tuple(units)
        self._lower, self._upper = lower, upper

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint that is furthest beyond a limit."""
        q = sample.position
        excess = np.maximum(q - self._upper, self._lower - q)
        i = int(np.argmax(excess))
        if excess[i] <= 0.0:
            return None
        value, unit = float(q[i]), self._units[i]
        bound = float((self._upper if value > self._upper[i] else self._lower)[i])
        return Finding(
            'position_range', self.signal, f'the position of joint {self._names[i]} is '
            f'{value:.6g} {unit}, beyond {bound:.6g} {unit}', value, bound, unit)


class PositionChangeCheck:
    """
    Measured positions go on from the last plausible one no faster than the joint can move.

    An encoder that has slipped stays refused until :meth:`reset`
    (:class:`~robot_dynamics.core.checks.Credit`).

    Parameters
    ----------
    names, units : sequence of str
        Of the joints, in the order of the arrays.
    velocity : (n,) array, rad/s or m/s
        Infinite where there is no limit.
    step : float
        What is allowed beside the velocity, rad or m.
    """

    signal = 'position'

    def __init__(self, names: Sequence[str], units: Sequence[str], velocity: FloatArray,
                 step: float) -> None:
        self._names, self._units = tuple(names), tuple(units)
        self._velocity, self._step = velocity, step
        self._credit = Credit()
        self.reset()

    def reset(self) -> None:
        """Forget the last posture: the next one is taken as it is."""
        self._last: Optional[FloatArray] = None
        self._credit.reset()

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint whose step is furthest beyond what it may be."""
        q, credit = sample.position, self._credit.seconds(sample.stamp_ns)
        if self._last is not None and credit is not None:
            step = np.abs(q - self._last)
            bound = self._step + self._velocity * credit
            i = int(np.argmax(step - bound))
            if step[i] > bound[i]:
                unit = self._units[i]
                return Finding(
                    'position_change', self.signal, f'the position of joint {self._names[i]} '
                    f'steps by {step[i]:.6g} {unit} from the last plausible one, more than '
                    f'{bound[i]:.6g} {unit}', float(step[i]), float(bound[i]), unit)
        self._last = q.copy()
        self._credit.accept(sample.stamp_ns)
        return None


class VelocityRangeCheck:
    """
    Reported velocities lie within a multiple of the velocity limits.

    Parameters
    ----------
    names, units : sequence of str
        Of the joints, in the order of the arrays.
    bound : (n,) array, rad/s or m/s
        Infinite where there is no limit.
    """

    signal = 'velocity'

    def __init__(self, names: Sequence[str], units: Sequence[str], bound: FloatArray) -> None:
        self._names, self._units, self._bound = tuple(names), tuple(units), bound

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint that is said to be fastest beyond its bound."""
        if sample.velocity is None:
            return None
        excess = np.where(  # what is not finite is judged where the numbers are
            np.isfinite(sample.velocity), np.abs(sample.velocity) - self._bound, -np.inf)
        i = int(np.argmax(excess))
        if excess[i] <= 0.0:
            return None
        value, bound, unit = float(sample.velocity[i]), float(self._bound[i]), self._units[i]
        return Finding(
            'velocity_range', self.signal, f'the velocity of joint {self._names[i]} is '
            f'{value:.6g} {unit}/s, beyond {bound:.6g} {unit}/s', value, bound, f'{unit}/s')


class FrozenPositionCheck:
    """
    A position changes while a velocity is reported.

    Parameters
    ----------
    names, units : sequence of str
        Of the joints.
    """

    signal = 'position'

    def __init__(self, names: Sequence[str], units: Sequence[str]) -> None:
        self._names, self._units = tuple(names), tuple(units)
        self.reset()

    def reset(self) -> None:
        """Forget the last posture."""
        self._last = np.full(len(self._names), np.nan)
        self._since_ns = np.zeros(len(self._names), dtype=np.int64)

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint that should have gone furthest while its position stood still."""
        changed = sample.position != self._last
        if changed.all():
            self._last[:], self._since_ns[:] = sample.position, sample.stamp_ns
            return None
        self._last[changed] = sample.position[changed]
        self._since_ns[changed] = sample.stamp_ns
        if sample.velocity is None:
            return None
        speed, seconds = np.abs(sample.velocity), 1e-9 * (sample.stamp_ns - self._since_ns)
        counts = np.isfinite(speed) & (speed > CREEP) & (seconds > FROZEN_TIME)
        if not counts.any():
            return None
        way = np.where(counts, speed * seconds, 0.0)
        i = int(np.argmax(way))
        if way[i] <= FROZEN_WAY:
            return None
        return Finding(
            'position_frozen', self.signal, f'the position of joint {self._names[i]} has not '
            f'changed for {seconds[i]:.2f} s at a reported {sample.velocity[i]:.3g} '
            f'{self._units[i]}/s',
            float(way[i]), FROZEN_WAY, self._units[i])


def joint_units(model: RobotModel, names: Sequence[str]) -> list[str]:
    """Return the units of positions of joints."""
    return ['m' if model.joints[model.index(name)].kind == 'prismatic' else 'rad'
            for name in names]


def position_checks(model: RobotModel, config: JointChecksConfig) -> list[Check[JointPositions]]:
    """Return the checks of joint states in the order of a model's joints."""
    names = model.joint_names
    units = joint_units(model, names)
    speed = np.asarray(model.velocity_limit)
    margin = config.position_margin
    return [
        PositionRangeCheck(names, units, model.lower - margin, model.upper + margin),
        PositionChangeCheck(
            names, units, config.velocity_factor * np.where(speed > 0.0, speed, np.inf),
            config.position_step),
        VelocityRangeCheck(
            names, units, config.velocity_factor * np.where(speed > 0.0, speed, np.inf)),
        FrozenPositionCheck(names, units)]


class EffortRangeCheck:
    """
    Efforts lie within the effort limits.

    Parameters
    ----------
    names : sequence of str
        Joints in the order of ``bound``.
    bound : (n,) array, Nm
    what : str
        The efforts that these are, for the text.
    """

    signal = 'effort'

    def __init__(self, names: Sequence[str], bound: FloatArray,
                 what: str = 'measured effort') -> None:
        self._names, self._what = tuple(names), what
        self._bound = bound

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, effort: FloatArray) -> Optional[Finding]:
        """Name the joint that is furthest beyond its limit, of an effort (n,) in Nm."""
        excess = np.abs(effort) - self._bound
        i = int(np.argmax(excess))
        if excess[i] <= 0.0:
            return None
        value, bound = float(effort[i]), float(self._bound[i])
        return Finding(
            'effort_range', self.signal, f'the {self._what} of joint {self._names[i]} is '
            f'{value:.6g} Nm, beyond its limit of {bound:.6g} Nm', value, bound, 'Nm')
