"""The faults: what is wrong with which message, once or for good."""

from __future__ import annotations

import copy
import dataclasses
import math
import os
import signal
import subprocess
import sys
import time
from typing import Any, Callable, Dict, List, Optional

from benchmarks._fault_rig import Fault, Rig
import numpy as np
from rclpy.serialization import serialize_message
from robot_dynamics.control.reference import JointTrajectory as PlainTrajectory
from robot_dynamics.core.resources import resource_path
from robot_dynamics.motion.rotations import matrix_from_quat, matrix_from_rpy, quat_from_matrix
from robot_dynamics.nodes.messages import stamp_ns, to_stamp, trajectory_message
from std_msgs.msg import Float64MultiArray, String
from trajectory_msgs.msg import JointTrajectory

SINGLE, PERSISTENT, SILENCE, EVENT = 'once', 'for good', 'silence', 'event'
GRAVITY = 9.80665


@dataclasses.dataclass(frozen=True)
class Case:
    """
    A fault, and what kind it is.

    Attributes
    ----------
    unlike_motion : str
        Why physics cannot always tell it from a motion within the time; empty where it can.
    blinds : bool
        Whether nobody knows afterwards how the base tilts on.
    at_most : float, optional
        Largest error, % of the limit, other than that of its kind.
    returns : bool
        Whether the robot is commanded again by itself, which is waited for.
    """

    name: str
    kind: str
    make: Callable[[Rig], Fault]
    seconds: float = 1.2
    unlike_motion: str = ''
    blinds: bool = False
    at_most: Optional[float] = None
    returns: bool = False


class _Of(Fault):
    """A change of one stream, at one message or at all."""

    def __init__(self, stream: str, change: Callable[[Any], List[Any]], once: bool) -> None:
        self._change, self._once, self._done = change, once, False
        setattr(self, stream, self._changed)

    def _changed(self, k: int, message: Any) -> List[Any]:
        if self._once and self._done:
            return [message]
        self._done = True
        return self._change(message)


class _At(Fault):
    """Something that is done at some ticks."""

    def __init__(self, deeds: Dict[int, Callable[[Rig], Any]]) -> None:
        self._deeds = deeds

    def act(self, k: int, rig: Rig) -> None:
        """Do what is due."""
        if k in self._deeds:
            self._deeds[k](rig)


def _set(path: str, function: Callable[[Any], Any]) -> Callable[[Any], List[Any]]:
    """Return a change of one field of a message."""
    *parents, last = path.split('.')

    def change(message: Any) -> List[Any]:
        other = copy.deepcopy(message)
        target = other
        for name in parents:
            target = getattr(target, name)
        setattr(target, last, function(getattr(target, last)))
        return [other]

    return change


def _element(path: str, index: int, function: Callable[[float], float]
             ) -> Callable[[Any], List[Any]]:
    def changed(values: Any) -> Any:
        values[index] = function(values[index])
        return values
    return _set(path, changed)


def _vector(path: str, function: Callable[[Any, Any], Any]) -> Callable[[Any], List[Any]]:
    """Return a change of a vector of an Imu by ``function(vector, R)``; R: from IMU to world."""
    def change(message: Any) -> List[Any]:
        q = message.orientation
        value = copy.copy(getattr(message, path))
        new = function(np.array([value.x, value.y, value.z]),
                       matrix_from_quat([q.x, q.y, q.z, q.w]))
        value.x, value.y, value.z = new.tolist()
        other = copy.deepcopy(message)
        setattr(other, path, value)
        return [other]
    return change


def _turned(rotation: Any, left: Any = np.eye(3)) -> Callable[[Any], List[Any]]:
    """Return a change of the orientation by a fixed rotation."""
    def change(message: Any) -> List[Any]:
        other = copy.deepcopy(message)
        q = other.orientation if hasattr(other, 'orientation') else other.quaternion
        R = left @ matrix_from_quat([q.x, q.y, q.z, q.w]) @ rotation
        q.x, q.y, q.z, q.w = (float(v) for v in quat_from_matrix(R))
        return [other]
    return change


def _ned(message: Any) -> List[Any]:
    """Return a sample as sensors with x ahead, y to the right, z down tell it."""
    T = np.diag([1.0, -1.0, -1.0])
    other, = _turned(T, T)(message)
    for vector in (other.angular_velocity, other.linear_acceleration):
        vector.y, vector.z = -vector.y, -vector.z
    other.header.frame_id = 'imu_ned'
    return [other]


