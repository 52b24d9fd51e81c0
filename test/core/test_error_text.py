"""The texts of errors: arguments spelled for the reader, names that cannot steer a terminal."""

import pytest
from robot_dynamics.core.errors import InputError, ModelError, UnknownNameError
from robot_dynamics.core.formatting import listed, printable

OPTIONS = {'tip_link': '--tip-link', 'positions': '--held-joints'}


@pytest.mark.parametrize('given, python, option', [
    ('give `tip_link`', 'give tip_link', 'give --tip-link'),
    ("give `tip_link='hand'`", "give tip_link='hand'", 'give --tip-link hand'),
    ("`positions['j']`", "positions['j']", '--held-joints j'),
    ('`strict=False`', 'strict=False', 'strict=False'),
    ('a ` alone and tip_link', 'a ` alone and tip_link', 'a ` alone and tip_link')])
def test_an_argument_is_named_as_the_reader_gives_it(given, python, option):
    error = ModelError('x', given)
    assert str(error) == f'x: {python}'
    assert error.spelled(OPTIONS) == f'x: {option}'


def test_the_argument_of_an_input_error_is_spelled_too_and_kept_as_data():
    error = InputError('`tip_link`', 'is no link')
    assert error.argument == 'tip_link'
    assert error.spelled(OPTIONS) == '--tip-link: is no link'


@pytest.mark.parametrize('steering, shown', [
    ('a\nb', r'a\nb'), ('\x1b[2Jx', r'\x1b[2Jx'), ('\x9b', r'\x9b'), ('\u202egnp', r'\u202egnp'),
    ('\u2028', r'\u2028'), ('\ud800', r'\ud800'), ('b\u00e4r \u0436', 'b\u00e4r \u0436')])
def test_names_cannot_steer_a_terminal(steering, shown):
    assert printable(steering) == shown
    assert shown in str(ModelError(f'link {steering}', 'is odd'))
    assert shown in str(UnknownNameError('joint', 'x', [steering]))


def test_a_long_list_ends_with_how_many_more():
    assert listed(['a', 'b', 'c'], shown=2) == "'a', 'b' and 1 more"
