"""An estimator on one motion: what it says beside what is true, and how far rivals err."""

from __future__ import annotations

import math
from typing import Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from benchmarks._base_motion_rivals import Answers, Measured, RIVALS
from benchmarks._base_motions import DEG, DT, FloatArray, Record, whole
import numpy as np

from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.imu.sample import ImuSample

AHEAD = (0.1, 0.5, 1.0, 2.0)  # s
EVERY = 9                     # samples between two questions: no motor turns in step with them
G = 9.80665
FORCE_NOISE = 0.02            # m/s^2
FIRST, YOUNG = 0.2, 10.0      # s; from the first answer that counts until a filter is settled


Change = Callable[[int, ImuSample], Optional[ImuSample]]


class Case(NamedTuple):
    """A motion and the sensor's noise: gyro, deg/s, and orientation, deg; what noise it draws."""

    name: str
    record: Record
    gyro: float = 0.02
    orientation: float = 0.05
    seed: int = 1


class Trial(NamedTuple):
    """
    Errors by quantity, and what was asked.

    Attributes
    ----------
    ours : dict of float
        RMS errors of the angular acceleration (``turn``), of the level acceleration (``force``),
        of the angle ahead; SI.
    rivals : dict of dict of float
        The same of each rival.
    signal : float
        Standard deviation of the angular acceleration.
    within : float
        Share of the angular accelerations, those of vibrations in them, within the stated 95 %.
    width : float
        Of the stated 95 % intervals, over that which would hold 95 %.
    largest : float
        Largest angular acceleration said, over the largest of differences that was measured.
    """

    ours: Dict[str, float]
    rivals: Dict[str, Dict[str, float]]
    signal: float
    within: float
    width: float
    largest: float

    def best(self, quantity: str) -> Tuple[str, float]:
        """Return the rival that errs least, and by how much."""
        name = min(self.rivals, key=lambda rival: self.rivals[rival][quantity])
        return name, self.rivals[name][quantity]

    def ratio(self, quantity: str) -> float:
        """Return our error over the best rival's."""
        return beside(quantity, self.ours[quantity], self.best(quantity)[1])


def beside(quantity: str, error: float, other: float) -> float:
    """Return an error over another one, those that nobody sees left out."""
    least = {'turn': 1e-4, 'force': 1e-4}.get(quantity, 1e-3 * DEG)
    return (error + least) / (other + least)


def combined(trials: Sequence[Trial]) -> Trial:
    """Return what several records of one kind show together: RMS errors, mean shares."""
    def rms(errors: Iterable[float]) -> float:
        return math.sqrt(np.mean(np.square(list(errors))))
    return Trial(
        {q: rms(trial.ours[q] for trial in trials) for q in trials[0].ours},
        {name: {q: rms(trial.rivals[name][q] for trial in trials) for q in rival}
         for name, rival in trials[0].rivals.items()},
        rms(trial.signal for trial in trials),
        float(np.mean([trial.within for trial in trials])),
        float(np.mean([trial.width for trial in trials])),
        max(trial.largest for trial in trials))


def measured(case: Case) -> Tuple[List[ImuSample], Measured]:
    """Return what an IMU at the base says, with noise of its own, and as signals of one axis."""
    record, rng = case.record, np.random.default_rng([case.seed, *case.name.encode()])
    angle, rate, _ = record.roll
    n = len(angle)
    reported = angle + case.orientation * DEG * rng.standard_normal(n)
    gyro = case.gyro * DEG * rng.standard_normal((n, 3))
    gyro[:, 0] += rate + record.shake_rate
    force = FORCE_NOISE * rng.standard_normal((n, 3))
    lift = G + record.heave + record.shake_force
    force[:, 1] += lift * np.sin(angle)
    force[:, 2] += lift * np.cos(angle)
    level = force[:, 1] * np.sin(angle) + force[:, 2] * np.cos(angle) - G
    samples = [ImuSample(round(k * DT * 1e9), tuple(gyro[k]), tuple(force[k]),
                         (math.sin(a / 2), 0.0, 0.0, math.cos(a / 2)))
               for k, a in enumerate(reported.tolist())]
    return samples, Measured(reported, gyro[:, 0], level, DT)


