"""Read the rows of a CSV file that a user gives."""

from __future__ import annotations

import csv
from pathlib import Path

from robot_dynamics.core.errors import ConfigurationError


def read_rows(path: Path) -> list[dict[str, str]]:
    """
    Read a CSV file with a header, without its empty lines and those that begin with '#'.

    Returns
    -------
    list of dict
        One a row: text by column.  A row that ends early has None in the rest.

    Raises
    ------
    ConfigurationError
        If the file cannot be read, or is no text.
    """
    try:
        lines = path.read_text(encoding='utf-8').splitlines()
        return list(csv.DictReader(line for line in lines if line.strip() and line[0] != '#'))
    except OSError as error:
        raise ConfigurationError(f'{path}: cannot be read ({error.strerror})') from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ConfigurationError(f'{path}: is no CSV file ({error})') from error
