"""An assessment as text."""

from __future__ import annotations

from robot_dynamics.operability.result import Cell, OperabilityResult, TimeDomainCheck


def summary(result: OperabilityResult) -> list[tuple[list[str], list[list[str]]]]:
    """
    Return the table of headings: header and rows of text.

    Returns
    -------
    list of (header, rows)
        One table: per heading the largest sea state or the allowed heights, and what limits it.
    """
    by_state = all(sea.state is not None for sea in result.seas)
    by_year = all(sea.occurrence is not None for sea in result.seas)
    periods = result.curves.periods
    shown = [k for k, period in enumerate(periods) if period in (6.0, 8.0, 10.0, 12.0)] or [0]
    header = ['heading deg']
    if by_state:
        header.append('sea state')
    if by_year:
        header.append('% of the year')
    header += [f'Hs m at {periods[k]:g} s' for k in shown] + ['limited by', 'cause']
    rows = []
    for h, heading in enumerate(result.headings_deg):
        row = [f'{heading:g}']
        if by_state:
            state = result.largest_sea_state(h)
            row.append('none' if state is None else str(state))
        if by_year:
            row.append(f'{100 * (result.operability(h) or 0.0):.1f}')
        for k in shown:
            height = result.curves.height[h, k]
            row.append(f'> {result.curves.highest:g}' if height >= result.curves.highest
                       else f'{height:.2f}')
        cell = governing_cell(result, h)
        rows.append(row + [cell.governing, main_cause(cell)])
    return [(header, rows)]


def governing_cell(result: OperabilityResult, heading: int) -> Cell:
    """Return the first sea that breaks a limit, or the last that was asked about."""
    cells = result.cells[heading]
    return next((cell for cell in cells if not cell.keeps), cells[-1])


def main_cause(cell: Cell) -> str:
    """Name what contributes most to the governing limit's variance, with its share."""
    cause, share = max(cell.causes.items(), key=lambda item: item[1])
    return f'{cause} {100 * share:.0f} %' if share > 0.0 else 'none: the ship does not move it'


def check_text(check: TimeDomainCheck) -> str:
    """Tell in a sentence or two whether the time domain agrees."""
    deviation, maximum = check.worst
    sea = check.sea
    text = (f'Time domain, {check.seeds} seas of Hs {sea.significant_wave_height:g} m, Tp '
            f'{sea.peak_period:g} s from {check.heading_deg:g} deg through the exact dynamics: '
            f'standard deviations differ by up to {100 * deviation:.1f} %, most probable maxima '
            f'by up to {100 * maximum:.1f} %.')
    if not check.agrees:
        text += (' Linear theory is off here (the ship tilts by up to '
                 f'{check.largest_tilt_deg:.0f} deg), or the seeds are too few: ask with more.')
    return text
