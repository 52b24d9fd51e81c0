"""Identify an arm from recordings: :func:`identify` is the one entry."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.core.errors import IdentificationError
from robot_dynamics.core.extras import require
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.identification.equations import Equations
from robot_dynamics.identification.fit import described_with_friction, fit
from robot_dynamics.identification.layout import Layout, numbers_of
from robot_dynamics.identification.options import IdentifyOptions
from robot_dynamics.identification.plausibility import (
    check_effective, check_efforts, check_motion, check_scale, gravity_shares, refuse)
from robot_dynamics.identification.recorded_motion import MotionSource, RecordedMotion, robot_of
from robot_dynamics.identification.regressor_rows import Columns, RegressorRows
from robot_dynamics.identification.result import Identification, Training
from robot_dynamics.identification.validation import trust_anywhere, validate
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.alignment import Block
from robot_dynamics.replay.robot import load_robot, RobotSource

Progress = Callable[[str, Optional[float]], None]
Bag = Union[str, Path]

_WORTH_COMPILING = 10_000  # joint states


def identify(bags: Union[Bag, Sequence[Bag]], model: Optional[RobotSource] = None,
             options: Optional[IdentifyOptions] = None, validate_on: Sequence[Bag] = (),
             progress: Optional[Progress] = None) -> Identification:
    """
    Identify an arm from recordings of its motion.

    Parameters
    ----------
    bags : path-like or sequence of them
        Recordings with joint states, efforts and, where the base moves, its IMU.
    model : RobotModel, path or str, optional
        The description; by default the one that the first recording carries.
    validate_on : sequence of path-like
        Recordings that the result is tried on; by default the last part of each bag, which is
        then not learned from.
    progress : callable, optional
        Called with what is done and which share (0 to 1) of it.

    Raises
    ------
    IdentificationError
        If the recordings do not teach the arm, or contradict its description.
    BagError, ModelError, ConfigurationError
        If something cannot be read, or the solver is not installed.
    """
    require('identification', 'clarabel')
    options = options or IdentifyOptions()
    paths = [bags] if isinstance(bags, (str, Path)) else list(bags)
    if not paths:
        raise IdentificationError('bags: give at least one recording')
    _check_distinct(paths, validate_on)
    replay = options.replay
    description = robot_of(paths[0], replay) if model is None else model
    robot = load_robot(description, replay.without_links, replay.base_link, replay.tip_link,
                       replay.held_joints)
    known = Identified.read(replay.identified) if replay.identified else None
    before: List[str] = []
    if known is not None:
        before += known.bodies
        if known.payload is not None:
            before.append(robot.bodies[robot.frame(known.payload[0]).body].name)
        robot = known.apply(robot)
    robot = robot.with_rotor_inertia(replay.rotor_inertia or {})
    findings = Findings()
    with ExitStack() as stack:
        def opened(path: Bag) -> RecordedMotion:
            return stack.enter_context(RecordedMotion(path, robot, replay, findings, progress))
        training = [opened(path) for path in paths]
        tests = [opened(path) for path in validate_on]
        return replace(identify_motions(training, robot, options, tests, findings, progress),
                       learned_before=tuple(before))


def _check_distinct(training: Sequence[Bag], tests: Sequence[Bag]) -> None:
    """Refuse recordings that would count twice, or be tried on what was learned from them."""
    taken: List[Path] = []
    for number, bag in enumerate([*training, *tests]):
        path = Path(bag).resolve()
        if any(path == other or path in other.parents or other in path.parents
               for other in taken):
            raise IdentificationError(
                f'bags: {path.name} is given twice and would count as two recordings'
                if number < len(training) else
                f'validate: {path.name} is learned from, or given twice; give another recording, '
                'or none: then the last part of each is held back')
        taken.append(path)


def identify_motions(training: Sequence[MotionSource], model: RobotModel,
                     options: IdentifyOptions, tests: Sequence[MotionSource] = (),
                     findings: Optional[Findings] = None, progress: Optional[Progress] = None
                     ) -> Identification:
    """
    Identify an arm from aligned samples; see :func:`identify`.

    Parameters
    ----------
    findings : Findings, optional
        Where to note what was seen.
    """
    require('identification', 'clarabel')
    findings = Findings() if findings is None else findings
    report = progress or (lambda text, fraction: None)
    layout = Layout.of(model, options)
    columns = Columns(model, layout.terms)
    names = model.joint_names
    measured = np.all([source.measured for source in training], axis=0)
    with Equations(model.nv, columns) as learned, Equations(model.nv, columns) as kept:
        backend = _backend(options, [*training, *tests])
        cutoff = options.cutoff_for(max(source.period for source in training))
        rows, aside = (RegressorRows(model, columns, cutoff, measured, backend)
                       for _ in range(2))
        for number, source in enumerate(training):
            report(f'forming the equations of {source.name}', number / len(training))
            _collect(source, learned, rows, 0.0, 1.0 if tests else 1.0 - options.held_back)
            if not tests:
                _collect(source, kept, aside, 1.0 - options.held_back, 1.0)
        for source in tests:
            report(f'forming the equations of {source.name}', None)
            _collect(source, kept, aside, 0.0, 1.0)
        moved = check_motion(rows, names, findings, options.force)
        if not learned.count:
            raise IdentificationError('recording: no stretch is long enough without a gap')
        check_efforts(gravity_shares(layout, learned, measured), names, findings, options.force,
                      options.payload is not None)
        report('solving', None)
        found, design = fit(layout, learned, options.prior, _largest(model, rows),
                            layout.free(options), measured)
        check_effective(found.effective, learned.count, learned.count * rows.spacing, measured,
                        moved, int(found.free.sum()), names, findings, options.force)
        rival = described_with_friction(layout, design, learned, measured)
        validation = validate(layout, design, found, rival, kept, measured)
        result = Identification(
            layout, found, validation, trust_anywhere(layout, found, backend),
            _training(training, tests, options, rows, learned, cutoff), ())
    _check_trust(result, measured, findings, options.force)
    check_scale(found.theta, found.covariance, 10 * len(model.bodies), options.payload_mass,
                findings, options.force)
    return replace(result, findings=tuple(findings.by_severity()))


def _collect(source: MotionSource, equations: Equations, rows: RegressorRows, begin: float,
             end: float) -> None:
    """Add the equations of a part of a recording, from one share of its time to another."""
    if end <= begin:
        return
    first, last = source.span
    low, high = (first + int(share * (last - first)) for share in (begin, end))
    equations.begin()
    for piece in rows.of(_between(source, low, high if end < 1.0 else last + 1), first,
                         source.period):
        equations.add(piece)


def _between(source: MotionSource, low: int, high: int) -> Iterator[Block]:
    for block in source.blocks():
        inside = (block.stamp_ns >= low) & (block.stamp_ns < high)
        if inside.any():
            yield replace(block, valid=block.valid & inside)


def _largest(model: RobotModel, rows: RegressorRows) -> FloatArray:
    """Return the torque that each joint's losses are in proportion to, (nv,)."""
    limit = np.array(model.effort_limit)
    known = np.isfinite(limit) & (limit > 0.0)
    return np.where(known, limit, np.maximum(2.0 * rows.largest_effort, 1e-3))


