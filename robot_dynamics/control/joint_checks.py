"""
Checks of measured joint values against what the description allows.

They have the shape of :class:`~robot_dynamics.core.checks.Check`.
"""

from __future__ import annotations

import dataclasses
from operator import eq, gt, lt
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.control.joint_positions import JointPositions
from robot_dynamics.control.velocity_agreement import VelocityAgreementCheck
from robot_dynamics.core.checks import Check, Credit, Finding
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import check_parameters, parameter
from robot_dynamics.model.robot_model import RobotModel


CREEP, STILL = 0.02, 0.005  # rad/s or m/s: slower may be the offset of a sensor; of all sensors
FROZEN_TIME = 0.1  # s: a driver may repeat a position until it has a new one
FROZEN_WAY = 2e-3  # rad or m, that a joint should have gone: encoders are finer
REPEATS, TIMES, SHORTEST = 20, 3.0, 0.03  # changes, times the longest repetition, s


@dataclasses.dataclass(frozen=True)
class JointChecksConfig:
    """Which measured joint positions and velocities are plausible."""

    position_margin: float = parameter(
        0.1, 'how far a measured position may lie beyond the limits of the description',
        'rad or m', 0.0, 1e6, live=False)
    velocity_drift: float = parameter(
        3e-3, 'how far a joint may go, at once or within some 0.02 s, beside a quarter more than '
        'its reported velocity says', 'rad or m', 1e-5, 1e6, live=False)
    position_step: float = parameter(
        0.05, 'how far a measured position may lie from the last one, beside what the velocity '
        'allows', 'rad or m', 1e-3, 1e6, live=False)
    velocity_factor: float = parameter(
        2.0, 'that velocity, and the largest plausible one that is reported, as a multiple of the '
        'velocity limit', '', 0.1, 1e6, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)


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
        self._lowest, self._highest = lower.tolist(), upper.tolist()

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint that is furthest beyond a limit."""
        if not (any(map(lt, sample.q, self._lowest)) or any(map(gt, sample.q, self._highest))):
            return None
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
        self._speeds: list[float] = velocity.tolist()
        self._credit = Credit()
        self.reset()

    def reset(self) -> None:
        """Forget the last posture: the next one is taken as it is."""
        self._last: Optional[list[float]] = None
        self._credit.reset()

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint whose step is furthest beyond what it may be."""
        q, credit, allowed = sample.position, self._credit.seconds(sample.stamp_ns), self._step
        if self._last is not None and credit is not None and not all(
                -allowed - speed * credit <= x - before <= allowed + speed * credit
                for x, before, speed in zip(sample.q, self._last, self._speeds)):
            step = np.abs(q - self._last)
            bound = self._step + self._velocity * credit
            i = int(np.argmax(step - bound))
            if step[i] > bound[i]:
                unit = self._units[i]
                return Finding(
                    'position_change', self.signal, f'the position of joint {self._names[i]} '
                    f'steps by {step[i]:.6g} {unit} from the last plausible one, more than '
                    f'{bound[i]:.6g} {unit}', float(step[i]), float(bound[i]), unit)
        self._last = sample.q
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
        self._highest: list[float] = bound.tolist()
        self._lowest: list[float] = (-bound).tolist()

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint that is said to be fastest beyond its bound."""
        if sample.velocity is None or not (
                any(map(lt, sample.v, self._lowest)) or any(map(gt, sample.v, self._highest))):
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
    A position changes while a velocity is reported, as soon as it is used to.

    A joint that creeps counts while every position and velocity of the joint state repeats itself.

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
        """Forget the last posture, and how long a position is used to repeat itself."""
        self._last = JointPositions(0, np.full(len(self._names), np.nan))
        self._since_ns = np.zeros(len(self._names), dtype=np.int64)
        self._same_ns = 0
        self._moving, self._creeping = Repetition(), Repetition()

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint that should have gone furthest while its position stood still."""
        if sample.velocity is None:
            return None
        now_ns, last, self._last = sample.stamp_ns, self._last, sample
        before_ns = last.stamp_ns  # what pauses does not repeat itself
        if not any(map(eq, sample.q, last.q)):
            self._moving.ended(before_ns - self._same_ns)
            self._creeping.ended(before_ns - self._same_ns)
            self._since_ns[:] = self._same_ns = now_ns
            return None
        stands, speed = sample.position == last.position, np.abs(sample.velocity)
        if not (stands.all() and last.velocity is not None
                and (sample.velocity == last.velocity).all()):
            self._creeping.ended(before_ns - self._same_ns)
            self._same_ns = now_ns
        for i in np.flatnonzero(~stands).tolist():
            if speed[i] > CREEP:
                self._moving.ended(before_ns - int(self._since_ns[i]))
            self._since_ns[i] = now_ns
        way = np.where(speed > CREEP, 1e-9 * (now_ns - self._since_ns), 0.0)
        i = int(np.argmax(np.where(way > self._moving.bound, way * speed, 0.0)))
        seconds = float(way[i])
        if seconds <= self._moving.bound or seconds * speed[i] <= FROZEN_WAY:
            i, seconds = int(np.argmax(speed)), 1e-9 * (now_ns - self._same_ns)
            if not (STILL < speed[i] <= CREEP and self._creeping.has_learned
                    and seconds > max(self._creeping.bound, 1.5 * FROZEN_TIME)):
                return None
        return Finding(
            'position_frozen', self.signal, f'the position of joint {self._names[i]} has not '
            f'changed for {seconds:.2f} s at a reported {sample.velocity[i]:.3g} '
            f'{self._units[i]}/s', seconds * float(speed[i]), FROZEN_WAY, self._units[i])


class Repetition:
    """
    How long something is used to repeat itself.

    Attributes
    ----------
    bound : float
        What is longer is unusual, s.
    """

    def __init__(self) -> None:
        self._count, self._longest_ns, self.bound = 0, 0, FROZEN_TIME

    @property
    def has_learned(self) -> bool:
        """Whether that is known."""
        return self._count >= REPEATS

    def ended(self, length_ns: int) -> None:
        """Take note of one."""
        self._count += 1
        if self._longest_ns < length_ns <= 1e9 * max(FROZEN_TIME, self.bound):
            self._longest_ns = length_ns
        if self._count >= REPEATS:
            self.bound = max(SHORTEST, TIMES * 1e-9 * self._longest_ns)


def joint_units(model: RobotModel, names: Sequence[str]) -> list[str]:
    """Return the units of positions of joints."""
    return ['m' if model.joints[model.index(name)].kind == 'prismatic' else 'rad'
            for name in names]


def position_checks(model: RobotModel, config: JointChecksConfig,
                    joints: Optional[Sequence[int]] = None) -> list[Check[JointPositions]]:
    """Return the checks of joint states in the order of a model's joints, or of some of them."""
    columns = list(range(model.nv) if joints is None else joints)
    names = [model.joint_names[i] for i in columns]
    units = joint_units(model, names)
    speed = np.asarray(model.velocity_limit)[columns]
    margin = config.position_margin
    return [
        PositionRangeCheck(
            names, units, model.lower[columns] - margin, model.upper[columns] + margin),
        PositionChangeCheck(
            names, units, config.velocity_factor * np.where(speed > 0.0, speed, np.inf),
            config.position_step),
        VelocityRangeCheck(
            names, units, config.velocity_factor * np.where(speed > 0.0, speed, np.inf)),
        FrozenPositionCheck(names, units),
        VelocityAgreementCheck(names, units, config.velocity_drift)]


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
