import io
import re
import time

import pytest

from robot_dynamics.app import progress as module
from robot_dynamics.app.progress import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def impatient(monkeypatch):
    """Let the line appear after hundredths of a second instead of seconds."""
    monkeypatch.setattr(module, 'PATIENCE', 0.02)
    monkeypatch.setattr(module, 'TERMINAL_PERIOD', 0.02)


def wait_for(stream: io.StringIO, text: str) -> None:
    """Wait until the stream holds the text."""
    deadline = time.monotonic() + 10.0
    while text not in stream.getvalue():
        assert time.monotonic() < deadline, stream.getvalue()
        time.sleep(0.005)


def test_short_work_shows_nothing():
    stream = Terminal()
    with Progress('adding', stream) as progress:
        progress('two numbers', 0.5)
    assert stream.getvalue() == ''


def test_long_work_shows_step_and_share_and_the_line_is_removed_at_the_end(impatient):
    stream = Terminal()
    with Progress('compiling', stream) as progress:
        progress('torque', 0.25)
        wait_for(stream, 'compiling: torque: 25 % (')
    assert stream.getvalue().endswith('\r')
    assert not stream.getvalue().split('\r')[-2].strip()


def test_outside_a_terminal_whole_lines_are_written_and_few_of_them(impatient):
    stream = io.StringIO()
    with Progress('replaying', stream):
        wait_for(stream, ' s)\n')
        time.sleep(0.1)  # five times the terminal's period
    assert re.fullmatch(r'replaying \(\d+ s\)\n', stream.getvalue())


def test_an_error_within_passes_through():
    with pytest.raises(ZeroDivisionError):
        with Progress('dividing', io.StringIO()):
            1 / 0
