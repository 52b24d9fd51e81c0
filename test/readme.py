"""The code that README.md shows."""

import re
import shlex
from typing import List, Tuple

from house import ROOT

README = (ROOT / 'README.md').read_text(encoding='utf-8')


def blocks(language: str) -> List[str]:
    """Return the code blocks of a language."""
    return re.findall(rf'```{language}\n(.*?)```', README, re.DOTALL)


def console_of_the_readme() -> List[Tuple[List[str], str]]:
    """Return the words after robot-dynamics of each command that is shown, and its output."""
    found = []
    for block in blocks('console'):
        command, shown = block.split('\n', 1)
        program, *words = shlex.split(command.removeprefix('$ '))
        assert program == 'robot-dynamics'
        found.append((words, shown))
    return found
