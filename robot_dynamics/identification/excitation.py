r"""
A motion that teaches the arm: a Fourier series within limits, chosen for what it makes known.

:math:`q_i = c_i + \sum_k a_{ik} \sin k\omega t + b_{ik} \cos k\omega t` (Swevers et al., Optimal
robot excitation and identification, 1997), with position, velocity and acceleration at rest where
a period begins and ends.  Among many such motions the one is taken, and bettered step by step,
after which least is left unknown: the log determinant of what the equations of the motion and the
prior together know of all parameters, friction and rotors included.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

from robot_dynamics.control.reference import JointTrajectory, ReferenceSample
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import smooth_sign
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.identification.fit import Fit
from robot_dynamics.identification.layout import Layout, numbers_of
from robot_dynamics.identification.obstacles import Obstacles
from robot_dynamics.identification.options import IdentifyOptions
from robot_dynamics.identification.regressor_rows import loss_column
from robot_dynamics.identification.validation import trust_anywhere
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion

Progress = Callable[[str, Optional[float]], None]
MovingBase = Callable[[FloatArray], BaseMotion]

_HARMONICS = 5
_LONG = 600.0  # s, of a base's motion
_SAMPLES = 160  # of a period, at which a motion is judged
_REACH = np.pi  # rad, of a joint without limits
_FAST = 1.0  # rad/s, of a joint without a limit
_TORQUE_NOISE = 0.02  # of the largest effort: what a measured torque is taken to err by
_INDEPENDENT = 4.0  # equations a second that count as independent


@dataclass(frozen=True)
class ExciteOptions:
    """Choices."""

    duration: float = 60.0  #: Of the motion, s; rounded to whole periods
    period: float = 20.0  #: Of the series, s
    margin: float = 0.8  #: Share of position, velocity and effort limits that is used
    acceleration: float = 5.0  #: Largest acceleration, rad/s^2 (m/s^2)
    #: Where it starts and ends, rad (m); empty: the middle of the ranges, zero where there is none
    start: Tuple[float, ...] = ()
    #: Height in the base frame below which no point of the arm may come, m
    keep_above: Optional[float] = None
    #: Corners of boxes in the base frame that the arm keeps out of: x, y, z, x, y, z, m
    boxes: Tuple[Tuple[float, ...], ...] = ()
    friction_model: str = 'coulomb'  #: What is to be made known; see ``IdentifyOptions``
    tries: int = 400  #: How many motions are judged
    seed: int = 1

    def __post_init__(self) -> None:
        for name, low, high in (('duration', 1.0, 3600.0), ('period', 2.0, 600.0),
                                ('margin', 0.05, 1.0), ('acceleration', 1e-3, 1e3),
                                ('tries', 1, 1_000_000)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise ConfigurationError(f'{name}: is {value:g}, expected {low:g} to {high:g}')


@dataclass(frozen=True)
class FourierMotion:
    """A periodic motion at rest where it begins and ends; a ``Reference``."""

    names: Tuple[str, ...]
    start: FloatArray
    sine: FloatArray  # (H, n)
    cosine: FloatArray
    period: float
    periods: int

    @property
    def duration(self) -> float:
        """Length, s."""
        return self.period * self.periods

    def sample(self, t: Any) -> ReferenceSample:
        """Return the motion ``t`` seconds after its start; held before and after."""
        time = np.clip(np.asarray(t, np.float64), 0.0, self.duration)
        w = 2 * np.pi / self.period * np.arange(1, len(self.sine) + 1)
        angle = time[..., None] * w
        s, c = np.sin(angle), np.cos(angle)
        return ReferenceSample(
            self.start + s @ self.sine + (c - 1.0) @ self.cosine,
            (c * w) @ self.sine - (s * w) @ self.cosine,
            -(s * w**2) @ self.sine - (c * w**2) @ self.cosine)

    def trajectory(self, spacing: float = 0.05) -> JointTrajectory:
        """Return its points."""
        return JointTrajectory.from_reference(self, None, spacing)


@dataclass(frozen=True)
class Excitation:
    """A motion, and what it will teach."""

    motion: FourierMotion
    #: (nv,), two standard deviations of each joint's torque all over its range afterwards, N m (N)
    uncertainty: FloatArray
    before: FloatArray  #: (nv,), the same before anything is measured
    #: (names, (P,) array), names of the parameters, and standard error after over before
    known: Tuple[Sequence[str], FloatArray]
    #: (3, nv), largest way from the start (rad, m), velocity and torque (N m, N)
    peak: FloatArray = field(default_factory=lambda: np.zeros((3, 0)))


def excite(model: RobotModel, options: Optional[ExciteOptions] = None,
           progress: Optional[Progress] = None, backend: str = 'numba',
           base: Optional[MovingBase] = None) -> Excitation:
    """
    Design a motion that makes the parameters of an arm known.

    Parameters
    ----------
    progress : callable, optional
        Told what is done, and which share of it.
    backend : str
        Of the dynamics.
    base : callable, optional
        ``base(time)`` returns the base motion at times (T,), s; by default it is level and still.
        Whenever the motion begins, its torque keeps within the limits: it is judged where each
        number of the base motion is largest and smallest in ten minutes.

    Raises
    ------
    ConfigurationError
        If no motion keeps within the limits and clear of the obstacles.
    """
    options = options or ExciteOptions()
    return _Design(model, options, backend, base).run(progress or (lambda text, share: None))


class _Design:

    def __init__(self, model: RobotModel, options: ExciteOptions, backend: str,
                 base: Optional[MovingBase]) -> None:
        self.base = base
        self.hardest = [None] if base is None else _extremes(base)
        self.model, self.options, self.backend = model, options, backend
        self.layout = Layout.of(model, IdentifyOptions(friction_model=options.friction_model))
        self.dynamics = InverseDynamics(model, backend=backend)
        self.friction = InverseDynamics(model, friction=True, backend=backend)
        self.obstacles = Obstacles(model, options.keep_above, options.boxes)
        self.low = np.maximum(model.lower, -_REACH)
        self.high = np.minimum(model.upper, _REACH)
        speed, effort = np.array(model.velocity_limit), np.array(model.effort_limit)
        self.speed = np.where(np.isfinite(speed) & (speed > 0), speed, _FAST)
        limited = np.isfinite(effort) & (effort > 0)
        self.effort = np.where(limited, effort, np.inf)
        self.start = self._start()
        self.obstacles.check(self.start)
        at_rest = np.abs(self.dynamics.torque(self.start, 0 * self.start, 0 * self.start))
        for joint in numbers_of(at_rest > options.margin * self.effort):
            raise ConfigurationError(
                f'start: there {model.joint_names[joint]} holds {at_rest[joint]:.3g} N m, more '
                f'than {100 * options.margin:.0f} % of its limit; give another posture (--start)')
        scale = np.where(limited, effort, 2.0 * np.maximum(at_rest, 1.0))
        self.prior = self.layout.prior(0.3, scale)[0]
        self.noise = _TORQUE_NOISE * scale
        periods = max(1, round(options.duration / options.period))
        self.period, self.periods = options.duration / periods, periods
        self.null = _at_rest(_HARMONICS)
        self.random = np.random.default_rng(options.seed)

    def run(self, progress: Progress) -> Excitation:
        """Try many motions, then better the best."""
        tries = self.options.tries
        best, value, x = None, -np.inf, None
        for k in range(tries):
            progress('designing the motion', k / tries)
            if x is None or k < tries // 4:
                trial = self.random.standard_normal((self.null.shape[1], self.model.nv))
            else:
                step = 0.5 * 0.98**(k - tries // 4) + 0.05
                trial = x + step * self.random.standard_normal(x.shape)
            motion = self._scaled(trial)
            score = -np.inf if motion is None else self._score(motion)
            if score > value:
                best, value, x = motion, score, trial
        if best is None:
            raise ConfigurationError(
                'no motion keeps within the limits and clear of what is to be kept clear of; let '
                'it start elsewhere (--start) or keep further away')
        return self._told(best)

    def _start(self) -> FloatArray:
        if self.options.start:
            start = np.array(self.options.start, np.float64)
            if start.shape != (self.model.nv,):
                raise ConfigurationError(f'start: has {start.size} values for {self.model.nv} '
                                         'joints')
        else:
            limited = np.isfinite(self.model.lower) & np.isfinite(self.model.upper)
            start = np.where(limited, 0.5 * (self.low + self.high), 0.0)
        if (start < self.low).any() or (start > self.high).any():
            raise ConfigurationError('start: lies outside the position limits')
        return start

    def _scaled(self, x: FloatArray) -> Optional[FourierMotion]:
        """Fill the limits of each joint; None where the arm gets in the way of something."""
        coefficients = self.null @ x
        motion = FourierMotion(self.model.joint_names, self.start, coefficients[:_HARMONICS],
                               coefficients[_HARMONICS:], self.period, self.periods)
        sample = motion.sample(self._times())
        margin, moved = self.options.margin, sample.position - self.start
        room = np.minimum(
            margin * (self.high - self.start) / np.maximum(moved.max(axis=0), 1e-9),
            margin * (self.start - self.low) / np.maximum(-moved.min(axis=0), 1e-9))
        factor = np.minimum.reduce([
            room, margin * self.speed / np.abs(sample.velocity).max(axis=0),
            self.options.acceleration / np.abs(sample.acceleration).max(axis=0)])
        for _ in range(12):
            scaled = FourierMotion(motion.names, self.start, motion.sine * factor,
                                   motion.cosine * factor, self.period, self.periods)
            sample = scaled.sample(self._times())
            over = self._largest_torque(sample) > margin * self.effort
            if not over.any() and self.obstacles.clear(sample.position):
                return scaled
            factor = factor * 0.8  # all, since what one joint carries the others move
        return None

    def _largest_torque(self, sample: ReferenceSample) -> FloatArray:
        """Return the largest torque of each joint, whenever the motion begins, (nv,)."""
        return np.max([np.abs(self.friction.torque(
            sample.position, sample.velocity, sample.acceleration, base)).max(axis=0)
            for base in self.hardest], axis=0)

    def _times(self) -> FloatArray:
        return np.linspace(0.0, self.period, _SAMPLES, endpoint=False)

    def _information(self, motion: FourierMotion) -> FloatArray:
        sample = motion.sample(self._times())
        q, qd, qdd = sample.position, sample.velocity, sample.acceleration
        base = None if self.base is None else self.base(self._times())
        Y = self.dynamics.regressor(q, qd, qdd, base)
        sign = smooth_sign(qd)
        count = _INDEPENDENT * motion.duration / len(q)
        H = self.prior.T @ self.prior
        for joint in range(self.model.nv):
            matrix = np.zeros((len(q), self.layout.size))
            matrix[:, :Y.shape[2]] = Y[:, joint]
            for term in self.layout.terms:
                matrix[:, self.layout.term(term).start + joint] = loss_column(
                    term, 0.1, qd, qdd, sign)[:, joint]
            H += count / self.noise[joint]**2 * matrix.T @ matrix
        return H

    def _score(self, motion: FourierMotion) -> float:
        sign, value = np.linalg.slogdet(self._information(motion))
        return float(value) if sign > 0 else -np.inf

    def _told(self, motion: FourierMotion) -> Excitation:
        after, before = (np.asarray(np.linalg.inv(matrix), np.float64) for matrix in (
            self._information(motion), self.prior.T @ self.prior))
        uncertainty = []
        for covariance in (after, before):
            nothing = np.zeros(self.model.nv)
            deviation, _ = trust_anywhere(self.layout, Fit(
                self.layout.described, covariance, before, nothing, nothing, nothing + 0.1,
                np.ones(self.layout.size, dtype=bool)), self.backend)
            uncertainty.append(2.0 * deviation)
        sample = motion.sample(self._times())
        peak = np.stack([np.abs(sample.position - self.start).max(axis=0),
                         np.abs(sample.velocity).max(axis=0), self._largest_torque(sample)])
        ratio = np.sqrt(np.diag(after) / np.diag(before))
        return Excitation(motion, uncertainty[0], uncertainty[1], (self.layout.names, ratio), peak)


def _extremes(base: MovingBase) -> List[Optional[BaseMotion]]:
    """Return the base motions in which some number is largest or smallest."""
    motion = base(np.arange(0.0, _LONG, 0.05))
    packed = motion.packed
    instants = np.unique(np.concatenate([packed.argmax(axis=0), packed.argmin(axis=0)]))
    return [motion[int(k)] for k in instants]


def _at_rest(harmonics: int) -> FloatArray:
    """Return a basis of the coefficients [sine; cosine] with rest at the start, (2 H, 2 H - 2)."""
    k = np.arange(1, harmonics + 1, dtype=np.float64)
    rows = np.zeros((2, 2 * harmonics))
    rows[0, :harmonics] = k  # velocity
    rows[1, harmonics:] = k**2  # acceleration
    return np.asarray(np.linalg.svd(rows)[2][2:].T)
