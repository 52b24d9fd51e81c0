"""Figures of a report, in the order of its questions.  Only this file knows matplotlib."""

from __future__ import annotations

import functools
import io
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

import numpy as np

from robot_dynamics.replay.formatting import cause_label, number, share
from robot_dynamics.replay.result import ReplayResult

MEASURED, COMPUTED, FIXED = '#2b2b2b', '#1769c4', '#e2711d'
# Okabe & Ito 2008: distinguishable also for colour-blind readers
PALETTE = ('#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#8a8a8a')
_STYLE: Any = {
    'font.size': 8.5, 'axes.titlesize': 9, 'axes.titleweight': 'bold',
    'axes.labelsize': 8.5, 'path.simplify_threshold': 0.4,
    'axes.spines.top': False, 'axes.spines.right': False, 'axes.grid': True,
    'grid.color': '#e8e8e8', 'grid.linewidth': 0.7, 'axes.edgecolor': '#999999',
    'xtick.color': '#555555', 'ytick.color': '#555555', 'svg.fonttype': 'none',
    'font.family': 'sans-serif', 'legend.frameon': False, 'legend.fontsize': 8,
    'lines.linewidth': 1.0}


Subject = TypeVar('Subject')


def styled(draw: Callable[[Subject], Any]) -> Callable[[Subject], Any]:
    """Draw within the style of the reports, leaving the user's matplotlib settings alone."""
    @functools.wraps(draw)
    def drawn(result: Subject) -> Any:
        import matplotlib
        with matplotlib.rc_context(_STYLE):
            return draw(result)
    return drawn


@styled
def agreement(result: ReplayResult) -> Any:
    """Draw measured against computed effort, one row a joint, with the residual beside."""
    figure, axes = _grid(len(result.joints), 2, 1.45, widths=(3.2, 1.0))
    time = result.series.time
    for i, joint in enumerate(result.joints):
        column = result.joint_names.index(joint.name)
        left, right = axes[i]
        if joint.compared:
            _line(left, result, 'measured', column, MEASURED, 'measured', 1.1)
        _line(left, result, 'computed', column, COMPUTED, 'computed', 1.1)
        if result.base.known:
            _line(left, result, 'fixed', column, FIXED, 'computed, base assumed level and still',
                  0.9, order=1)
        title = f'{joint.name}'
        if joint.compared:
            title += (f'   explained {share(joint.explained)}, residual '
                      f'{number(joint.residual_rms)} {joint.unit} RMS')
        left.set_title(title, loc='left')
        left.set_ylabel(joint.unit)
        _shade_gaps(left, result)
        left.set_xlim(0, max(result.duration, time[-1]))
        if joint.compared:
            _residual_over_velocity(right, result, column, joint.unit)
        else:
            right.axis('off')
    axes[-1][0].set_xlabel('time [s]')
    axes[-1][1].set_xlabel('joint velocity [rad/s, m/s]')
    axes[0][1].set_title('residual over velocity', loc='left')
    _legend(figure, axes[0][0])
    return figure


def _residual_over_velocity(axis: Any, result: ReplayResult, column: int, unit: str) -> None:
    series = result.series
    residual = series.mean('measured')[:, column] - series.mean('computed')[:, column]
    velocity = series.mean('velocity')[:, column]
    axis.plot(velocity, residual, '.', color=MEASURED, markersize=2.2, alpha=0.45,
              rasterized=True)
    fit = next(j.friction for j in result.joints if j.name == result.joint_names[column])
    if fit is not None and np.isfinite(velocity).any():
        v = np.linspace(np.nanmin(velocity), np.nanmax(velocity), 400)
        from robot_dynamics.dynamics.equations.joint_losses import smooth_sign
        axis.plot(v, fit.viscous * v + fit.coulomb * smooth_sign(v) + fit.offset,
                  color=PALETTE[3], linewidth=1.4)
    axis.set_ylabel(unit)
    axis.axhline(0, color='#bbbbbb', linewidth=0.7, zorder=0)


