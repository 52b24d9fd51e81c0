"""
Measured external wrenches as they come, and what of them may be believed now.

A wrench that falls silent fades to zero and fades in again when it comes back: a torque that
rests on it never steps because a sensor was unplugged.
"""

from __future__ import annotations

import dataclasses
from typing import Dict, Optional, Sequence

import numpy as np

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.protocols import Wrenches
from robot_dynamics.control.ramp import smooth_step
from robot_dynamics.control.watchdog import InputMonitor
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.model.named_values import named_words
from robot_dynamics.model.robot_model import RobotModel

FUTURE_TOLERANCE = 0.05  # s


@dataclasses.dataclass(frozen=True)
class WrenchConfig(Configuration):
    """External wrenches on links, and when they are believed."""

    topics: tuple[str, ...] = parameter(
        (), 'link=topic for each link on which a WrenchStamped is measured: force and moment of '
        'the environment on the link at its origin, in its axes or in those of the base, as '
        'frame_id says', live=False)
    age: float = parameter(
        0.1, 'oldest wrench that is used, by header stamp and by arrival', 's', 0.001, 10.0,
        live=False)
    ramp_time: float = parameter(
        0.5, 'time in which a wrench fades to zero when it is stale, and in again', 's', 0.0,
        60.0, live=False)
    largest_force: float = parameter(
        1e4, 'a larger force is a fault of the sensor', 'N', 0.0, 1e7, live=False)
    largest_moment: float = parameter(
        1e4, 'a larger moment is a fault of the sensor', 'Nm', 0.0, 1e7, live=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.topic_of_link()

    def topic_of_link(self) -> Dict[str, str]:
        """Return the topics by link."""
        return named_words('wrench.topics', self.topics)


class _OneWrench:
    """The last wrench on one link, and the share of it that is used."""

    def __init__(self, link: str, age: float) -> None:
        self.monitor = InputMonitor(link, age, FUTURE_TOLERANCE)
        self.values = np.zeros(6)
        self.frame = 'link'
        self.share = 0.0
        self.missed = False


class WrenchInputs:
    """The external wrenches of one arm."""

    def __init__(self, config: WrenchConfig, model: RobotModel, events: EventLog) -> None:
        self.config = config
        self._events = events
        self._base_link = model.base_link
        self._wrenches: Dict[str, _OneWrench] = {}
        for link in config.topic_of_link():
            model.frame(link)  # says which links there are
            self._wrenches[link] = _OneWrench(link, config.age)
        self._last_ns: Optional[int] = None
        self._first_ns: Optional[int] = None

    @property
    def links(self) -> tuple[str, ...]:
        """Links on which wrenches are measured."""
        return tuple(self._wrenches)

    def reset(self) -> None:
        """Forget stamps, as after a clock that went back; what is used fades out."""
        for wrench in self._wrenches.values():
            wrench.monitor.reset()
        self._last_ns = None

    def receive(self, link: str, stamp_ns: int, arrival_ns: int, frame_id: str,
                values: Sequence[float]) -> bool:
        """
        Take one message; returns whether it is used.

        Parameters
        ----------
        link : str
            One of :attr:`links`.
        stamp_ns, arrival_ns : int
            Header stamp, and the clock when it came.
        frame_id : str
            The link itself or the base link: whose axes the components are in.
        values : sequence of 6 float
            Force [N], then moment [N m].
        """
        wrench = self._wrenches.get(link)
        if wrench is None:
            raise ConfigurationError(f'wrench.topics: has no link {link!r}')
        problem = wrench.monitor.refusal(stamp_ns, arrival_ns)
        if not problem:
            problem = self._problem(link, frame_id, values)
        if problem:
            if stamp_ns != wrench.monitor.stamp_ns or stamp_ns <= 0:  # duplicates are harmless
                self._events.report(EventKind.WRENCH_REFUSED, f'the wrench on {link} {problem}',
                                    arrival_ns, 'warning', link)
            return False
        wrench.values = np.array(values, dtype=np.float64)
        wrench.frame = 'link' if self._bare(frame_id) == link else 'base'
        wrench.monitor.accept(stamp_ns, arrival_ns)
        return True

    def update(self, now_ns: int) -> None:
        """Go on with fading in what is fresh and fading out what is stale."""
        if not self._wrenches:
            return
        elapsed = 0.0 if self._last_ns is None else max(0.0, 1e-9 * (now_ns - self._last_ns))
        self._last_ns = now_ns
        self._report_missed(now_ns)
        step = elapsed / self.config.ramp_time if self.config.ramp_time else 1.0
        for link, wrench in self._wrenches.items():
            fresh = wrench.monitor.fresh(now_ns)
            if not fresh and wrench.share > 0.0:
                self._events.report(
                    EventKind.WRENCH_STALE, f'the wrench on {link} is stale: it fades to zero',
                    now_ns, 'warning', link)
            wrench.share = min(1.0, wrench.share + step) if fresh else max(
                0.0, wrench.share - step)

    def in_use(self, base_axes: Optional[FloatArray] = None) -> Optional[Wrenches]:
        """
        Return the wrenches to be counted in now, faded where they are stale; None for none.

        ``base_axes`` (3, 3) turns from the base link's axes into those that the dynamics call
        the base's; None where they are the same.
        """
        if not self._wrenches:
            return None
        used: Dict[str, ExternalWrench] = {}
        for link, wrench in self._wrenches.items():
            if wrench.share <= 0.0:
                continue
            values = smooth_step(wrench.share) * wrench.values
            if base_axes is not None and wrench.frame == 'base':
                values = np.concatenate([base_axes @ values[:3], base_axes @ values[3:]])
            used[link] = ExternalWrench(values, wrench.frame)
        return used or None

    def stale(self, now_ns: int) -> tuple[str, ...]:
        """Return the links whose wrench is not fresh."""
        return tuple(link for link, wrench in self._wrenches.items()
                     if not wrench.monitor.fresh(now_ns))

    def _report_missed(self, now_ns: int) -> None:
        """Say once which wrench has never come."""
        if self._first_ns is None:
            self._first_ns = now_ns
        if now_ns - self._first_ns <= to_ns(self.config.age):
            return
        for link, wrench in self._wrenches.items():
            if not wrench.missed and wrench.monitor.count == 0:
                self._events.report(
                    EventKind.WAITING, f'no wrench on {link} has come yet: it counts as zero',
                    now_ns, 'warning', link)
            wrench.missed = True

    def _problem(self, link: str, frame_id: str, values: Sequence[float]) -> str:
        if self._bare(frame_id) not in (link, self._base_link):
            return (f'is given in frame {frame_id!r}; it must be {link!r} or the base '
                    f'{self._base_link!r}')
        numbers: FloatArray = np.asarray(values, dtype=np.float64)
        for name, part, largest, unit in (
                ('force', numbers[:3], self.config.largest_force, 'N'),
                ('moment', numbers[3:], self.config.largest_moment, 'Nm')):
            if not np.abs(part).max() <= largest:  # written so that NaN counts
                return f'has a {name} beyond {largest:g} {unit}, or that is no number'
        return ''

    @staticmethod
    def _bare(frame_id: str) -> str:
        """Return a frame without the leading slash of old drivers."""
        return frame_id.lstrip('/')
