"""Of many cases that are alike the fast suite tries some, the slow one the others."""

from typing import Any, Iterable, List

import pytest


def some(count: int, cases: Iterable[Any]) -> List[Any]:
    """Return the cases of a parametrised test, all but the first ``count`` of them marked slow."""
    return [case if k < count else pytest.param(
        *(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for k, case in enumerate(cases)]
