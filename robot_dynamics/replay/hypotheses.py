"""
What would explain a mismatch of measured and computed torque: tried on the data, then named.

Each hypothesis computes the torque again, or fits few numbers by least squares.  The one that
explains most with the fewest is named, with the residual that it leaves; nothing is corrected.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Iterator, List, Optional

import numpy as np

from robot_dynamics.bags.findings import Findings, WARNING
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.replay.alignment import Alignment
from robot_dynamics.replay.evidence import Evidence, FEWEST, HELPS, LIGHT, UNEXPLAINED
from robot_dynamics.replay.result import JointStatistics
from robot_dynamics.replay.torques import ReplayTorques

SCALES = 'scales'
"""Code of the hypothesis of one factor for each joint: its findings are told joint by joint."""

LEVEL = np.array([0.0, 0.0, -STANDARD_GRAVITY])

_EXCHANGED = 8  # joints of which pairs are tried, those that are explained worst
_EXACT = 0.02  # share of the largest torque that commanded efforts may differ by
_EVEN = 1.3  # two explanations within this are as good as each other


@dataclass(frozen=True)
class Explanation:
    """A hypothesis and what it leaves."""

    code: str  #: Short stable name
    numbers: int  #: How many it fits: of two that explain as much the one with fewer is believed
    text: str  #: What is likely wrong, and what to do
    left: FloatArray  #: (J,), RMS of what it leaves of each joint's effort


def explain(alignment: Alignment, torques: ReplayTorques, joints: List[JointStatistics],
            findings: Findings, guessed: bool = False) -> Optional[Explanation]:
    """
    Look for what explains a mismatch; note and return it, None where nothing needs or does so.

    Parameters
    ----------
    joints : list of JointStatistics
        Of those joints that the recording has.
    guessed : bool
        Whether names were matched by a rule, so that joints may be in another order.
    """
    compared = [joint for joint in joints if joint.compared]
    if not compared or not _unexplained(compared):
        return None
    torques = torques.interpreted()
    index = [torques.model.joint_names.index(joint.name) for joint in compared]
    evidence = Evidence(alignment, torques, index)
    if len(evidence.q) < FEWEST or not evidence.unexplained():
        return None
    found = [(evidence.share(item.left), item) for item in _hypotheses(evidence, torques, guessed)]
    found = [pair for pair in found if pair[0] < HELPS and evidence.fits(pair[1].left)]
    if not found:
        return None
    least = min(left for left, _ in found)
    left, best = min((pair for pair in found if pair[0] < _EVEN * least + 0.005),
                     key=lambda pair: (pair[1].numbers, pair[0]))
    if best.code != SCALES:
        worst = int(np.argmax(evidence.before))
        findings.add(WARNING, best.code, compared[worst].name, f'{best.text}.  Its residual would '
                     f'be {best.left[worst]:.3g} instead of {evidence.before[worst]:.3g} '
                     f'{compared[worst].unit}; nothing was corrected')
    return best


def _unexplained(joints: List[JointStatistics]) -> bool:
    most = max(max(joint.measured_rms, joint.computed_rms) for joint in joints)
    return any(
        joint.residual_rms > UNEXPLAINED * max(joint.measured_rms, joint.computed_rms)
        and joint.residual_rms > LIGHT * most for joint in joints)


def _hypotheses(evidence: Evidence, torques: ReplayTorques, guessed: bool
                ) -> Iterator[Explanation]:
    if guessed and evidence.joints == list(range(evidence.model.nv)):
        yield from _orders(evidence)
    yield from _exchanges(evidence)
    yield from _efforts(evidence)
    yield from _positions(evidence)
    yield from _base(evidence)
    if torques.wheels is None:
        yield from _loads(evidence)


def _efforts(evidence: Evidence) -> Iterator[Explanation]:
    """Try what the effort may be: of another sign or unit, without gravity."""
    tau, effort = evidence.computed, evidence.effort
    product_ = np.sum(tau * effort, axis=0)
    yield Explanation(SCALES, 0, 'efforts of the opposite sign',
                      evidence.left(tau * np.sign(product_)))
    factor = product_ / np.maximum(np.sum(tau**2, axis=0), 1e-12)
    yield Explanation(SCALES, len(factor), 'efforts of another unit',
                      evidence.left(tau * factor))
    gravities = [('level_gravity', 'of a level base', evidence.gravity(LEVEL))]
    if evidence.base_known:
        gravities.append(('gravity', 'with the tilt of the base', evidence.gravity()))
    for option, which, gravity in gravities:
        yield Explanation(
            'effort-gravity', 0, f'the efforts most likely lack gravity ({which}), which the '
            'controller compensates without reporting it; compare with --leave-out '
            f'{option if evidence.base_known else "gravity"}', evidence.left(tau - gravity))
    rest = evidence.left(evidence.gravity())
    if (rest < _EXACT * evidence.size.max()).all():  # slow motions come near it
        yield Explanation(
            'effort-gravity-only', 0, 'the efforts are most likely those of gravity alone, as a '
            'controller commands them, and not measured', rest)


def _positions(evidence: Evidence) -> Iterator[Explanation]:
    """Try what the positions may be: in another unit, of another sign, or from another zero."""
    def scaled(factor: FloatArray) -> FloatArray:
        return evidence.torque(evidence.q * factor, evidence.qd * factor, evidence.qdd * factor)
    slides = np.array([joint.kind == 'prismatic' for joint in evidence.model.joints])
    for code, angle, length, what in (
            ('positions-degrees', np.pi / 180, 1.0, 'in degrees, where JointState has radians'),
            ('positions-unit', 2 * np.pi, 1.0, 'in turns, where JointState has radians'),
            ('positions-unit', 1.0, 1e-3, 'of sliding joints in mm, where JointState has m')):
        unit = np.where(slides, length, angle)
        if (unit == 1.0).all():
            continue
        yield Explanation(code, 0, f'the positions are most likely {what}; convert them',
                          evidence.left(scaled(unit)))
        for k in np.flatnonzero(unit != 1.0).tolist():
            alone = np.where(np.arange(len(unit)) == k, unit, 1.0)
            yield Explanation(
                code, 1, f'the position of {evidence.model.joint_names[k]} alone is most likely '
                f'{what}; convert it', evidence.left(scaled(alone)))
    step = 1e-3
    for j, name in enumerate(evidence.model.joint_names):
        mirror = np.where(np.arange(len(slides)) == j, -1.0, 1.0)
        torque = scaled(mirror)
        for felt, what in ((torque, 'in its position alone'),
                           (torque * mirror[evidence.joints], 'in position and effort')):
            yield Explanation('joint-sign', 1, f'{name} most likely has the opposite sign of that '
                              f'of the description, {what}', evidence.left(felt))
        shift = np.zeros(evidence.model.nv)
        total, value = 0.0, np.zeros(1)
        for _ in range(3):  # Gauss and Newton's method
            shift[j] = total
            here = evidence.torque(evidence.q + shift)
            shift[j] = total + step
            slope = (evidence.torque(evidence.q + shift) - here) / step
            value, _ = evidence.fit(slope[:, :, None], evidence.effort - here)
            total += float(np.clip(value[0], -1.0, 1.0))
        shift[j] = total
        if abs(total) > 0.01:
            prismatic = evidence.model.joints[j].kind == 'prismatic'
            yield Explanation(
                'joint-zero', 1, f'the zero of {name} is most likely another than that of the '
                f'description, by {total:.3g} m' if prismatic else
                f'the zero of {name} is most likely another than that of the description, by '
                f'{np.degrees(total):.1f} deg',
                evidence.left(evidence.torque(evidence.q + shift)))


def _orders(evidence: Evidence) -> Iterator[Explanation]:
    """Try joints in other orders than that in which their names were matched."""
    there = np.arange(evidence.model.nv)
    for order, what in ((there[::-1], 'in the opposite order'), (np.roll(there, 1), 'one too far'),
                        (np.roll(there, -1), 'one too early')):
        torque = evidence.torque(evidence.q[:, order], evidence.qd[:, order],
                                 evidence.qdd[:, order])
        left = np.sqrt(np.mean((evidence.effort[:, order] - torque)**2, axis=0))
        yield Explanation(
            'joint-order', 0, f'the names of the joints were most likely matched {what}; say '
            'which is which with --joint-map', left)


def _exchanges(evidence: Evidence) -> Iterator[Explanation]:
    """Try joints two of which are exchanged, all of their signals or their efforts alone."""
    worst = np.argsort(evidence.before / evidence.scale)[::-1][:_EXCHANGED]
    for a, b in combinations(sorted(worst.tolist()), 2):
        names = [evidence.model.joint_names[evidence.joints[k]] for k in (a, b)]
        effort = evidence.effort.copy()
        effort[:, [a, b]] = effort[:, [b, a]]
        order = np.arange(evidence.model.nv)
        order[[evidence.joints[a], evidence.joints[b]]] = evidence.joints[b], evidence.joints[a]
        moved = evidence.torque(evidence.q[:, order], evidence.qd[:, order],
                                evidence.qdd[:, order])
        for torque, what in ((evidence.computed, 'efforts'), (moved, 'signals')):
            yield Explanation(
                'joint-order', 2, f'the {what} of {names[0]} and {names[1]} are most likely '
                'exchanged; correct the driver, or say which is which with --joint-map',
                evidence.left(torque, effort))


def _base(evidence: Evidence) -> Iterator[Explanation]:
    """Try what the base may do: stand still, be tilted or measured in other axes."""
    if evidence.base_known:
        still = np.tile(BaseMotion().packed, (len(evidence.q), 1))
        yield Explanation(
            'base-still', 0, 'the base most likely stood level and still, so that the IMU is not '
            'on it; analyze with --imu-topic none', evidence.left(evidence.torque(base=still)))
        reversed_ = evidence.base * np.repeat([-1.0, -1.0, 1.0, 1.0], 3)
        yield Explanation(
            'imu-rate-sign', 0, 'the angular velocity of the IMU most likely has the opposite '
            'sign', evidence.left(evidence.torque(base=reversed_)))
        for k, axis in enumerate('xyz'):
            for row, what in ((0, 'angular velocity'), (2, 'specific force')):
                mirrored = evidence.base.reshape(-1, 4, 3).copy()
                mirrored[:, row:row + 2, k] *= -1.0
                yield Explanation(
                    'imu-axis', 1, f'the {what} of the IMU most likely has the opposite sign '
                    f'along {axis}', evidence.left(evidence.torque(base=mirrored.reshape(-1, 12))))
        for R in _axes():
            turned = (evidence.base.reshape(-1, 4, 3) @ R.T).reshape(-1, 12)
            roll, pitch, yaw = np.degrees([
                np.arctan2(R[2, 1], R[2, 2]), -np.arcsin(np.clip(R[2, 0], -1, 1)),
                np.arctan2(R[1, 0], R[0, 0])]) + 0.0
            yield Explanation(
                'imu-mount', 1, 'the IMU is most likely mounted otherwise: turned by '
                f'{roll:.0f} {pitch:.0f} {yaw:.0f} deg (roll, pitch, yaw) against what was '
                'assumed; state its mounting with --imu-rpy',
                evidence.left(evidence.torque(base=turned)))
        return
    moving = evidence.computed - evidence.gravity()
    columns = np.stack([evidence.gravity(axis) for axis in np.eye(3)], axis=2)
    down, part = evidence.fit(columns, evidence.effort - moving)
    size = float(np.linalg.norm(down))
    if 0.7 < size / STANDARD_GRAVITY < 1.4:
        roll, pitch = np.degrees([np.arctan2(-down[1], -down[2]), np.arctan2(
            down[0], np.hypot(down[1], down[2]))])
        yield Explanation(
            'base-tilted', 3, f'the base is most likely tilted, or the arm mounted so: roll '
            f'{roll:.1f}, pitch {pitch:.1f} deg, which nothing in the recording says',
            evidence.left(moving + part))
    fitted, tilts = np.zeros_like(moving), []
    window = ((evidence.time - evidence.time[0]) // 1.0).astype(int)
    for number in np.unique(window):
        rows = window == number
        A = (columns[rows] / evidence.scale[:, None]).reshape(-1, 3)
        b = ((evidence.effort - moving)[rows] / evidence.scale).ravel()
        value, *_ = np.linalg.lstsq(A, b, rcond=1e-3)
        fitted[rows] = columns[rows] @ value
        tilts.append(np.degrees(np.arctan2(np.hypot(value[0], value[1]), -value[2])))
    if 3 * len(tilts) < 0.2 * evidence.effort.size:
        yield Explanation(
            'base-moved', 3 * len(tilts), 'the base most likely moved, by up to '
            f'{np.percentile(tilts, 95):.0f} deg of tilt, and no IMU recorded it',
            evidence.left(moving + fitted))


def _loads(evidence: Evidence) -> Iterator[Explanation]:
    """Try a load that the description lacks, or has and the robot had not, at the last body."""
    model = evidence.model
    tips = sorted(set(range(len(model.bodies))) - {body.parent for body in model.bodies})
    base = BaseMotion.from_packed(np.ascontiguousarray(evidence.base)) \
        if evidence.base_known else None
    Y = evidence.torques.regressor(evidence.q, evidence.qd, evidence.qdd, base)[:, evidence.joints]
    for tip in tips:
        columns = Y[:, :, 10 * tip:10 * tip + 4]
        values, _ = evidence.fit(columns, evidence.effort - evidence.computed)
        mass = values[0]
        if abs(mass) < 1e-3 or np.linalg.norm(values[1:]) > 2.0 * abs(mass):
            continue
        left = evidence.left(evidence.computed + columns @ values)
        where = ', '.join(f'{x:.2g}' for x in values[1:] / mass)
        link = model.bodies[tip].name
        yield Explanation(
            'payload', 4, f'the robot most likely carried {mass:.2g} kg at {link} (centre of mass '
            f'{where} m in its frame) that the description lacks' if mass > 0 else
            f'the description most likely has {-mass:.2g} kg at {link} that the robot did not '
            'carry; see --without-link', left)


def _axes() -> Iterator[FloatArray]:
    """Yield the 23 rotations that take axes to axes, without the identity."""
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            R = np.zeros((3, 3))
            R[range(3), order] = signs
            if np.linalg.det(R) > 0 and not np.array_equal(R, np.eye(3)):
                yield R
