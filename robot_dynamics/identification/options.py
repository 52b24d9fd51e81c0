"""What can be chosen in an identification; plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Mapping, Optional, Tuple

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.replay.alignment import Settings
from robot_dynamics.replay.replay import ReplayOptions

FRICTION_MODELS: Mapping[str, Tuple[str, ...]] = {
    'none': (),
    'coulomb': ('viscous', 'coulomb', 'offset'),
    'stribeck': ('viscous', 'coulomb', 'offset', 'stribeck'),
    'asymmetric': ('viscous', 'coulomb', 'offset', 'asymmetry'),
    'full': ('viscous', 'coulomb', 'offset', 'stribeck', 'asymmetry')}
"""Name -> the terms of the friction law of a joint that are identified."""

GROUPS = ('inertia', 'friction', 'rotors', 'payload')
"""What can be kept, or identified alone, besides links by name."""

_CUTOFF = 8.0  # Hz: friction of joints that turn round is quick


@dataclass(frozen=True)
class IdentifyOptions:
    """Choices; the defaults suit a bag of ordinary work."""

    #: How recordings are read, as for ``analyze_bag``; its friction and wheels do not count
    replay: ReplayOptions = field(default_factory=lambda: ReplayOptions(settings=Settings(
        bandwidth=20.0, imu_bandwidth=8.0)))
    #: A key of :data:`FRICTION_MODELS`; terms that it lacks stay as the description, or an earlier
    #: identification, has them
    friction_model: str = 'coulomb'
    payload: Optional[str] = None  #: Link that carries a load which the description does not have
    #: What that load weighs where it is known, kg: the scale of the efforts is judged by it
    payload_mass: Optional[float] = None
    keep: Tuple[str, ...] = ()  #: What stays as described: of :data:`GROUPS`, or links
    only: Tuple[str, ...] = ()  #: Everything else stays as described; empty: all is identified
    #: Share of each recording, at its end, that the model is tried on, 0 to 0.9; not used where
    #: other recordings are given for that
    held_back: float = 0.4
    #: Low pass of torque and regressor, Hz; None: 8 Hz, or a tenth of the slowest recording's rate
    #: where that is less
    cutoff: Optional[float] = None
    #: How far bodies may be from their description: one standard deviation, relative
    prior: float = 0.3
    force: bool = False  #: Give a model even where it cannot be trusted

    def __post_init__(self) -> None:
        if self.friction_model not in FRICTION_MODELS:
            raise ConfigurationError(
                f'friction_model: {self.friction_model!r} does not exist; choose one of '
                + ', '.join(FRICTION_MODELS))
        if self.keep and self.only:
            raise ConfigurationError('keep, only: choose one of the two')
        if self.payload_mass is not None and (self.payload is None or not self.payload_mass > 0):
            raise ConfigurationError(
                'payload_mass: must be positive, and goes with the link that carries the load '
                '(payload)')
        for name, value, low, high in (('held_back', self.held_back, 0.0, 0.9),
                                       ('cutoff', self.cutoff_for(0.0), 0.1, 100.0),
                                       ('prior', self.prior, 1e-3, 100.0)):
            if not low <= value <= high:
                raise ConfigurationError(f'{name}: is {value:g}, expected {low:g} to {high:g}')

    @property
    def friction_terms(self) -> Tuple[str, ...]:
        """Return the terms of the friction law that are identified."""
        return FRICTION_MODELS[self.friction_model]

    def cutoff_for(self, period: float) -> float:
        """Return the low pass of samples so far apart, Hz."""
        if self.cutoff is not None:
            return self.cutoff
        return min(_CUTOFF, 0.1 / max(period, 1e-6))

    def with_replay(self, **changes: object) -> IdentifyOptions:
        """Return the same with other ways of reading."""
        return replace(self, replay=replace(self.replay, **changes))  # type: ignore[arg-type]
