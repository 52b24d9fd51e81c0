"""How an adaptation is configured; apart from it, as that needs the dynamics."""

from __future__ import annotations

import dataclasses

from robot_dynamics.core.parameters import Configuration, parameter

MODES = ('off', 'friction_and_payload')


@dataclasses.dataclass(frozen=True)
class AdaptationBounds(Configuration):
    """How far what is learned may go from the model."""

    friction: float = parameter(
        0.15, 'largest change of Coulomb friction, of viscous friction at 1 rad/s and, half of '
        'it, of the offset, as a share of the effort limit', '', 0.0, 1.0, live=False)
    payload_link: str = parameter(
        '', 'link whose body carries what is not known; empty: the last', live=False)
    payload_mass: float = parameter(
        5.0, 'largest change of its mass', 'kg', 0.0, 1000.0, live=False)
    payload_reach: float = parameter(
        0.1, 'how far from the origin of its body that mass may be', 'm', 0.001, 10.0, live=False)
    torque: float = parameter(
        0.5, 'largest torque that what was learned adds, as a share of the effort limit', '',
        0.0, 1.0, live=False)
    memory: float = parameter(
        30.0, 'how long what was learned counts while the arm moves', 's', 1.0, 3600.0,
        live=False)
