"""
Faults from outside: what real nodes over DDS make of wrong messages, and how far the effort goes.

    python -m benchmarks faults [--only TEXT ...]

The nodes run with their default parameters beside a robot on a ship that moves as it is told and
reports what it feels.  An effort's error is against the exact torque of that motion, in percent of
the joint's effort limit: until the fault is noticed, while the robot is controlled or held, and
ever, also after the nodes have begun to stop it, while its motion goes on here.  Where the streams
themselves have paused for longer than joint states may be old, a fault is tried once more, since
silence is another one.  ``--only`` chooses setups and faults whose name holds a text.
"""

from __future__ import annotations

import argparse
from collections import Counter
import os
from pathlib import Path
import sys
import tempfile
import time
from typing import List, Optional, Sequence, Tuple

from benchmarks import _fault_list as faults
from benchmarks._fault_rig import Fault, Rig, Setup
from benchmarks._fault_seen import Seen
import rclpy
from robot_dynamics.app.domain import reserved_domain
from robot_dynamics.control.watchdog import WatchdogConfig

MOST_ONCE, MOST = 5.0, 10.0  # % of the limit: after a single message, after a lasting fault
STOPPED_AFTER = 0.5  # s
SETTLED = 1.0  # % of the limit: what the fault before has left in the estimator is gone
UNHEARD = 0.02  # s: a fault that takes longer to make is begun with afterwards
PATIENCE, COMPILING = 60.0, 300.0  # s, to be active again, and for the first time
RAMPED = 1.5  # s, in which a ramp is over
PAUSED = WatchdogConfig().joint_states_age  # s: streams that pause for longer are a fault more
ATTEMPTS = 5  # at a fault without such a pause


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks faults')
    parser.add_argument('--only', nargs='+', default=[], metavar='TEXT')
    only = [text.lower() for text in parser.parse_args(list(arguments)).only]
    missed = 0
    with reserved_domain() as (_, environment), tempfile.TemporaryDirectory() as directory:
        os.environ.update(environment)  # before rclpy starts a context
        rclpy.init()
        for setup, cases in _setups():
            chosen = [case for case in cases if not only or any(
                text in f'{setup.name} / {case.name}'.lower() for text in only)]
            if chosen:
                missed += _measure(setup, chosen, Path(directory))
        rclpy.shutdown()
    print(f'{missed} targets missed' if missed else 'all targets met')
    return 1 if missed else 0


def _setups() -> List[Tuple[Setup, List[faults.Case]]]:
    """Return the configurations, and what happens to each."""
    arm, mobile = 1, 3  # the joint that is wrong
    return [
        (Setup('arm'), faults.joint_cases(arm) + faults.imu_cases()
         + faults.reference_cases(arm) + [faults.description_case()] + faults.parameter_cases()
         + faults.guard_cases() + faults.event_cases() + [faults.load_case()]),
        (Setup('arm, clock', sim_time=True), [faults.clock_case()]),
        (Setup('arm, orientation', base='quaternion'), faults.orientation_cases()),
        (Setup('arm, trajectory', output='trajectory'),
         faults.joint_cases(arm) + faults.imu_cases()),
        (Setup('mobile', mobile=True), faults.joint_cases(mobile) + faults.imu_cases()),
        (Setup('mobile, orientation, trajectory', mobile=True, output='trajectory',
               base='quaternion'), faults.joint_cases(mobile) + faults.orientation_cases())]


