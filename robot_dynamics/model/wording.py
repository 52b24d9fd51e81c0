"""Lists of names as text of a bounded length, for errors and notes."""

from typing import Sequence


def listed(names: Sequence[str], shown: int = 8) -> str:
    """Quote the names and join them by commas; beyond ``shown`` only their number is told."""
    quoted = ', '.join(f"'{name}'" for name in names[:shown])
    return quoted + (f' and {len(names) - shown} more' if len(names) > shown else '')
