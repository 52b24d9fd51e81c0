from robot_dynamics.core.table import table


def test_numbers_are_right_aligned_and_names_left():
    assert table(['joint', 'q'], [['a', 1.0], ['elbow', -12.5]]) == (
        'joint         q\n'
        'a        1.0000\n'
        'elbow  -12.5000')


def test_a_number_that_rounds_to_zero_has_no_sign():
    assert table(['x'], [[-1e-9]], left=0).splitlines()[1] == '0.0000'


def test_a_huge_number_does_not_blow_up_its_column():
    assert table(['x'], [[-1e200]], left=0).splitlines()[1] == '-1.0000e+200'