@styled
def causes(result: ReplayResult) -> Any:
    """Draw the torque by cause, one row a joint, with RMS bars beside."""
    names = [name[6:] for name in result.series.names if name.startswith('cause ')]
    names = [name for name in names
             if any(joint.cause_rms[name] > 1e-9 for joint in result.joints)]
    figure, axes = _grid(len(result.joints), 2, 1.45, widths=(3.2, 1.0))
    known = result.base.gravity_known or not result.base.known
    for i, joint in enumerate(result.joints):
        column = result.joint_names.index(joint.name)
        left, right = axes[i]
        for k, name in enumerate(names):
            _line(left, result, f'cause {name}', column, PALETTE[k % len(PALETTE)],
                  cause_label(name, known), 1.1)
        left.set_title(joint.name, loc='left')
        left.set_ylabel(joint.unit)
        left.set_xlim(0, result.duration)
        _shade_gaps(left, result)
        values = [joint.cause_rms[name] for name in names]
        right.barh(range(len(names)), values,
                   color=[PALETTE[k % len(PALETTE)] for k in range(len(names))], height=0.65)
        right.set_yticks([])
        right.invert_yaxis()
        right.grid(axis='y', visible=False)
        for k, value in enumerate(values):
            right.text(value, k, f' {number(value)}', va='center', fontsize=7.5, color='#444444')
        right.set_xlim(0, 1.25 * max(max(values), 1e-9))
    axes[0][1].set_title('RMS', loc='left')
    axes[-1][0].set_xlabel('time [s]')
    axes[-1][1].set_xlabel('N m (N)')
    _legend(figure, axes[0][0])
    return figure


@styled
def ship(result: ReplayResult) -> Any:
    """Draw what the base did and the wrench that the deck bore."""
    rows = 4 if result.base.known else 1
    figure, axes = _grid(rows, 1, 1.55)
    panels: List[Tuple[str, str, Sequence[str]]] = []
    if result.base.known:
        acceleration = 'linear acceleration' if result.base.gravity_known else \
            'linear acceleration (not told apart from gravity)'
        panels = [('tilt', 'deg', ('roll', 'pitch (bow down positive)')),
                  ('angular_velocity', 'rad/s', ('x', 'y', 'z')),
                  ('acceleration', 'm/s²', ('x', 'y', 'z'))]
        titles = ('tilt of the base', 'angular velocity, base frame',
                  f'{acceleration}, base frame')
        for row, ((name, unit, labels), title) in enumerate(zip(panels, titles)):
            axis = axes[row][0]
            for k, label in enumerate(labels):
                _line(axis, result, name, k, PALETTE[k], label, 1.1)
            axis.set_title(title, loc='left')
            axis.set_ylabel(unit)
            _legend_above(axis)
    axis = axes[-1][0]
    for k, label in enumerate(('moment x', 'moment y', 'moment z')):
        _line(axis, result, 'wrench', 3 + k, PALETTE[k], label, 1.1)
    axis.set_title('moment of the arm on the deck, at the base origin', loc='left')
    axis.set_ylabel('N m')
    _legend_above(axis)
    for row in axes:
        row[0].set_xlim(0, result.duration)
        _shade_gaps(row[0], result)
    axes[-1][0].set_xlabel('time [s]')
    figure.tight_layout()
    return figure


@styled
def health(result: ReplayResult) -> Any:
    """Draw gaps, delays, saturation and limits."""
    from matplotlib.figure import Figure
    rows = np.arange(len(result.joints))
    figure = Figure(figsize=(9.2, 0.3 * len(rows) + 2.6))
    grid = figure.add_gridspec(2, 2, height_ratios=(0.45, 0.3 * len(rows) + 0.6))
    coverage = figure.add_subplot(grid[0, :])
    known = result.series.count > 0
    coverage.fill_between(result.series.time, 0, np.where(known, 1.0, np.nan), step='mid',
                          color=COMPUTED, alpha=0.75, linewidth=0)
    _shade_gaps(coverage, result, alpha=0.6)
    coverage.set_xlim(0, result.duration)
    coverage.set_ylim(0, 1)
    coverage.set_yticks([])
    coverage.grid(visible=False)
    coverage.set_title(f'samples used (blue), {len(result.gaps)} gaps (red), over time [s]',
                       loc='left')
    lags, limits = figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])
    names = [joint.name for joint in result.joints]
    delays = np.array([1e3 * joint.lag for joint in result.joints])
    lags.barh(rows, np.nan_to_num(delays), color=MEASURED, height=0.55)
    reach = max(5.0, 1.25 * np.nanmax(np.abs(delays), initial=0.0))
    lags.set_xlim(-reach, reach)
    for row, delay in enumerate(delays):
        text = f'{delay:+.1f}' if np.isfinite(delay) else 'cannot be told'
        lags.text(reach, row, text, va='center', ha='right', fontsize=7.5, color='#444444')
    lags.set_title('delay of the measured effort [ms]', loc='left')
    panels = (('saturated', 'at effort limit', PALETTE[3], -0.2),
              ('over_speed', 'above speed limit', PALETTE[1], 0.0),
              ('outside_range', 'outside position limits', PALETTE[5], 0.2))
    for attribute, label, color, shift in panels:
        values = [100 * np.nan_to_num(getattr(joint, attribute)) for joint in result.joints]
        limits.barh(rows + shift, values, height=0.18, color=color, label=label)
    limits.set_xlim(0, max(limits.get_xlim()[1], 1.0))
    limits.set_title('samples at limits [%]', loc='left')
    limits.legend(loc='lower right')
    for axis, labels in ((lags, names), (limits, [''] * len(names))):
        axis.set_yticks(rows, labels)
        axis.set_ylim(len(rows) - 0.4, -0.6)
        axis.grid(axis='y', visible=False)
    figure.tight_layout()
    return figure