class _Stuck:
    """The values of the first sample, with fresh stamps."""

    def __init__(self) -> None:
        self._first: Any = None

    def __call__(self, message: Any) -> List[Any]:
        if self._first is None:
            self._first = copy.deepcopy(message)
        self._first.header.stamp = message.header.stamp
        return [self._first]


def _shifted(seconds: float) -> Callable[[Any], List[Any]]:
    return _set('header.stamp', lambda stamp: to_stamp(stamp_ns(stamp) + int(1e9 * seconds)))


def _both(stream: str, name: str, make: Callable[[], Callable[[Any], List[Any]]],
          unlike: str = '', kinds: Any = (SINGLE, PERSISTENT)) -> List[Case]:
    return [Case(name, kind, lambda rig, kind=kind: _Of(stream, make(), kind == SINGLE),
                 0.6 if kind == SINGLE else 1.2, unlike if kind != SINGLE else '',
                 stream == 'base' and kind != SINGLE)
            for kind in kinds]


def joint_cases(joint: int) -> List[Case]:
    """Return the faults of joint states; ``joint`` is the index of the one that is wrong."""
    def names(order: Any) -> Any:
        return [*order[:joint], order[joint + 1], order[joint], *order[joint + 2:]]

    def second_publisher(message: Any) -> List[Any]:
        other, = _set('position', lambda q: [value + 0.3 for value in q])(message)
        other.header.stamp = to_stamp(stamp_ns(message.header.stamp) + 1000)
        return [message, other]

    cases = []
    for name, change, kind in (
            ('slip of 1 rad', _element('position', joint, lambda q: q + 1.0), PERSISTENT),
            ('slip of 0.3 rad', _element('position', joint, lambda q: q + 0.3), PERSISTENT),
            ('position NaN', _element('position', joint, lambda q: math.nan), SILENCE),
            ('positions in degrees', _set('position', lambda q: np.degrees(q).tolist()),
             PERSISTENT),
            ('velocity 1000 rad/s', _element('velocity', joint, lambda v: 1000.0), PERSISTENT),
            ('velocity off by 0.5 rad/s', _element('velocity', joint, lambda v: v + 0.5),
             PERSISTENT),
            ('two names exchanged', _set('name', names), PERSISTENT),
            ('stamp 3 s ahead', _shifted(3.0), SILENCE),
            ('stamp 10 s old', _shifted(-10.0), SILENCE)):
        cases += _both('joint_states', f'joint states: {name}', lambda change=change: change,
                       kinds=(SINGLE, kind))
    for name, kind, change in (
            ('second publisher 0.3 rad off', EVENT, second_publisher),
            ('efforts of 20000 Nm', EVENT, _set('effort', lambda e: [2e4] * len(e))),
            ('frozen with fresh stamps', PERSISTENT, None),
            ('stop', SILENCE, lambda message: [])):
        cases += _both('joint_states', f'joint states: {name}',
                       _Stuck if change is None else lambda change=change: change, kinds=(kind,))
    cases.append(Case('joint states: slip of 1 rad, then stop', SILENCE, lambda rig: _SlipThenStop(
        joint)))
    return cases


class _SlipThenStop(Fault):
    """The last word before silence is wrong."""

    def __init__(self, joint: int) -> None:
        self._slip = _element('position', joint, lambda q: q + 1.0)

    def joint_states(self, k: int, message: Any) -> List[Any]:
        """Return one wrong message, then none."""
        return self._slip(message) if k == 0 else []