def _measure(setup: Setup, cases: List[faults.Case], directory: Path) -> int:
    """Run the faults of a setup one after another; returns how many targets were missed."""
    own = directory / setup.name.replace(', ', '_')
    own.mkdir()
    missed = 0
    print(f'\n{setup.name}\n{"fault":58s} {"noticed s":>9s} {"until %":>8s} '
          f'{"held %":>7s} {"ever %":>7s} {"step %":>7s}  what follows')
    with Rig(setup, own) as rig:
        healthy = _recover(rig, COMPILING)
        if healthy is None:
            print((own / 'feedforward.log').read_text()[-2000:])
            return 1
        print(f'{"without a fault":58s} {"":9s} {"":8s} {healthy:7.1f}')
        for case in cases:
            for attempt in range(ATTEMPTS):
                problems = _row(rig, case)
                paused, back = rig.seen.paused, _recover(rig)
                if paused <= PAUSED or case.kind == faults.EVENT or back is None:
                    break
                print(f'    the streams paused for {paused:.3f} s'
                      + ('' if attempt + 1 == ATTEMPTS else ': once more'))
            if back is None:
                problems.append('did not recover')
                for log in own.glob('*.log'):
                    print(log.name, log.read_text()[-1500:])
            missed += len(problems)
            for problem in problems:
                print(f'    MISSED: {problem}')
    return missed


def _row(rig: Rig, case: faults.Case) -> List[str]:
    """Run one fault and print what came of it; returns the targets that were missed."""
    began, fault = time.monotonic(), case.make(rig)
    if time.monotonic() - began > UNHEARD:  # the streams have paused meanwhile
        _recover(rig)
    seen = _begin(rig)
    rig.run(fault, case.seconds)
    back = not case.returns or _returns(rig)
    until = seen.largest(seen.noticed)
    ever, step = seen.largest(), max(seen.steps, default=0.0)
    counts = Counter(word.split('@')[0] for word in seen.states)
    states = ', '.join(state if count == 1 else f'{state} x{count}'
                       for state, count in counts.items()) or 'goes on'
    print(f'{case.name + " (" + case.kind + ")":58s} '
          f'{"-" if seen.noticed is None else format(seen.noticed, ".3f"):>9s} {until:8.1f} '
          f'{seen.controlled():7.1f} {ever:7.1f} {step:7.1f}  {states}; {seen.words[:110]}',
          flush=True)
    return seen.broken[:3] + _missed(case, seen) + (
        [] if back else [f'not commanded again within {PATIENCE:g} s'])


def _returns(rig: Rig) -> bool:
    """Wait until the robot is commanded again; returns whether it is, and stays so."""
    rig.run(Fault(), PATIENCE, rig.is_commanded)
    rig.run(Fault(), RAMPED)  # what is old may have been said of the states
    return rig.run(Fault(), PATIENCE, rig.is_commanded)


def _missed(case: faults.Case, seen: Seen) -> List[str]:
    """Return the targets that were missed beside the invariants."""
    # whoever does not know the tilt any more cannot hold it
    ever = seen.controlled() if case.blinds else seen.largest()
    if case.at_most is not None and ever > case.at_most:
        return [f'{ever:.1f} %, at most {case.at_most:g}']
    if case.kind == faults.SINGLE and ever > MOST_ONCE:
        return [f'{ever:.1f} % after one message, at most {MOST_ONCE:g}']
    if case.kind == faults.PERSISTENT:
        tripped = seen.when('tripped')
        late = not case.unlike_motion and (tripped is None or tripped > STOPPED_AFTER)
        return ([f'{ever:.1f} %, at most {MOST:g}'] if ever > MOST else []) + (
            [f'no latched stop within {STOPPED_AFTER:g} s'] if late else [])
    if case.kind == faults.SILENCE and ever > MOST:
        return [f'{ever:.1f} %, at most {MOST:g}']
    return []


def _begin(rig: Rig) -> Seen:
    """Forget what was seen; what comes is of a new fault."""
    rig.seen = Seen(began=time.monotonic())
    return rig.seen


def _recover(rig: Rig, patience: float = PATIENCE) -> Optional[float]:
    """Stream without a fault until the robot is commanded; return the error then, %, or None."""
    rig.clock_runs = rig.reports_effort = True
    _begin(rig)
    rig.run(Fault(), 0.3)
    rig.clear()
    if not rig.run(Fault(), patience, rig.is_commanded):
        return None
    rig.references.publish(rig.reference())
    rig.run(Fault(), 1.0)
    _begin(rig)
    rig.run(Fault(), 10.0, lambda: bool(rig.seen.errors) and rig.seen.errors[-1] < SETTLED)
    seen = _begin(rig)
    rig.run(Fault(), 0.6)
    return seen.largest()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
