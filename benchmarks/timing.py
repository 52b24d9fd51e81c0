"""How all benchmarks measure: alternatives in turns within one run, best of many, as ratios."""

from __future__ import annotations

import time
from typing import Callable, Dict, Tuple


def side_by_side(alternatives: Dict[str, Callable[[], object]], calls: int,
                 rounds: int = 15) -> Dict[str, float]:
    """
    Time alternatives in turns, so that a noisy machine disturbs all of them alike.

    Parameters
    ----------
    alternatives : dict
        Named functions without arguments.
    calls : int
        Calls of each function a round.
    rounds : int
        Rounds; the best one counts.

    Returns
    -------
    dict
        Seconds a call.
    """
    best = {name: float('inf') for name in alternatives}
    for function in alternatives.values():
        function()
    for _ in range(rounds):
        for name, function in alternatives.items():
            start = time.perf_counter()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (time.perf_counter() - start) / calls)
    return best


def verdict(what: str, ratio: float, target: float, at_most: bool = False) -> Tuple[str, bool]:
    """Return a line of the report and whether the target is met."""
    met = ratio <= target if at_most else ratio >= target
    bound = 'at most' if at_most else 'at least'
    return (f'{what:<66} {ratio:7.2f}   {bound} {target:<5g} '
            f'{"met" if met else "NOT MET"}'), met
