"""Rules for every file: short, finished, and tied to no machine."""

import re

from house import our_files, python_files, relative, ROOT
import pytest

MOST_LINES = 400
TEXT = {'.cfg', '.html', '.json', '.md', '.py', '.rst', '.rviz', '.toml', '.txt', '.urdf', '.xml',
        '.yaml', '.yml', ''}
# Written so that this file does not match itself.
MACHINE_PATH = re.compile(r'(?<![\w.~}])/(?:' + 'work|home|root|tmp|Users' + r')/\w')
UNFINISHED = re.compile(
    r'\b(?:' + 'TO' + 'DO|FIX' + 'ME|XX' + 'X|NotImpl' + r'emented(?:Error)?)\b')


def matches(pattern: 're.Pattern[str]') -> list:
    """Return 'file:line: text' for each line of a text file that matches."""
    found = []
    for path in our_files():
        if path.suffix not in TEXT:
            continue
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            if pattern.search(line):
                found.append(f'{relative(path)}:{number}: {line.strip()[:100]}')
    return found


def test_no_file_names_a_path_of_one_machine():
    found = matches(MACHINE_PATH)
    assert not found, '\n' + '\n'.join(found)


def test_nothing_is_marked_unfinished():
    found = matches(UNFINISHED)
    assert not found, '\n' + '\n'.join(found)


def test_no_python_file_is_longer_than_400_lines():
    lengths = {relative(path): len(path.read_text(encoding='utf-8').splitlines())
               for path in python_files()}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES} == {}


def test_names_of_test_files_are_unique_as_pytest_imports_them_by_name():
    names = [path.name for path in python_files()
             if relative(path).startswith('test/') and path.name != 'conftest.py'
             and 'launch_standin' not in path.parts]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize('line', ['/ho' + 'me/someone/urdf', 'path: "/tm' + 'p/x.bag"'])
def test_the_rule_on_machine_paths_catches(line):
    assert MACHINE_PATH.search(line)


@pytest.mark.parametrize('line', [
    '~/wo' + 'rk/src', 'share/robot_dynamics', 'tip: /ro' + 'ot_link'])
def test_the_rule_on_machine_paths_lets_pass(line):
    assert not MACHINE_PATH.search(line)


def test_the_licence_is_the_one_that_setup_and_package_xml_name():
    assert 'Apache License' in (ROOT / 'LICENSE').read_text(encoding='utf-8')
    assert "license='Apache-2.0'" in (ROOT / 'setup.py').read_text(encoding='utf-8')
    assert '<license>Apache-2.0</license>' in (ROOT / 'package.xml').read_text(encoding='utf-8')
