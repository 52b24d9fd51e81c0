"""What the comparison of measured and computed torques says about the recording itself."""

from __future__ import annotations

import math
from typing import Iterable, Sequence

from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.bags.joint_source import JointSource
from robot_dynamics.replay.result import JointStatistics

_CLEAR = 0.8
"""Correlation from which a line through measured and computed means something."""


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


def report_agreement(joints: Sequence[JointStatistics], findings: Findings) -> None:
    """Note signs, scales and limits that look wrong; nothing is corrected."""
    for joint in joints:
        if math.isfinite(joint.correlation):
            _report_line(joint, findings)
        if joint.compared and joint.saturated > 0.001:
            findings.add(WARNING, 'effort-saturated', joint.name,
                         f'at its effort limit in {100 * joint.saturated:.1f} % of the samples')
        if joint.over_speed > 0.001:
            findings.add(INFO, 'velocity-limit', joint.name,
                         f'above its velocity limit in {100 * joint.over_speed:.1f} % of the '
                         'samples')
        if joint.outside_range > 0.001:
            findings.add(WARNING, 'position-limit', joint.name,
                         f'outside its position limits in {100 * joint.outside_range:.1f} % of '
                         'the samples: another zero or sign of the joint, or another robot')


def _report_line(joint: JointStatistics, findings: Findings) -> None:
    if joint.correlation < -_CLEAR:
        findings.add(WARNING, 'effort-sign', joint.name,
                     f'measured effort runs against the model (correlation '
                     f'{joint.correlation:.2f}, scale {joint.scale:.3g}): it most likely has the '
                     'opposite sign; nothing was corrected')
    elif joint.correlation > _CLEAR and not 0.5 < joint.scale < 2.0:
        findings.add(WARNING, 'effort-scale', joint.name,
                     f'measured effort follows the model (correlation {joint.correlation:.2f}) '
                     f'but is {joint.scale:.3g} times as large: probably a motor current or a '
                     'torque before the gearbox; nothing was corrected')