def imu_cases() -> List[Case]:
    """Return the faults of an IMU."""
    w, f = 'angular_velocity', 'linear_acceleration'
    up = np.array([0.0, 0.0, GRAVITY])
    changes: Dict[str, Callable[[Any], List[Any]]] = {
        'gyro in deg/s': _vector(w, lambda v, R: np.degrees(v)),
        'gyro of opposite sign': _vector(w, lambda v, R: -v),
        'gyro dead': _vector(w, lambda v, R: 0.0 * v),
        'gyro off by 3 rad/s': _vector(w, lambda v, R: v + 3.0),
        'force in g': _vector(f, lambda v, R: v / GRAVITY),
        'gravity twice': _vector(f, lambda v, R: v + R.T @ up),
        'gravity taken out': _vector(f, lambda v, R: v - R.T @ up),
        'orientation off by 40 deg': _turned(matrix_from_rpy((math.radians(40.0), 0.0, 0.0))),
        'orientation 0 0 0 1': _set('orientation', lambda q: type(q)(w=1.0)),
        'in NED, frame renamed': _ned}
    missing: Dict[str, Callable[[Any], List[Any]]] = {
        'gyro NaN': _set('angular_velocity.x', lambda v: math.nan),
        'stamp 3 s ahead': _shifted(3.0)}
    cases = []
    for kind, some in ((PERSISTENT, changes), (SILENCE, missing)):
        for name, change in some.items():
            cases += _both('base', f'IMU: {name}', lambda change=change: change,
                           'a base that hardly turns just then looks alike'
                           if name in ('gyro dead', 'gyro of opposite sign') else '',
                           kinds=(SINGLE, kind))
    cases += _both('base', 'IMU: frozen with fresh stamps', _Stuck, kinds=(PERSISTENT,))
    return cases + _both('base', 'IMU: stops', lambda: lambda m: [], kinds=(SILENCE,))


def orientation_cases() -> List[Case]:
    """Return the faults of a sensor that tells the orientation alone."""
    roll = matrix_from_rpy((math.radians(40.0), 0.0, 0.0))
    cases = []
    for name, change, kind in (
            ('off by 40 deg', _turned(roll), PERSISTENT),
            ('turned over', _turned(np.diag([1.0, -1.0, -1.0])), PERSISTENT),
            ('NaN', _set('quaternion.x', lambda v: math.nan), SILENCE),
            ('of no length', _set('quaternion', lambda q: type(q)(w=0.0)), SILENCE),
            ('stamp 3 s ahead', _shifted(3.0), SILENCE)):
        cases += _both('base', f'orientation: {name}', lambda change=change: change,
                       kinds=(SINGLE, kind))
    cases += _both('base', 'orientation: frozen with fresh stamps', _Stuck,
                   'a base that comes to rest looks alike', kinds=(PERSISTENT,))
    return cases + _both('base', 'orientation: stops', lambda: lambda m: [], kinds=(SILENCE,))


def reference_cases(joint: int) -> List[Case]:
    """Return the references that no arm should follow; the next right one is followed."""
    def sent(build: Callable[[Rig], JointTrajectory]) -> Callable[[Rig], Fault]:
        return lambda rig: _At({5: lambda rig: rig.references.publish(build(rig))})

    def points(rig: Rig, change: Callable[[Any, Any, Any], None], count: int = 11) -> Any:
        times = np.linspace(0.0, 0.1 * (count - 1), count)
        q, v, a = (np.array(part) for part in zip(
            *(rig.motion(rig.seconds() + t) for t in times)))
        change(q, v, a)
        return trajectory_message(PlainTrajectory(
            rig.setup.joints, times, q, v, a, stamp_ns(to_stamp(rig._clock_ns))))

    def fast(q: Any, v: Any, a: Any) -> None:
        v[-1, joint] = 100.0

    def overshoot(q: Any, v: Any, a: Any) -> None:
        v[5, joint], a[5, joint] = 60.0, 600.0

    def far(q: Any, v: Any, a: Any) -> None:
        q[:, joint] += 1.5

    return [
        Case('reference: last velocity of 100 rad/s', EVENT, sent(lambda r: points(r, fast))),
        Case('reference: overshoots between points', EVENT,
             sent(lambda r: points(r, overshoot))),
        Case('reference: 1.5 rad away', EVENT, sent(lambda r: points(r, far))),
        Case('reference of 5,000 points', EVENT, lambda rig: _long(rig, 5_000)),
        Case('reference of 100,000 points', EVENT, lambda rig: _long(rig, 100_000))]


def _long(rig: Rig, count: int) -> Fault:
    raw = serialize_message(rig.reference(0.01 * count, 0.01))
    return _At({1: lambda rig: rig.references.publish(raw)})


def description_case() -> Case:
    """Return a description of 20 MB on the topic."""
    def make(rig: Rig) -> Fault:
        text = resource_path('urdf/pa10.urdf').read_text()
        raw = serialize_message(String(data=f'{text}<!--{"x" * 20_000_000}-->'))
        return _At({1: lambda rig: rig.descriptions.publish(raw)})
    return Case('description of 20 MB', EVENT, make)


