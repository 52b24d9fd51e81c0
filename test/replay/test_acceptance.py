"""Limits on residuals: what passes and what does not."""

from __future__ import annotations

from typing import Any, Dict

import pytest

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.replay.acceptance import parse_limits, violations


def summary(samples: int = 100) -> Dict[str, Any]:
    """Return two joints: residual 2 of 10 N m, and 0.3 of 1 N m."""
    return {'bag': 'run', 'joints': [
        {'name': 'a', 'samples': samples, 'residual_rms': 2.0, 'measured_rms': 10.0,
         'unit': 'N m'},
        {'name': 'b', 'samples': samples, 'residual_rms': 0.3, 'measured_rms': 1.0,
         'unit': 'N m'}]}


@pytest.mark.parametrize('limits, failing', [
    ([], ''), (['2.5'], ''), (['1'], 'a'), (['25%'], 'b'), (['10%'], 'ab'), (['10%', 'a=3'], 'b'),
    (['a=1.9'], 'a'), (['b=31%'], '')])
def test_a_joint_fails_above_its_limit_only(limits: list, failing: str) -> None:
    lines = violations(summary(), parse_limits(limits))
    assert ''.join(line.split()[3] for line in lines) == failing


def test_nothing_to_compare_does_not_pass() -> None:
    assert violations(summary(0), parse_limits(['5']))
    assert violations(summary(0), parse_limits(['a=5']))
    assert not violations(summary(0), [])


@pytest.mark.parametrize('text', ['', 'a=', 'a', '-1', 'nan', '5 %x', 'inf'])
def test_a_malformed_limit_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match='--fail-above'):
        parse_limits([text])


def test_an_unknown_joint_in_a_limit_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match='known: a, b'):
        violations(summary(), parse_limits(['c=1']))
