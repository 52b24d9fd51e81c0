"""Numbers in the words of the demos."""

from __future__ import annotations

from typing import Iterable, List


def shown(ratio: float) -> str:
    """Return a ratio with about three digits and without an exponent."""
    return f'{ratio:.3g}' if ratio < 1000 else f'{float(f"{ratio:.3g}"):,.0f}'


def milli(values: Iterable[float]) -> List[str]:
    """Return values in thousandths, with three digits."""
    return [f'{1e3 * value:.3g}' if value < 1 else f'{1e3 * value:.0f}' for value in values]