def event_cases() -> List[Case]:
    """Return what happens to nodes, controller and parameters of a guarded arm."""
    def stop(name: str, number: int) -> Callable[[Rig], Any]:
        return lambda rig: rig.running[name].send_signal(number)

    def restart(*names: str) -> Callable[[Rig], Any]:
        return lambda rig: [rig.start(name) for name in names]

    def kill(*names: str) -> Callable[[Rig], Any]:
        return lambda rig: [rig.kill(name) for name in names]

    def at(deeds: Dict[int, Callable[[Rig], Any]]) -> Callable[[Rig], Fault]:
        return lambda rig: _At(deeds)

    return [
        Case('the controller leaves and comes back', EVENT,
             at({1: Rig.disconnect, 200: Rig.connect}), 3.0),
        Case('guard frozen for 3 s', EVENT, at({
            1: stop('effort_guard', signal.SIGSTOP), 601: stop('effort_guard', signal.SIGCONT)}),
            4.5),
        Case('guard killed and started again', EVENT,
             at({1: kill('effort_guard'), 100: restart('effort_guard')}), 0.6, returns=True),
        Case('feedforward frozen for 3 s', EVENT, at({
            1: stop('feedforward', signal.SIGSTOP), 601: stop('feedforward', signal.SIGCONT)}),
            4.5),
        Case('feedforward killed and started again', EVENT,
             at({1: kill('feedforward'), 200: restart('feedforward')}), 1.1, returns=True),
        Case('both killed and started again, no effort measured', EVENT, at({
            1: lambda rig: (kill('feedforward', 'effort_guard')(rig), _mute(rig)),
            200: restart('feedforward', 'effort_guard')}), 1.1, returns=True)]


def load_case() -> Case:
    """Return a machine whose cores are all busy with something else."""
    def busy(rig: Rig) -> None:
        for k in range(os.cpu_count() or 1):
            rig.running[f'busy {k}'] = subprocess.Popen([sys.executable, '-c', 'while True: 0'])

    def idle(rig: Rig) -> None:
        for k in range(os.cpu_count() or 1):
            rig.kill(f'busy {k}')
            del rig.running[f'busy {k}']

    return Case('all cores busy for 20 s', EVENT, lambda rig: _Timed(20.0, busy, idle), 20.2)


class _Timed(Fault):
    """Something that begins at once and ends after some seconds, however late the ticks are."""

    def __init__(self, seconds: float, begin: Callable[[Rig], Any],
                 end: Callable[[Rig], Any]) -> None:
        self._end_at = time.monotonic() + seconds
        self._begin, self._end, self._over = begin, end, False

    def act(self, k: int, rig: Rig) -> None:
        """Begin, or end."""
        if k == 0:
            self._begin(rig)
        elif not self._over and time.monotonic() > self._end_at:
            self._over = True
            self._end(rig)


def _mute(rig: Rig) -> None:
    rig.reports_effort = False


def clock_case() -> Case:
    """Return a simulated clock that stops, with all that is stamped by it."""
    def halt(rig: Rig) -> None:
        rig.clock_runs = False
    return Case('the clock stops', EVENT, lambda rig: _At({1: halt}), 3.0)


def guard_cases() -> List[Case]:
    """Return commands that somebody else sends to the guard, between the right ones."""
    def far(rig: Rig) -> None:
        rig.commands.publish(Float64MultiArray(data=rig.limit.tolist()))

    return [Case('guard: a command at all limits', SINGLE, lambda rig: _At({5: far}), 0.6),
            Case('guard: 200 a second of them', EVENT,
                 lambda rig: _At(dict.fromkeys(range(5, 400), far)), 2.5, at_most=10.0)]


def parameter_cases() -> List[Case]:
    """Return live changes of parameters that an arm should hardly feel."""
    def asked(values: Dict[str, Any], back: Callable[[Rig], Dict[str, Any]]
              ) -> Callable[[Rig], Fault]:
        return lambda rig: _At({1: lambda rig: rig.ask_parameters(values),
                                300: lambda rig: rig.ask_parameters(back(rig))})

    return [Case('payload of 100 kg, live', EVENT, asked(
                {'payload.link': 'link6', 'payload.mass': 100.0},
                lambda rig: {'payload.mass': 0.0}), 2.5),
            Case('limits.effort of 0, live', EVENT, asked(
                {'limits.effort': [0.0]},
                lambda rig: {'limits.effort': rig.limit.tolist()}), 2.5)]