def _backend(options: IdentifyOptions, sources: Sequence[MotionSource]) -> str:
    """Compile only where it is worth the seconds that it takes."""
    if options.replay.backend != 'auto':
        return options.replay.backend
    samples = sum((source.span[1] - source.span[0]) * 1e-9 / source.period for source in sources)
    return 'numba' if samples > _WORTH_COMPILING else 'interpreted'


def _training(training: Sequence[MotionSource], tests: Sequence[MotionSource],
              options: IdentifyOptions, rows: RegressorRows, learned: Equations,
              cutoff: float) -> Training:
    duration = sum((source.span[1] - source.span[0]) * 1e-9 for source in training)
    if tests:
        words = 'held-out recordings: ' + ', '.join(source.name for source in tests)
    else:
        duration *= 1.0 - options.held_back
        words = f'the last {100 * options.held_back:.0f} % of each recording'
    return Training(
        tuple(source.name for source in training), words, duration, rows.samples, learned.count,
        all(getattr(source, 'base_known', True) for source in training), cutoff)


def _check_trust(result: Identification, measured: NDArray[np.bool_], findings: Findings,
                 force: bool) -> None:
    """Refuse a model that knows less than it says; tell what is known badly."""
    deviation, torque = result.trust
    names = result.described.joint_names
    deviation = 2.0 * deviation
    total = float(np.linalg.norm(deviation[measured])
                  / (np.linalg.norm(torque[measured]) + 1e-300))
    if total > 1.0:
        refuse(findings, force, 'uncertain', 'model',
               f'the torque that it predicts in the ranges of its joints is uncertain by '
               f'{100 * total:.0f} % (two standard deviations); record a motion that excites more '
               '(robot-dynamics excite)')
    for joint in numbers_of(measured & (deviation > torque)):
        findings.add(WARNING, 'uncertain', names[joint],
                     f'its torque is known to {_percent(deviation[joint], torque[joint])} only, '
                     'two standard deviations, over the whole range')
    validation = result.validation
    if len(validation.time) and validation.relative('identified') > \
            validation.relative('with_friction'):
        findings.add(WARNING, 'no-gain', 'model', 'on what was held back the description with '
                     'fitted friction does better: record longer, or keep the inertia')
    if not result.training.base_known:
        findings.add(INFO, 'base-assumed', 'base', 'was taken to be level and still')


def _percent(part: float, whole: float) -> str:
    return f'{100 * part / whole:.0f} %' if whole > 0 else 'nothing'
