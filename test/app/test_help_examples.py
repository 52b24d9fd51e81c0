"""Every example of the command line's help and of the pages does what it shows."""

import argparse
import glob
import importlib.metadata
import io
import re
import shlex
import shutil

from house import our_files, ROOT
import numpy as np
import pytest
from replay_bags import truth, write

from robot_dynamics.app.cli import build_parser, main

# What a command also gets here, so that it is quick.
QUICKER = {'excite': ['--tries', '4'], 'identify': ['--force'],
           'operability': ['--check-seeds', '0'],
           'paper': ['--backend', 'interpreted'],
           'ship --sea-state': ['--duration', '120'],
           'simulate': ['--backend', 'interpreted', '--duration', '0.1']}
# A report takes seconds to draw: the slow examples do.
WITHOUT_REPORT = {'analyze': ['--formats', 'json,parquet'], 'identify': ['--no-report']}
SLOW = re.compile(r'--(jobs|search|hs 1|identified|validate)|drive.mcap|demo.mcap --robot'
                  r'|operability (pa10|mobile)|excite .*--(keep|sea)|paper pa10 --output')

PANDA = 'cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf'
RECORDINGS = ROOT / 'test/replay/data'
FILES = {
    'arm.urdf': ROOT / 'urdf/pa10.urdf',
    'bags/first.mcap': RECORDINGS / 'pa10.mcap',
    'bags/second.mcap': RECORDINGS / 'pa10.mcap',
    'demo.mcap': RECORDINGS / 'pa10.mcap',
    'drive.mcap': RECORDINGS / 'mobile_manipulator.mcap',
    'my_robot.urdf.xacro': ROOT / 'urdf/pa10.urdf',
    'other.mcap': RECORDINGS / 'pa10.mcap',
    'sea_trial.mcap': RECORDINGS / 'pa10.mcap',
    'work.mcap': RECORDINGS / 'pa10.mcap',
}


def parsers(parser):
    """Yield a parser and those of its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name in action.choices:
                yield from parsers(action.choices[name])


def commands(text):
    """Return the lines of a text that call the program, as one line each, without remarks."""
    lines = re.sub(r'\\\n\s*', '', text).splitlines()
    found = [re.match(r'[ $]*((?:[^`]* [|] |ros2 run robot_dynamics )?robot-dynamics [^#]*)', line)
             for line in lines]
    return [match[1].strip() for match in found if match]


def examples():
    """Return the examples of all help texts and pages."""
    texts = [parser.epilog or '' for parser in parsers(build_parser())]
    for page in our_files():
        if page.suffix == '.md':
            texts += re.findall(r'```\w*\n(.*?)```', page.read_text(encoding='utf-8'), re.S)
    found = dict.fromkeys(line for text in texts for line in commands(text))
    return [pytest.param(line, marks=pytest.mark.slow if SLOW.search(line) else (), id=line[:90])
            for line in found]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Go to a directory with the files that examples speak of."""
    for name, source in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(source, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'scatter.csv').write_text('hs,tp,occurrence\n1,6,0.5\n2,8,0.5\n')
    return tmp_path


class Begun(Exception):
    """Raised in place of the first run of a demo; test_demo_figures.py runs whole ones."""


def begin(mode, scenario, *_):
    """Stand in for the run of a demo."""
    assert scenario.processes() and mode.label
    raise Begun


def with_hand(folder):
    """Write the description and a recording of the Panda of example-robot-data."""
    try:
        package = importlib.metadata.distribution('example-robot-data')
    except importlib.metadata.PackageNotFoundError:
        pytest.skip('needs the package example-robot-data')
    shutil.copy(str(package.locate_file(PANDA)), folder / 'panda.urdf')
    write(folder / 'run.db3', truth(duration=4.0, urdf=folder / 'panda.urdf'))


def with_columns(folder):
    """Write a log of the PA10 whose columns are called as logs call them."""
    motion = truth(duration=4.0)
    names = ['t', *(f'q{i}' for i in range(1, 7)), *(f'tau{i}' for i in range(1, 7))]
    rows = np.column_stack([1e-9 * (motion.stamp_ns - motion.stamp_ns[0]), motion.q,
                            motion.effort])
    np.savetxt(folder / 'run.csv', rows, delimiter=',', header=','.join(names), comments='')


@pytest.mark.parametrize('line', examples())
def test_example(line, place, monkeypatch, capsys):
    before, _, words = line.rpartition('robot-dynamics ')
    words = [name for word in shlex.split(words)
             for name in (sorted(glob.glob(word)) if '*' in word and '=' not in word else [word])]
    if 'panda.urdf' in words:
        with_hand(place)
    if 'run.csv' in words:
        with_columns(place)
    if 'identified.yaml' in words:
        first = 'identify work.mcap --robot arm.urdf --force --output . --no-report'
        assert main(first.split()) == 0
    if words[0] == 'demo':
        pytest.importorskip('rclpy')
        monkeypatch.setattr('robot_dynamics.app.demo.runs.make_run', begin)
        (place / 'drive.mcap').unlink()  # it is to make this one
        for name in ('mobile_manipulator.MobileDemo', 'pa10.Pa10Demo', 'sea.SeaDemo',
                     'learning.LearningDemo'):
            monkeypatch.setattr(f'robot_dynamics.app.demo.{name}.warm_up', lambda *_: None)
        with pytest.raises(Begun):
            main(words)
        return
    if '|' in before:
        monkeypatch.setattr('sys.stdin', io.StringIO(
            (place / before.split()[1]).read_text(encoding='utf-8')))
    drawn = [] if SLOW.search(line) else WITHOUT_REPORT.get(words[0], [])
    quicker = [word for count in (1, 2) for word in QUICKER.get(' '.join(words[:count]), [])]
    code = main(words + quicker + drawn)
    out, error = capsys.readouterr()
    assert code == ('above' in error and '--fail-above' in words), error  # a limit is exceeded
    if '--jobs' in words:
        assert '!! ' not in out  # no recording failed
    assert out and 'nan' not in out.lower().split()
    for option in ('--csv', '--figure', '--output', '--record'):
        if option in words:
            assert (place / words[words.index(option) + 1]).exists()


def test_every_command_has_an_example():
    shown = '\n'.join(parameter.values[0] for parameter in examples())
    for parser in parsers(build_parser()):
        assert f'{parser.prog} ' in shown
