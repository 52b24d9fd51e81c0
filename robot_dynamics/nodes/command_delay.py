"""The time from a command to its torque, drawn for every command from a seeded range."""

from __future__ import annotations

import dataclasses
from typing import Callable

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, parameter


@dataclasses.dataclass(frozen=True)
class CommandDelay(Configuration):
    """A uniform distribution of delays."""

    minimum: float = parameter(
        0.0, 'shortest time from a command to its torque', 's', 0.0, 1.0, live=False)
    maximum: float = parameter(
        0.0, 'longest time from a command to its torque', 's', 0.0, 1.0, live=False)
    seed: int = parameter(1, 'of the sequence of delays', '', 0, 2**31 - 1, live=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.maximum < self.minimum:
            raise ConfigurationError(
                f'delay.maximum: is {self.maximum:g} s, less than delay.minimum = '
                f'{self.minimum:g} s')

    def sampler(self) -> Callable[[], int]:
        """Return a function that draws the next delay, in integer nanoseconds."""
        generator = np.random.default_rng(self.seed)
        low, high = self.minimum * 1e9, self.maximum * 1e9
        return lambda: int(generator.uniform(low, high))
