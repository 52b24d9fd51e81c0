"""Numbers in the words of the demos."""

from __future__ import annotations


def shown(ratio: float) -> str:
    """Return a ratio with about three digits and without an exponent."""
    return f'{ratio:.3g}' if ratio < 1000 else f'{float(f"{ratio:.3g}"):,.0f}'