def svg(figure: Any) -> str:
    """Return a figure as an SVG element that can stand inside HTML."""
    buffer = io.StringIO()
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    figure.dpi = 150  # of what is drawn as pixels
    with matplotlib.rc_context({**_STYLE, 'svg.hashsalt': 'robot_dynamics'}):
        FigureCanvasSVG(figure).print_svg(  # savefig would draw twice
            buffer, metadata={'Date': None})
    text = buffer.getvalue()
    # a hundredth of a point is finer than any screen
    text = re.sub(r' d="[^"]*"', lambda path: re.sub(r'(?<=\.\d\d)\d+', '', path[0]),
                  text[text.index('<svg'):])
    return _unique_ids(text)


_LEGEND_COLUMNS = 4

_ids = iter(range(10**9))


def _unique_ids(text: str) -> str:
    """Make the ids of one figure differ from those of another on the same page."""
    mark = f'f{next(_ids)}-'
    text = re.sub(r'\bid="', f'id="{mark}', text)
    text = re.sub(r'url\(#', f'url(#{mark}', text)
    return re.sub(r'href="#', f'href="#{mark}', text)


def _grid(rows: int, columns: int, height: float,
          widths: Optional[Sequence[float]] = None) -> Tuple[Any, Any]:
    from matplotlib.figure import Figure
    figure = Figure(figsize=(9.2, height * rows + 0.55))
    return figure, figure.subplots(rows, columns, squeeze=False, width_ratios=widths)


def _line(axis: Any, result: ReplayResult, name: str, column: int, color: str, label: str,
          width: float, order: int = 2) -> None:
    """Draw a channel of the series: its mean, and its range where that is wider than a line."""
    series = result.series
    mean, low, high = (values[:, column] for values in (
        series.mean(name), series.low(name), series.high(name)))
    axis.plot(series.time, mean, color=color, linewidth=width, label=label, zorder=order)
    spread, span = np.nanmax(high - low, initial=0.0), np.nanmax(np.abs(mean), initial=0.0)
    if spread > 0.05 * span:
        axis.fill_between(series.time, low, high, color=color, alpha=0.22, linewidth=0)


def _shade_gaps(axis: Any, result: ReplayResult, alpha: float = 0.25) -> None:
    for gap in result.gaps[:500]:
        begin = (gap.stamp_ns - result.series.start_ns) * 1e-9
        axis.axvspan(begin, begin + gap.duration, color='#d62728', alpha=alpha, linewidth=0)


def _legend(figure: Any, axis: Any) -> None:
    handles, labels = axis.get_legend_handles_labels()
    rows = -(-len(labels) // _LEGEND_COLUMNS)
    height = figure.get_figheight()
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.22 * rows / height))
    figure.legend(handles, labels, loc='upper left', ncols=_LEGEND_COLUMNS,
                  bbox_to_anchor=(0.01, 1.0))


def _legend_above(axis: Any) -> None:
    axis.legend(loc='lower right', bbox_to_anchor=(1.0, 0.97), ncols=4, borderpad=0.1)


@styled
def fleet(summaries: Sequence[Dict[str, Any]]) -> Any:
    """Draw explained share and residual of each joint over many recordings."""
    names = list(dict.fromkeys(j['name'] for s in summaries for j in s['joints']))
    from matplotlib.figure import Figure
    figure = Figure(figsize=(9.2, 3.4))
    explained, residual = figure.subplots(1, 2)
    for k, name in enumerate(names):
        points = [(i, joint['explained'], joint['residual_rms'])
                  for i, summary in enumerate(summaries) for joint in summary['joints']
                  if joint['name'] == name and joint['explained'] is not None]
        if points:
            order, share_, rms = zip(*points)
            color = PALETTE[k % len(PALETTE)]
            explained.plot(order, 100 * np.array(share_), 'o', markersize=3.5, color=color,
                           alpha=0.8, label=name)
            residual.plot(order, rms, 'o', markersize=3.5, color=color, alpha=0.8)
    explained.set_title('variance explained [%]', loc='left')
    explained.set_ylim(max(explained.get_ylim()[0], -20), 104)
    residual.set_title('residual RMS [N m]', loc='left')
    residual.set_yscale('log')
    for axis in (explained, residual):
        axis.set_xlabel('recording')
    _legend(figure, explained)
    return figure
