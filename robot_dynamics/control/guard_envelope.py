"""
The guard's part of the envelope, which knows no model: a distance from what holds gravity.

The effort that holds gravity comes beside the commands.  Commands further away are cut, and
commands that are cut all the time trip.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from robot_dynamics.control.envelope import EffortEnvelope
from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.guard_config import GuardConfig
from robot_dynamics.control.trips import Trips, TripsConfig
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns

CENTRE_TIME = 0.1  # s, time constant of the gravity effort as the centre


class GuardEnvelope:
    """
    Holds commands near the gravity effort, as long as one is known that is recent.

    Parameters
    ----------
    joints : sequence of str
        In command order.
    effort_limit : (n,) array, Nm

    Attributes
    ----------
    trips : Trips
    """

    def __init__(self, joints: Sequence[str], config: GuardConfig, effort_limit: FloatArray,
                 events: EventLog) -> None:
        self._joints, self._events = tuple(joints), events
        self._zeros = self._centre = np.zeros(len(self._joints))
        self._centre_ns = -1
        self._beyond: tuple[int, ...] = ()
        self.trips = Trips(joints, ('',) * len(self._joints), _trips_of(config))
        self.configure(config, effort_limit)

    def configure(self, config: GuardConfig, effort_limit: FloatArray) -> None:
        """Take distance and times."""
        self._envelope = EffortEnvelope(self._joints, config.envelope_share, effort_limit,
                                        'envelope_share')
        self._envelope.around(self._centre)
        self._age_ns = to_ns(config.gravity_age)
        self.trips.configure(_trips_of(config))

    def rebase(self, now_ns: int) -> None:
        """Keep the centre, however the clock has jumped."""
        self._centre_ns = min(self._centre_ns, now_ns)
        self.trips.begin_anew()

    def on_gravity_effort(self, effort: FloatArray, now_ns: int) -> None:
        """Take what holds gravity, (n,), Nm: one alone moves the centre little."""
        passed = (now_ns - self._centre_ns) * 1e-9
        share = passed / (passed + CENTRE_TIME) if self._knows_gravity(now_ns) else 1.0
        self._centre, self._centre_ns = self._centre + share * (effort - self._centre), now_ns
        self._envelope.around(self._centre)

    @property
    def beyond(self) -> tuple[str, ...]:
        """The joints at which the last command was cut."""
        return tuple(self._joints[i] for i in self._beyond)

    def cut(self, effort: FloatArray, now_ns: int) -> None:
        """Cut a command (n,) in place."""
        self._beyond = self._envelope.cut(effort) if self._knows_gravity(now_ns) else ()

    def on_command(self, now_ns: int) -> bool:
        """Take note that the command that was cut last is used; returns whether it trips now."""
        if self._beyond:
            self._events.report(
                EventKind.SATURATED, f'the effort of {", ".join(self.beyond)} is held within '
                'envelope_share of what holds gravity', now_ns, 'warning', 'envelope')
        return self.trips.on_command(self._zeros, self._beyond, now_ns)

    def _knows_gravity(self, now_ns: int) -> bool:
        return 0 <= self._centre_ns and now_ns - self._centre_ns <= self._age_ns


def _trips_of(config: GuardConfig) -> TripsConfig:
    return TripsConfig(
        following_error=(0.0,), saturation_time=config.envelope_time,
        sensor_time=min(config.envelope_time, TripsConfig.sensor_time))
