"""What the arm carries, as parameters that may change at run time."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, List

import numpy as np

from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.protocols import RobotDynamics
from robot_dynamics.core.errors import ConfigurationError, InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.model.robot_model import RobotModel


@dataclasses.dataclass(frozen=True)
class PayloadConfig(Configuration):
    """A load on one link; the effort follows a change over ramp.ramp_in."""

    link: str = parameter('', 'link that carries the payload; empty: none')
    mass: float = parameter(0.0, 'mass of the payload; 0: none', 'kg', 0.0, 1e5)
    com: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'centre of mass of the payload in link axes', 'm', -100.0, 100.0)
    inertia: tuple[float, ...] = parameter(
        (0.0,) * 6, 'inertia of the payload about its centre of mass in link axes: ixx, ixy, ixz, '
        'iyy, iyz, izz', 'kg m^2', -1e6, 1e6)
    links: tuple[str, ...] = parameter(
        (), 'links that may carry a payload later on: their equations are compiled beforehand; '
        'empty: where the arm ends, or what its fingers are on', live=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, count in (('com', 3), ('inertia', 6)):
            if len(getattr(self, name)) != count:
                raise ConfigurationError(
                    f'payload.{name}: has {len(getattr(self, name))} values, expected {count}')
        tensor = self.tensor
        moments = np.linalg.eigvalsh(tensor)
        scale = max(float(np.abs(tensor).max()), 1e-300)
        if moments[0] < -1e-9 * scale or moments[2] > moments[:2].sum() + 1e-9 * scale:
            raise ConfigurationError(
                'payload.inertia: no body has the principal moments '
                f'{", ".join(f"{moment:g}" for moment in moments)}: none may be negative, or '
                'larger than the sum of the others')

    @property
    def tensor(self) -> FloatArray:
        """Return the inertia about the centre of mass, (3, 3), link axes."""
        xx, xy, xz, yy, yz, zz = self.inertia
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def is_empty(self) -> bool:
        """Whether there is no payload."""
        return not self.link or not self.mass


def prepare_payloads(dynamics: RobotDynamics, payload: PayloadConfig,
                     progress: Callable[[str], Any]) -> None:
    """Compile what a payload needs, so that one can be set while the arm is active."""
    links = list(payload.links) or usual_places(dynamics.model)
    if payload.link:
        links.append(payload.link)
    for link in links:
        dynamics.prepare_payload(link, progress)


def apply_payload(core: FeedforwardCore, payload: PayloadConfig) -> None:
    """
    Give the feedforward the payload of the parameters, or none.

    Raises
    ------
    ConfigurationError, UnknownNameError
        If it cannot be; then the old one stays.
    """
    if payload.link:
        core.model.frame(payload.link)  # says which links there are
    if payload.is_empty:
        core.clear_payload()
        return
    if not core.dynamics.is_prepared_for(payload.link):
        raise ConfigurationError(
            f'payload.link: {payload.link!r} was not prepared, and compiling its equations now '
            'would interrupt the commands; list it in payload.links and configure anew')
    try:
        core.set_payload(payload.link, payload.mass, payload.com, payload.tensor)
    except InputError as error:
        raise ConfigurationError(f'payload.{error}') from error


def usual_places(model: RobotModel) -> List[str]:
    """
    Return the links at which chains end, where a payload is usual.

    Ends that share a parent are fingers, and the parent carries what they hold; those that share
    the base are wheels, and carry nothing.
    """
    parents = [body.parent for body in model.bodies]
    ends = [index for index in range(len(parents)) if index not in parents]
    alone = [end for end in ends if sum(parents[other] == parents[end] for other in ends) == 1]
    hands = {parents[end] for end in ends if end not in alone and parents[end] >= 0}
    return [model.bodies[index].name for index in sorted({*alone, *hands}) or ends]
