"""The files that an identification leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import List, Optional, Tuple, Union

from robot_dynamics.identification.result import Identification
from robot_dynamics.identification.text import headline
from robot_dynamics.identification.urdf_output import identified_urdf
from robot_dynamics.replay.export import replaced

URDF, YAML, REPORT, SUMMARY = (
    'identified.urdf', 'identified.yaml', 'report.html', 'summary.json')


def write_outputs(result: Identification, directory: Union[str, Path],
                  document: Optional[bytes] = None, report: bool = True) -> Tuple[str, ...]:
    """
    Write the files; return their paths.

    Parameters
    ----------
    directory : path-like
        Is made if it does not exist.
    document : bytes, optional
        The description, to write it anew with other numbers.
    report : bool
        Whether to write the report, which needs the extra ``report``.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    written: List[Path] = []
    with replaced(folder / YAML) as scratch:
        result.identified.write(scratch, f'written by robot-dynamics identify\n{headline(result)}')
    written.append(folder / YAML)
    if document is not None:
        with replaced(folder / URDF) as scratch:
            scratch.write_bytes(identified_urdf(document, result.described, result.identified))
        written.append(folder / URDF)
    with replaced(folder / SUMMARY) as scratch:
        scratch.write_text(json.dumps(result.to_dict(), indent=2), encoding='utf-8')
    written.append(folder / SUMMARY)
    if report:
        from robot_dynamics.identification.report import write_report  # loads matplotlib
        written.append(write_report(result, folder / REPORT))
    return tuple(str(path) for path in written)
