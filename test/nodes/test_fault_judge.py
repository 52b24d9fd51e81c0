"""The judge of ``python -m benchmarks faults`` blames nobody for what the transport has lost."""

import numpy as np
import pytest

LIMIT, ZERO = np.array([100.0, 10.0]), np.zeros(2)


@pytest.fixture
def judge(monkeypatch, repository):
    """Return the module."""
    monkeypatch.syspath_prepend(str(repository))
    from benchmarks import _fault_seen
    return _fault_seen


def info(number, sender=b'a'):
    return {'publication_sequence_number': number, 'publisher_gid': {'data': sender}}


@pytest.mark.parametrize('numbers, counts', [
    ((1, 2, 3), (1, 1, 1)), ((1, 4, 5), (1, 3, 1)), ((7, 7), (1, 1)), ((None, None), (1, 1))])
def test_a_message_stands_for_those_that_were_lost_before_it(judge, numbers, counts):
    sent = judge.Sent()
    assert tuple(sent.since_last(info(number)) for number in numbers) == counts


def test_another_sender_counts_anew(judge):
    sent = judge.Sent()
    sent.since_last(info(5))
    assert sent.since_last(info(90, b'b')) == 1


def test_a_step_is_judged_by_how_far_it_may_go_and_an_error_by_the_exact_effort(judge):
    seen = judge.Seen()
    seen.add(0.1, np.array([8.0, 0.0]), np.array([6.0, 0.1]), ZERO, LIMIT, 10.0)
    assert not seen.broken and seen.steps == [pytest.approx(8.0)]
    assert seen.errors == [pytest.approx(2.0)]
    seen.add(0.2, np.array([8.0, 0.0]), ZERO, ZERO, LIMIT, 5.0)
    seen.add(0.3, np.array([8.0, 0.0]), ZERO, ZERO, LIMIT, None)
    assert seen.broken == ['a step of 8 % of the limit at 0.200 s']


@pytest.mark.parametrize('effort', [[np.nan, 0.0], [101.0, 0.0]])
def test_no_effort_may_be_beyond_its_limit_or_no_number(judge, effort):
    seen = judge.Seen()
    seen.add(0.1, np.array(effort), ZERO, np.array(effort), LIMIT, 5.0)
    assert len(seen.broken) == 1
