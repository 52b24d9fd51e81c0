"""README's table names every finding of a recording, and no other."""

import ast
import re

from house import ROOT
import pytest

CODE = re.compile(r'[a-z]+(?:-[a-z]+)*')


def words(node):
    """Return what a code may be: a word, one with a field in it, or one of a loop's."""
    if isinstance(node, ast.JoinedStr):  # velocity-length, effort-length
        return [name + node.values[-1].value for name in ('velocity', 'effort')]
    return [node.value] if isinstance(node, ast.Constant) else []


def codes(path):
    """Return the codes of all findings that a module may add."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        name = ''
        if isinstance(node, ast.Call):
            name = getattr(node.func, 'attr', getattr(node.func, 'id', ''))
        if name == 'add' and len(node.args) == 4:
            found.update(words(node.args[1]))
        elif name == 'Explanation':
            found.update(words(node.args[0]))
        elif isinstance(node, ast.For) and 'code' in ast.dump(node.target):
            found.update(item.value for item in ast.walk(node.iter) if isinstance(
                item, ast.Constant) and CODE.fullmatch(str(item.value)) and '-' in item.value)
    return found


@pytest.fixture(scope='module')
def added():
    return {code for room in ('bags', 'replay')
            for path in (ROOT / 'robot_dynamics' / room).glob('*.py') for code in codes(path)}


@pytest.fixture(scope='module')
def told():
    section = (ROOT / 'README.md').read_text(encoding='utf-8').split('## Recordings')[1]
    rows = [line.split('|') for line in section.split('\n## ')[0].splitlines()
            if line.startswith('|')]
    return {code for row in rows for code in re.findall(r'`([a-z-]+)`', row[2])}


def test_every_finding_is_in_the_table_of_readme(added, told):
    assert len(added) > 60
    assert sorted(added - told) == []


def test_the_table_of_readme_names_no_finding_that_nothing_adds(added, told):
    assert sorted(told - added - {'check'}) == []
