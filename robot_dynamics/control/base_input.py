"""
The base motion as the feedforward needs it: samples checked, estimated, and the last tilt kept.

A sample that cannot be used changes nothing and gives one event.
"""

from __future__ import annotations

from typing import Callable, Optional

import numpy as np

from robot_dynamics.control.delays import DelayMeter
from robot_dynamics.control.effort_model import gravity_of
from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.tilt_forecast import TiltForecast
from robot_dynamics.control.trips import SensorFault
from robot_dynamics.control.watchdog import InputMonitor
from robot_dynamics.core.checks import Finding
from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.protocol import BaseMotionSource, LEVELS, NONE, VibrationSource
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion.base_motion import BaseMotion

ToDeck = Callable[[ImuSample], Optional[ImuSample]]
KINDS = {'orientation_missing': EventKind.BASE_ORIENTATION_MISSING}
MEANINGS = {
    'full': 'orientation, angular velocity and specific force',
    'specific_force': 'angular velocity and specific force, but no orientation',
    'gyro': 'orientation and angular velocity, but no accelerometer: heave is not seen',
    'orientation': 'orientation only: rates are derived from it, heave is not seen',
    NONE: 'nothing valid: a level base at rest is assumed'}
LONGEST_GAP_NS = 200_000_000  # after a longer one an estimator may have begun anew


class BaseInput:
    """
    Feeds an estimator and asks it.

    Parameters
    ----------
    gate : ImuGate
        Checks the samples.
    to_deck : callable or None
        Makes of a sample that has left the gate one of the deck, or None where it cannot.
    estimator : BaseMotionSource or None
        Gets what comes of that; None where no base motion is needed.
    settling_ns : int
        How long samples must have come without a gap before they are used, ns.

    Attributes
    ----------
    level : str
        What the motion given last rests on, one of
        :data:`~robot_dynamics.estimation.protocol.LEVELS`.
    fault : SensorFault
        Whether samples are implausible all the time.
    delay : DelayMeter
        Of the samples, from stamp to arrival: of the sensor and of the transport.
    """

    def __init__(self, gate: ImuGate, to_deck: Optional[ToDeck],
                 estimator: Optional[BaseMotionSource], monitor: InputMonitor, events: EventLog,
                 settling_ns: int) -> None:
        self.monitor = monitor
        self.settling_ns = settling_ns
        self.level = NONE
        self.fault = SensorFault()
        self.delay = DelayMeter()
        self._level_changed = False
        self._since_ns = 0
        self._gate = gate
        self._to_deck = to_deck
        self._estimator = estimator
        self._events = events
        self._last_gravity: Optional[FloatArray] = None
        self._forecast = TiltForecast(lambda stamp_ns: gravity_of(self.at(stamp_ns, keep=False)))

    def reset(self) -> None:
        """Forget all samples, and keep the last known tilt."""
        self.monitor.reset()
        self.delay.reset()
        self.examine_anew()
        self._forecast.reset()
        if self._estimator is not None:
            self._estimator.reset()

    def examine_anew(self) -> None:
        """Compare the next samples with none from before."""
        self._gate.reset()
        self.fault.reset()

    def receive(self, sample: ImuSample, arrival_ns: int) -> bool:
        """Take one sample; returns whether it was used."""
        stamp_ns = int(sample.stamp_ns)
        problem = self.monitor.refusal(stamp_ns, arrival_ns)
        if problem:
            if stamp_ns != self.monitor.stamp_ns or stamp_ns <= 0:  # duplicates are harmless
                self._report(EventKind.STAMP_REFUSED, f'the IMU sample {problem}', arrival_ns)
            return False
        kind, check = EventKind.BASE_SAMPLE_REFUSED, 'base_motion'
        try:
            passed = self._gate.pass_through(sample)
            if isinstance(passed, Finding):
                kind, problem = KINDS.get(passed.check, kind), passed.text
                self.fault.note(passed, arrival_ns)
                check = passed.check  # each is told
            else:
                sample_of_deck = passed if self._to_deck is None else self._to_deck(passed)
                if sample_of_deck is None:
                    return False
                problem = self._problem(sample_of_deck)
        except (RobotDynamicsError, TypeError, ValueError, IndexError, ArithmeticError) as error:
            problem = str(error)
        if problem:
            self._report(kind, f'the IMU sample cannot be used: {problem}', arrival_ns, check)
            return False
        if not self.monitor.received or stamp_ns - self.monitor.stamp_ns > LONGEST_GAP_NS:
            self._since_ns = stamp_ns
        self.monitor.accept(stamp_ns, arrival_ns)
        self.fault.reset()
        self.delay.note(arrival_ns - stamp_ns)
        return True

    @property
    def vibration(self) -> Optional[tuple[float, float]]:
        """RMS of rates, rad/s, and forces, m/s^2, that no motion of the base explains."""
        source = self._estimator
        return source.vibration if isinstance(source, VibrationSource) else None

    def maintain(self) -> None:
        """Let the estimator do work that is not needed at once."""
        if self._estimator is not None:
            self._estimator.maintain()

    def level_change(self) -> bool:
        """Whether the level has changed while motion was in use; True once, then False."""
        changed, self._level_changed = self._level_changed, False
        return changed

    def usable(self, now_ns: int) -> bool:
        """Whether samples are fresh and have come for long enough."""
        return (self.monitor.fresh(now_ns)
                and self.monitor.stamp_ns - self._since_ns >= self.settling_ns)

    def at(self, stamp_ns: int, keep: bool = True) -> BaseMotion:
        """Return the estimated base motion at an instant; ``keep`` remembers its tilt."""
        assert self._estimator is not None
        estimate = self._estimator.at(stamp_ns)
        motion: BaseMotion = estimate.motion
        if keep:
            if estimate.level != self.level:
                self._change_level(estimate.level, stamp_ns)
            self._last_gravity = gravity_of(motion)
            self._forecast.note(self._last_gravity, stamp_ns)
        return motion

    def gravity(self, now_ns: int, otherwise: FloatArray) -> FloatArray:
        """Return the gravity vector (3,) in base axes now; where stale, as far as is known."""
        if self._estimator is not None and self.monitor.fresh(now_ns):
            self.at(now_ns)
        if self._last_gravity is None or not np.isfinite(self._last_gravity).all():
            return otherwise
        if not self.monitor.received or self.monitor.fresh(now_ns):
            return self._last_gravity
        gravity = self._forecast.after(self._last_gravity, self.monitor.stamp_ns, now_ns)
        return gravity if np.isfinite(gravity).all() else self._last_gravity

    def _problem(self, sample: ImuSample) -> str:
        """Offer a sample to the estimator; says why it cannot be used."""
        assert self._estimator is not None
        rejection = self._estimator.update(sample)
        return '' if rejection is None else rejection.text

    def _change_level(self, level: str, stamp_ns: int) -> None:
        before, self.level = self.level, level
        if before == NONE:
            return
        self._level_changed = True
        falls = level not in LEVELS or LEVELS.index(level) > LEVELS.index(before)
        self._events.report(
            EventKind.BASE_LEVEL_CHANGED, f'the base motion {"falls" if falls else "rises"} from '
            f'level {before} to {level}: {MEANINGS.get(level, "unknown")}', stamp_ns,
            'warning' if falls else 'info', 'base_motion')

    def _report(self, kind: EventKind, text: str, stamp_ns: int,
                subject: str = 'base_motion') -> None:
        self._events.report(kind, text, stamp_ns, 'warning', subject)
