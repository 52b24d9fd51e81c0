"""The report: one HTML file that needs no other file and no network."""

from __future__ import annotations

from html import escape
from importlib.resources import files
import math
from pathlib import Path
import re
from typing import List, Sequence

from robot_dynamics.replay import figures
from robot_dynamics.replay.export import replaced
from robot_dynamics.replay.formatting import HEADER, headline, row, share, verdict
from robot_dynamics.replay.result import JointStatistics, ReplayResult


def write_report(result: ReplayResult, path: Path) -> Path:
    """Write the report of one recording."""
    with replaced(path) as scratch:
        scratch.write_text(html_report(result), encoding='utf-8')
    return path


def html_report(result: ReplayResult) -> str:
    """Return the report as HTML text."""
    name = Path(result.bag).name
    parts = [
        f'<h1>{escape(name)}</h1>', f'<p class="soft">{escape(headline(result))}</p>',
        card(''.join(f'<p>{_glued(sentence)}</p>' for sentence in verdict(result)), 'verdict'),
        _findings(result),
        '<h2>1. Did the model explain the effort?</h2>',
        card(joint_table(result.joints)),
        '<p class="soft">Torques are RMS. “Fixed base” is the residual of a model whose base is '
        'level and still; “from base” the torque that the motion of the base causes. A '
        'positive lag means that the measured effort comes later. Viscous and Coulomb friction '
        'are the fit to the residual, with one standard error; “with friction” is what model and '
        'fit explain together.</p>',
        _figure(figures.agreement(result), 'Measured and computed effort. Right: what the model '
                'leaves, over joint velocity, with the friction that fits it.'),
        '<h2>2. What caused the torque?</h2>',
        _figure(figures.causes(result), 'The computed torque by cause; the parts add up to it.'),
        '<h2>3. What was the base doing?</h2>',
        _base_note(result), _figure(figures.ship(result), ''),
        '<h2>4. Gaps, saturation, delays</h2>',
        _figure(figures.health(result), 'Nothing is interpolated across a gap; its edges are '
                'left out too.'),
        _gap_table(result), '<h2>How it was computed</h2>', _method(result)]
    return page(f'{name}: replay report', parts)


def page(title: str, parts: Sequence[str]) -> str:
    """Wrap parts into a whole page with its style."""
    style = (files('robot_dynamics.replay') / 'report.css').read_text(encoding='utf-8')
    body = '\n'.join(part for part in parts if part)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n'
            f'{body}\n</main>\n</body>\n</html>\n')


def card(content: str, kind: str = '') -> str:
    """Put content on a card."""
    return f'<div class="card {kind}">{content}</div>'


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Lay out a table; cells are HTML, the first ``left`` columns align to the left."""
    def cells(tag: str, values: Sequence[str]) -> str:
        return ''.join(f'<{tag}{" class=left" if i < left else ""}>{value}</{tag}>'
                       for i, value in enumerate(values))
    lines = [f'<tr>{cells("th", header)}</tr>', *(f'<tr>{cells("td", r)}</tr>' for r in rows)]
    return f'<table>{"".join(lines)}</table>'


def joint_table(joints: Sequence[JointStatistics]) -> str:
    """Lay out the statistics of all joints."""
    rows: List[List[str]] = []
    explained = HEADER.index('explained')
    for joint in joints:
        cells = [escape(cell) for cell in row(joint)]
        if math.isfinite(joint.explained):
            cells[explained] = bar(joint.explained) + escape(share(joint.explained))
        rows.append(cells)
    return table(HEADER, rows, left=2)


def bar(value: float) -> str:
    """Draw a share as a small bar."""
    width = 100 * min(max(value, 0.0), 1.0)
    return f'<span class="bar"><i style="width:{width:.0f}%"></i></span>'


def _glued(text: str) -> str:
    """Escape a sentence and keep its numbers and units on one line."""
    return re.sub(r'(\d) (N m|N|%|deg)\b', '\\1\u00a0\\2', escape(text)).replace(
        'N m', 'N\u00a0m')


def _findings(result: ReplayResult) -> str:
    if not result.findings:
        return ''
    items = ''.join(
        f'<li class="{finding.severity}"><b>{escape(finding.element)}</b>: '
        f'{escape(finding.text)}</li>' for finding in result.findings)
    return f'<h2>What to know about this recording</h2>{card(f"<ul class=findings>{items}</ul>")}'


def _figure(figure: object, caption: str) -> str:
    note = f'<figcaption>{escape(caption)}</figcaption>' if caption else ''
    return card(f'<figure>{figures.svg(figure)}{note}</figure>')


def _base_note(result: ReplayResult) -> str:
    base = result.base
    if not base.known:
        return ('<p>It was not measured: everything here assumes that it was level and '
                'still.</p>')
    text = (f'Roll {base.roll_rms_deg:.2f} deg RMS ({base.roll_peak_deg:.1f} peak), pitch '
            f'{base.pitch_rms_deg:.2f} deg RMS ({base.pitch_peak_deg:.1f} peak), angular '
            f'velocity {base.rate_rms:.3g} rad/s RMS')
    if base.gravity_known:
        text += f', linear acceleration {base.acceleration_rms:.3g} m/s² RMS'
    return f'<p>{escape(text)}.</p>'


def _gap_table(result: ReplayResult) -> str:
    if not result.gaps:
        return ''
    longest = sorted(result.gaps, key=lambda gap: -gap.duration)[:12]
    rows = [(escape(gap.stream), f'{(gap.stamp_ns - result.sketch.start_ns) * 1e-9:.3f}',
             f'{gap.duration:.3f}') for gap in longest]
    title = 'The longest gaps' if len(result.gaps) > len(longest) else 'The gaps'
    return card(f'<p>{title}</p>' + table(('stream', 'after [s]', 'duration [s]'), rows))


def _method(result: ReplayResult) -> str:
    imu = (f' Base motion comes from {escape(result.imu_topic)}, fitted the same way up to '
           f'{result.imu_bandwidth:.1f} Hz.' if result.base.known else '')
    return (f'<p>Joint states of {escape(result.joint_topic)}; accelerations by local cubic fits, '
            f'symmetric in time (no delay), up to {result.bandwidth:.1f} Hz (-3 dB).{imu} '
            f'Streams are aligned by their header stamps. Torques were computed by Newton-Euler '
            f'and by Lagrange-Euler; they differ by at most '
            f'{result.method_difference:.1e}.</p>')
