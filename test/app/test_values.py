import pytest

from robot_dynamics.app.values import joint_values, vector3
from robot_dynamics.core.errors import InputError, UnknownNameError

NAMES = ('shoulder', 'elbow', 'wrist')


@pytest.mark.parametrize('words', [['1', '-2', '3e-1'], ['1,-2,3e-1'], ['1,', '-2', ',3e-1']])
def test_values_may_be_separated_by_spaces_or_commas(words):
    assert joint_values('--q', words, NAMES).tolist() == [1.0, -2.0, 0.3]


def test_named_values_go_to_their_joint_and_the_others_are_zero():
    assert joint_values('--q', ['wrist=-1', 'elbow=2'], NAMES).tolist() == [0.0, 2.0, -1.0]


def test_nothing_given_means_zero():
    assert joint_values('--q', None, NAMES).tolist() == [0.0, 0.0, 0.0]
    assert vector3('--linear-acceleration', None).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize('words, complaint', [
    (['1', '2'], r'--q: expected shape \(3,\), got \(2,\)'),
    (['1', 'two', '3'], "--q: 'two' is not a number"),
    (['1', 'nan', '3'], '--q: value at index 1 is nan'),
    (['1', 'elbow=2'], '--q: mixes bare values and joint=value'),
    (['elbow=1', 'elbow=2'], '--q: gives elbow twice'),
    (['elbow=fast'], "--q: 'fast' is not a number"),
])
def test_wrong_values_are_refused_with_the_option_and_the_reason(words, complaint):
    with pytest.raises(InputError, match=complaint):
        joint_values('--q', words, NAMES)


def test_an_unknown_joint_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown joint 'elbo'; known: elbow"):
        joint_values('--q', ['elbo=1'], NAMES)
