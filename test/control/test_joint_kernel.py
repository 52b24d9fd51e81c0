"""The compiled checks of joint states decide as their text says, whatever is sent."""

import numpy as np
import pytest

from robot_dynamics.control import joint_checks, joint_kernel
from robot_dynamics.control.joint_checks import JointChecks, JointPositions

MS = 1_000_000
BOUNDS = {'lower': -0.6, 'upper': 0.6, 'speed': 1.5, 'step': 0.05, 'fastest': 1.5, 'drift': 3e-3}


def hostile(seed, count=500):
    """Yield joint states, of which some are wrong in any way, late or held, and commands."""
    random, stamp, slip, held, until = np.random.default_rng(seed), MS, np.zeros(2), None, 0
    for k in range(count):
        stamp += int(random.choice([5, 0, -5, 90, 700], p=[0.96, 0.01, 0.01, 0.01, 0.01])) * MS
        t = 1e-9 * stamp
        q, v = 0.3 * np.sin(1.5 * t + np.arange(2.0)), 0.45 * np.cos(1.5 * t + np.arange(2.0))
        slip *= k % 60 > 0
        slip += random.choice([0.0, 0.02, -0.3], p=[0.98, 0.01, 0.01]) * (np.arange(2) == k % 2)
        q[k % 2] += random.choice([0.0, 0.02, 5.0], p=[0.98, 0.01, 0.01])
        v[k % 2] += random.choice([0.0, 0.3, 9.0, np.nan, -np.inf], p=[0.96, *[0.01] * 4])
        state = q + slip, None if k % 200 > 190 else v, None if k % 300 > 290 else np.sin(q)
        if k >= until and random.random() < 0.01:
            held, until = state, k + int(random.choice([5, 120]))
        yield JointPositions(stamp, *(held if k < until else state)), np.array([3.0, 0.0]) * t


@pytest.mark.parametrize('seed', range(4))
def test_compiled_checks_find_what_their_text_finds(monkeypatch, seed):
    def interpreted(joints, state, *values):
        return joint_kernel.examine(joints.view(np.recarray), state.view(np.recarray), *values)

    def found():
        checks, findings = JointChecks(('a', 'b'), ('rad', 'm'), ('b', 'a'), **BOUNDS), []
        for sample, command in hostile(seed):
            findings.append((checks.examine(sample), checks.correction.tolist(),
                             None if checks.instead is None else checks.instead.tolist()))
            checks.on_command(command, np.array([9.0, 9.0]))
        return findings

    compiled = found()
    monkeypatch.setattr(joint_checks, 'compiled', lambda: interpreted)
    with np.errstate(invalid='ignore'):
        for ours, theirs in zip(compiled, found()):
            assert (ours[0] and ours[0].text) == (theirs[0] and theirs[0].text)
            np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-9, atol=1e-12)
            assert ours[2] == theirs[2] or np.allclose(ours[2], theirs[2])
    assert len({finding.check for finding, *_ in compiled if finding is not None}) >= 4


def test_a_joint_that_once_reported_no_velocity_is_judged_again():
    checks = JointChecks(('a', 'b'), ('rad', 'rad'), drift=3e-3)
    for k in range(100):
        v = np.array([np.nan if k == 50 else 0.1, 0.1])
        assert checks.examine(JointPositions(10 * MS * k + 1, 1e-3 * k * np.ones(2), v)) is None
    finding = checks.examine(JointPositions(1000 * MS + 1, np.array([0.15, 0.1]), v))
    assert finding.check == 'velocity_agreement' and 'joint a' in finding.text