def rival_answers(seen: Measured) -> Dict[str, Answers]:
    """Return what every rival says at every sample."""
    return {name: rival(seen, AHEAD) for name, rival in RIVALS.items()}


def try_out(make: Callable[[], BaseMotionSource], case: Case, begin: float = 20.0,
            end: float = math.inf, change: Optional[Change] = None, against: bool = True
            ) -> Trial:
    """
    Feed an estimator with a motion, and hold it and its rivals against the truth.

    Parameters
    ----------
    make : callable
    case : Case
    begin, end : float
        From when to when errors count, s.
    change : callable, optional
        What becomes of a sample by its number; None where it is lost.
    against : bool
        Whether rivals are asked, too.
    """
    samples, seen = measured(case)
    record, estimator = case.record, make()
    last = min(len(samples), round(end / DT) if end < math.inf else len(samples))
    last = min(last, len(samples) - round(AHEAD[-1] / DT))
    said: Dict[str, List[float]] = {name: [] for name in ('turn', 'force', *_ahead())}
    asked, stated = [], []
    for k, sample in enumerate(samples[:last]):
        taken = sample if change is None else change(k, sample)
        if taken is not None:
            estimator.update(taken)
        if k * DT < FIRST or k % EVERY:
            continue
        asked.append(k)
        estimate = estimator.at(sample.stamp_ns)
        motion = estimate.motion
        said['turn'].append(float(motion.angular_acceleration[0]))
        up = -motion.gravity / np.linalg.norm(motion.gravity)
        said['force'].append(float(up @ motion.linear_acceleration))
        stated.append(math.nan if estimate.covariance is None
                      else math.sqrt(estimate.covariance[3, 3]))
        for name, h in _ahead().items():
            g = estimator.at(sample.stamp_ns + round(h * 1e9)).motion.gravity
            said[name].append(math.atan2(-g[1], -g[2]))
    at = np.array(asked)
    truth = {'turn': record.roll[2, at], 'force': record.heave[at],
             **{name: record.roll[0, at + round(h / DT)] for name, h in _ahead().items()}}
    score = np.abs(np.array(said['turn']) - whole(record)[at]) / (1.96 * np.array(stated))
    held = score < 1.0
    late = at * DT >= begin
    errors = {name: (np.array(said[name]) - truth[name])[late] for name in said}
    rivals = {} if not against else {
        name: {quantity: _rms((answer[quantity][at] - truth[quantity])[late], quantity)
               for quantity in truth} for name, answer in rival_answers(seen).items()}
    difference = np.abs(np.diff(seen.rate)).max() / DT
    return Trial({name: _rms(error, name) for name, error in errors.items()}, rivals,
                 max(float(record.roll[2, at][late].std()), 1e-9), float(held[late].mean()),
                 1.0 / float(np.quantile(score[late], 0.95)),
                 float(np.abs(said['turn'])[late].max() / difference))


def held_at_first(make: Callable[[], BaseMotionSource], case: Case, starts: int) -> float:
    """Return the share within the stated 95 % in the first ten seconds, after several starts."""
    samples, truth = measured(case)[0], whole(case.record)
    young, held = round(YOUNG / DT), []
    for start in np.linspace(0, len(samples) - young, starts).astype(int):
        estimator = make()
        for k in range(start, start + young):
            estimator.update(samples[k])
            if (k - start) * DT >= FIRST and (k - start) % EVERY == 0:
                estimate = estimator.at(samples[k].stamp_ns)
                held.append(estimate.covariance is not None and abs(
                    float(estimate.motion.angular_acceleration[0]) - truth[k])
                    < 1.96 * math.sqrt(estimate.covariance[3, 3]))
    return float(np.mean(held))


def _ahead() -> Dict[str, float]:
    return {f'{h:g} s': h for h in AHEAD}


def _rms(error: FloatArray, quantity: str) -> float:
    if quantity not in ('turn', 'force'):  # an angle
        error = (error + math.pi) % (2 * math.pi) - math.pi
    known = error[np.isfinite(error)]
    return float(np.sqrt(np.mean(known**2))) if len(known) > 0.9 * len(error) else math.inf
