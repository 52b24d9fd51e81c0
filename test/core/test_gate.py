"""What the input gate lets through and how it names what it does not."""

import numpy as np
import pytest

from robot_dynamics.core.errors import InputError, RobotDynamicsError, UnknownNameError
from robot_dynamics.core.gate import as_array, as_rotation, as_scalar, as_vector


@pytest.mark.parametrize('value', [[1, 2, 3], (1.0, 2.0, 3.0), np.arange(3, dtype=np.float32),
                                   np.arange(6.0)[::2], np.arange(3, dtype=np.uint8)])
def test_vectors_of_any_numeric_kind_become_contiguous_floats(value):
    array = as_vector('q', value, 3)
    assert array.dtype == np.float64 and array.flags.c_contiguous
    assert np.array_equal(array, np.asarray(value, float))


@pytest.mark.parametrize('value, told', [
    ([1, 2], r'q: expected shape \(3,\) in rad, got \(2,\)'),
    ([[1, 2, 3]], r'got \(1, 3\)'),
    ([1, float('nan'), 3], 'index 1 is nan'),
    ([1, 2, float('-inf')], 'index 2 is -inf'),
    (['a', 'b', 'c'], 'not numeric'),
    ([1j, 2, 3], 'complex'),
    ([True, False, True], 'boolean'),
    ([[1, 2], [3]], 'different lengths'),
    (None, 'not numeric'),
])
def test_bad_vectors_are_named_with_what_is_wrong(value, told):
    with pytest.raises(InputError, match=told) as caught:
        as_vector('q', value, 3, 'rad')
    assert caught.value.argument == 'q'
    assert isinstance(caught.value, (RobotDynamicsError, ValueError))


def test_free_lengths_take_any_number_of_samples():
    assert as_array('q', np.zeros((7, 2)), (None, 2)).shape == (7, 2)
    with pytest.raises(InputError, match=r'\(n, 2\)'):
        as_array('q', np.zeros((7, 3)), (None, 2))


def test_scalars_keep_their_bounds():
    assert as_scalar('mass', 2, minimum=0) == 2.0
    with pytest.raises(InputError, match='mass: is -1 kg'):
        as_scalar('mass', -1, minimum=0, unit='kg')
    with pytest.raises(InputError, match='^mass: is nan, expected a finite number$'):
        as_scalar('mass', float('nan'))


def test_reflections_and_scalings_are_no_rotations():
    for matrix in (np.diag([1, 1, -1]), 2 * np.eye(3)):
        with pytest.raises(InputError, match='not a rotation'):
            as_rotation('R', matrix)


def test_unknown_names_list_similar_ones_first():
    error = UnknownNameError('joint', 'joint_2', ['base', 'joint1', 'joint2'])
    assert error.known[0] in ('joint1', 'joint2')
    assert 'joint_2' in str(error) and 'joint2' in str(error)
    assert isinstance(error, KeyError)
