"""The report: one HTML file that needs no other file and no network."""

from __future__ import annotations

from pathlib import Path

from robot_dynamics.replay.export import replaced
from robot_dynamics.replay.formatting import HEADER, headline, verdict
from robot_dynamics.replay.result import ReplayResult
from robot_dynamics.replay.templates import render

_MOST_GAPS = 12


def write_report(result: ReplayResult, path: Path) -> Path:
    """Write the report of one recording."""
    with replaced(path) as scratch:
        scratch.write_text(html_report(result), encoding='utf-8')
    return path


def html_report(result: ReplayResult) -> str:
    """Return the report as HTML text."""
    longest = sorted(result.gaps, key=lambda gap: -gap.duration)[:_MOST_GAPS]
    gaps = [(gap.stream, f'{(gap.stamp_ns - result.series.start_ns) * 1e-9:.3f}',
             f'{gap.duration:.3f}') for gap in longest]
    return render('report.html', result=result, name=Path(result.bag).name,
                  headline=headline(result), verdict=verdict(result), header=HEADER, gaps=gaps)
