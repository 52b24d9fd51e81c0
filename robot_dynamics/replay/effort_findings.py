"""What the comparison of measured and computed torques says about the recording itself."""

from __future__ import annotations

import math
from statistics import median
from typing import Iterable, Mapping, Optional, Sequence

from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.bags.joint_source import JointSource
from robot_dynamics.replay.hypotheses import Explanation, SCALES
from robot_dynamics.replay.result import JointStatistics

_CLEAR = 0.8
"""Correlation from which a line through measured and computed means something."""

_LATE = 0.02  # s
_UNEVEN = 2.0  # factor beyond which a scale is told; masses may be wrong by less
_EVEN = 1.1  # the same where scales alone explain the efforts
_UNITS = ((1000.0, 'N mm'), (100.0, 'N cm or percent'), (1 / 1.355818, 'lbf ft'),
          (12 / 1.355818, 'lbf in'), (192 / 1.355818, 'ozf in'), (1 / 9.80665, 'kgf m'),
          (100 / 9.80665, 'kgf cm'))


def report_efforts(sources: Iterable[JointSource], names: Sequence[str],
                   findings: Findings) -> list[bool]:
    """Note efforts that cannot be compared; return for each joint whether they can."""
    usable = [False] * len(names)
    for source in sources:
        if not source.has_effort:
            findings.add(WARNING, 'effort-absent', source.topic,
                         'no effort was recorded: torques are computed, nothing is compared')
            continue
        zero = [names[joint] for joint, some in zip(source.joints, source.nonzero_effort)
                if not some]
        if zero:
            findings.add(WARNING, 'effort-zero', source.topic,
                         f'effort of {", ".join(zero)} is zero or NaN throughout (not '
                         'measured); not compared')
        if source.nan_efforts:
            findings.add(INFO, 'effort-nan', source.topic,
                         f'{source.nan_efforts} messages have an effort that is absent or not a '
                         'number; not compared there')
        for joint, some in zip(source.joints, source.nonzero_effort):
            usable[joint] = bool(some)
    return usable


def report_agreement(joints: Sequence[JointStatistics], explanation: Optional[Explanation],
                     findings: Findings, limits: Mapping[str, float], in_degrees: bool) -> None:
    """
    Note signs, scales and limits that look wrong; nothing is corrected.

    Parameters
    ----------
    joints : sequence of JointStatistics
        What was compared.
    explanation : Explanation or None
        What explains the mismatch of all joints together: then signs and scales do not.
    limits : mapping of str to float
        Effort limit of each joint, N m (N).
    in_degrees : bool
        Whether positions are beyond their limits and in degrees would be within.
    """
    most = max((joint.computed_rms for joint in joints), default=0.0)
    if in_degrees and (explanation is None or explanation.code != 'positions-degrees'):
        findings.add(WARNING, 'positions-degrees', joints[0].name, 'the positions are beyond the '
                     'limits of the joints, and in degrees they would be within: convert them; '
                     'nothing was corrected')
    scales = [abs(joint.scale) for joint in joints if abs(joint.correlation) > _CLEAR]
    uneven = bool(scales) and max(scales) > 1.2 * min(scales)  # as a share of the limit would be
    for joint in joints:
        if explanation is None or explanation.code == SCALES:
            _report_scale(joint, most, findings, limits[joint.name] if uneven else math.inf,
                          explanation is not None)
        if joint.compared and joint.saturated > 0.001:
            findings.add(WARNING, 'effort-saturated', joint.name,
                         f'at its effort limit in {100 * joint.saturated:.1f} % of the samples')
        if in_degrees or (explanation is not None and explanation.code == 'positions-degrees'):
            continue
        if joint.over_speed > 0.001:
            findings.add(INFO, 'velocity-limit', joint.name,
                         f'above its velocity limit in {100 * joint.over_speed:.1f} % of the '
                         'samples')
        if joint.outside_range > 0.001:
            findings.add(WARNING, 'position-limit', joint.name,
                         f'outside its position limits in {100 * joint.outside_range:.1f} % of '
                         'the samples: another zero, sign or unit (degrees) of the joint, or '
                         'another robot')
    lags = [joint.lag for joint in joints if math.isfinite(joint.lag)]
    if len(lags) > 1 and abs(median(lags)) > _LATE:
        findings.add(WARNING, 'effort-lag', 'efforts', f'the measured efforts come '
                     f'{1e3 * abs(median(lags)):.0f} ms '
                     f'{"later" if median(lags) > 0 else "earlier"} than the motion that they '
                     'belong to (median of the joints): filtered, or stamped elsewhere')


def _report_scale(joint: JointStatistics, most: float, findings: Findings, limit: float,
                  explains: bool) -> None:
    even = _EVEN if explains else _UNEVEN
    clear = math.isfinite(joint.correlation) and abs(joint.correlation) > _CLEAR
    if clear and joint.correlation < 0:
        findings.add(WARNING, 'effort-sign', joint.name,
                     f'measured effort runs against the model (correlation '
                     f'{joint.correlation:.2f}, scale {joint.scale:.3g}): it most likely has the '
                     'opposite sign; nothing was corrected')
    elif clear and not 1.0 / even < joint.scale < even:
        findings.add(WARNING, 'effort-scale', joint.name,
                     f'measured effort follows the model (correlation {joint.correlation:.2f}) '
                     f'but is {joint.scale:.3g} times as large: {_unit(joint.scale, limit)}; '
                     'nothing was corrected')
    elif joint.compared and not clear and joint.computed_rms > 0.05 * most and not (
            joint.explained_with_friction > 0.8) and not (
            0.2 * joint.computed_rms < joint.measured_rms < 5.0 * joint.computed_rms):
        findings.add(WARNING, 'effort-unit', joint.name,
                     f'measured effort is {joint.measured_rms:.3g} RMS where the model has '
                     f'{joint.computed_rms:.3g} {joint.unit}, and does not follow it: no '
                     f'{joint.unit}, another robot, or not what the joint bore')


def _unit(scale: float, limit: float) -> str:
    """Say what an effort so many times as large as the torque may be."""
    of_limit = ((100.0, 'percent'), (1000.0, 'per mille'), (1.0, 'shares')) \
        if 0.0 < limit < math.inf else ()
    for factor, unit in (*_UNITS, *((factor / limit, f'{unit} of its effort limit')
                                    for factor, unit in of_limit)):
        if abs(scale / factor - 1) < 0.03:
            return f'probably in {unit}'
    if scale < 1.0:
        return 'probably a motor current, or a torque before the gearbox'
    return 'probably a motor current or a raw reading, or the masses of the description are too ' \
           'small'
