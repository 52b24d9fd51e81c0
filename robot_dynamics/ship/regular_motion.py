"""Ship motion made of given sinusoids, by default those of the paper's ship."""

from __future__ import annotations

import math
from typing import Any, Mapping, NamedTuple, Sequence, Union

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_vector
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM, Harmonics


class Sinusoid(NamedTuple):
    """One component: x(t) = amplitude sin(2 pi t / period + phase)."""

    amplitude: float  #: In rad (roll, pitch, yaw) or m (surge, sway, heave)
    period: float  #: In s
    phase: float = 0.0  #: In rad


SinusoidsLike = Union[None, Sequence[float], Sequence[Sequence[float]]]

# Sadraei & Moghaddam, Table 3
PAPER_ROLL = Sinusoid(0.3, 11.5, math.pi / 2)
PAPER_PITCH = Sinusoid(0.3, 4.0, 0.0)

_PARTS = ('amplitude', 'period', 'phase')


def as_sinusoids(name: str, value: SinusoidsLike) -> tuple[Sinusoid, ...]:
    """Check one component, several, or None, for a degree of freedom of that name."""
    if value is None or (np.iterable(value) and len(value) == 0):
        return ()
    several = value if np.iterable(value) and np.iterable(value[0]) else (value,)
    components = []
    for part in several:
        size = len(part) if np.iterable(part) else 1  # type: ignore[arg-type]
        if size not in (2, 3):
            raise InputError(name, f'expected (amplitude, period[, phase]), got {size} numbers')
        component = Sinusoid(*as_vector(name, part, size).tolist())
        if component.period <= 0:
            raise InputError(name, f'period is {component.period:g} s, expected a positive one')
        components.append(component)
    return tuple(components)


def harmonics(sinusoids: Mapping[str, Sequence[Sinusoid]]) -> Harmonics:
    """Turn named sinusoids into one sum that evaluates all six degrees of freedom."""
    flat = [(row, part) for row, name in enumerate(DEGREES_OF_FREEDOM)
            for part in sinusoids.get(name, ())]
    sine = np.zeros((6, len(flat)))
    for column, (row, part) in enumerate(flat):
        sine[row, column] = part.amplitude
    return Harmonics(np.array([2 * math.pi / part.period for _, part in flat]),
                     np.array([part.phase for _, part in flat]), sine, np.zeros_like(sine))


def to_parameters(sinusoids: Mapping[str, Sequence[Sinusoid]]) -> dict[str, Any]:
    """Flatten to ``roll.amplitude: [..]`` and so on, lists of equal length."""
    return {f'{name}.{part}': [float(getattr(one, part)) for one in several]
            for name, several in sinusoids.items() if several for part in _PARTS}
