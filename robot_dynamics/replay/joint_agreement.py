"""Whether the checks of the live nodes would refuse recorded joint states."""

from __future__ import annotations

from typing import List

from robot_dynamics.bags.findings import Findings, WARNING
from robot_dynamics.bags.joint_source import JointSource
from robot_dynamics.control.joint_checks import joint_checks, JointChecksConfig, JointPositions
from robot_dynamics.core.checks import Finding
from robot_dynamics.model.robot_model import RobotModel

_PARTS, _PART = 5, 2_000  # stretches that are looked at, and messages in each
_JUMP_NS = 500_000_000    # from one part of the recording to another
_RARE = 0.02              # share of messages that may be refused without a word


def report_refused(source: JointSource, model: RobotModel, findings: Findings) -> None:
    """
    Note positions that step, or stand still while the joint moves.

    Those beyond the limits, and velocities that are none, have findings of their own.
    """
    checks = joint_checks(model, JointChecksConfig(velocity_drift=1e6), source.joints)
    count, rows = len(source.joints), len(source.table)
    found: List[Finding] = []
    seen = 0
    for start in sorted({max(0, k * (rows - _PART) // (_PARTS - 1)) for k in range(_PARTS)}):
        last = None
        stamps, values = source.table.read(start, start + _PART)
        for stamp, row in zip(stamps.tolist(), values):
            if last is None or not 0 < stamp - last < _JUMP_NS:
                checks.reset()
            last, seen = stamp, seen + 1
            finding = checks.examine(JointPositions(stamp, row[:count], row[count:2 * count]))
            if finding is not None and not finding.check.endswith('_range'):
                found.append(finding)
    if len(found) > _RARE * seen:
        findings.add(WARNING, 'joints-refused', source.topic, 'nodes would refuse '
                     f'{100 * len(found) / seen:.0f} % of it: {found[0].text}')
