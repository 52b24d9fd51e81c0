"""Which number of the parameter vector is what, where it stands before, and what holds it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import TERMS
from robot_dynamics.identification.options import GROUPS, IdentifyOptions
from robot_dynamics.identification.pseudo_inertia import (
    matrix_of, metric_rows, parameters_of, parameters_of_body, regular)
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel

PAYLOAD = 'payload'

# one standard deviation of what a joint adds, relative to its largest torque
_SPREAD = {'rotor': 1 / 300, 'viscous': 0.1, 'coulomb': 0.15, 'offset': 0.03, 'stribeck': 0.15,
           'asymmetry': 0.05}
_PAYLOAD_SHARE = 0.1  # of the arm's moving mass: the load that is taken to be ordinary
_PAYLOAD_RADIUS = 0.1  # m
_PAYLOAD_SPREAD = 10.0


@dataclass(frozen=True)
class Layout:
    """The vector theta: ten of every body, of the payload, then each term of each joint."""

    model: RobotModel  #: The description
    terms: Tuple[str, ...]  #: What a joint adds: 'rotor' and the friction law's terms
    payload: Optional[str] = None  #: The link that carries a load of its own

    @classmethod
    def of(cls, model: RobotModel, options: IdentifyOptions) -> Layout:
        """Return the layout that the options ask for."""
        if options.payload is not None and model.frame(options.payload).body == BASE:
            raise ConfigurationError(
                f'payload: link {options.payload!r} does not move, so what it carries is not felt '
                'by any joint')
        return cls(model, ('rotor', *(
            term for term in TERMS
            if term in options.friction_terms or _losses(model)[term].any())), options.payload)

    @property
    def bodies(self) -> Tuple[str, ...]:
        """Names of the bodies, the payload last."""
        names = tuple(body.name for body in self.model.bodies)
        return names + (PAYLOAD,) if self.payload is not None else names

    @property
    def inertial_size(self) -> int:
        """How many numbers are inertial, those of the payload included."""
        return 10 * len(self.bodies)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.inertial_size + len(self.terms) * self.model.nv

    def body(self, index: int) -> slice:
        """Return where the ten of a body are."""
        return slice(10 * index, 10 * index + 10)

    def term(self, name: str) -> slice:
        """Return where a term of all joints is."""
        start = self.inertial_size + self.terms.index(name) * self.model.nv
        return slice(start, start + self.model.nv)

    @cached_property
    def carrier(self) -> int:
        """Index of the body that carries the payload."""
        assert self.payload is not None
        return self.model.frame(self.payload).body

    @cached_property
    def names(self) -> Tuple[str, ...]:
        """Name of every number, for reports."""
        ten = ('mass', 'mx', 'my', 'mz', 'Ixx', 'Ixy', 'Ixz', 'Iyy', 'Iyz', 'Izz')
        found = [f'{body} {name}' for body in self.bodies for name in ten]
        return tuple(found + [f'{joint} {term}' for term in self.terms
                              for joint in self.model.joint_names])

    @cached_property
    def described(self) -> FloatArray:
        """The description's own values, (size,); its payload is none."""
        theta = np.zeros(self.size)
        for index, body in enumerate(self.model.bodies):
            theta[self.body(index)] = parameters_of_body(body.inertial)
        values = _losses(self.model)
        for term in self.terms:
            theta[self.term(term)] = values[term]
        return theta

    def metric(self, index: int) -> FloatArray:
        """Return the pseudo-inertia that a body's changes are measured by, (4, 4)."""
        if index < len(self.model.bodies):
            return regular(parameters_of_body(self.model.bodies[index].inertial))
        assert self.payload is not None
        mass = _PAYLOAD_SHARE * sum(body.inertial.mass for body in self.model.bodies)
        place = np.append(self.model.frame(self.payload).p_BL, 1.0)
        matrix: FloatArray = mass * np.outer(place, place)
        matrix[:3, :3] += mass * _PAYLOAD_RADIUS**2 * np.eye(3)
        return matrix

    def prior(self, sigma: float, effort: FloatArray) -> Tuple[FloatArray, FloatArray]:
        """
        Return rows A, b of the prior: the cost of theta is |A theta - b|^2.

        Parameters
        ----------
        sigma : float
            Relative standard deviation of bodies.
        effort : (nv,) array
            Largest torque of each joint, N m: what the spread of its losses is relative to.
        """
        rows: List[FloatArray] = []
        right: List[FloatArray] = []
        for index in range(len(self.bodies)):
            own = index < len(self.model.bodies)
            matrix = self.metric(index)
            block = np.zeros((16, self.size))
            part = metric_rows(matrix) / (sigma if own else _PAYLOAD_SPREAD)
            block[:, self.body(index)] = part
            rows.append(block)
            # a load that is not known is none rather than the ordinary one
            right.append(part @ parameters_of(matrix) if own else np.zeros(16))
        spread = np.concatenate([_SPREAD[term] * effort for term in self.terms])
        losses = np.zeros((len(spread), self.size))
        losses[:, self.inertial_size:] = np.diag(1.0 / spread)
        rows.append(losses)
        right.append(self.described[self.inertial_size:] / spread)
        return np.vstack(rows), np.concatenate(right)

    def free(self, options: IdentifyOptions) -> NDArray[np.bool_]:
        """
        Tell which numbers are identified, (size,).

        Raises
        ------
        UnknownNameError
            If a name is neither a group nor a moving link.
        ConfigurationError
            If nothing is left.
        """
        chosen = options.only or options.keep
        known = (*GROUPS, *(body.name for body in self.model.bodies))
        marked = np.zeros(self.size, dtype=bool)
        for word in chosen:
            if word in GROUPS:
                marked |= self._group(word)
            elif word in self.model.frames and self.model.frame(word).body != BASE:
                marked[self.body(self.model.frame(word).body)] = True
            else:
                raise UnknownNameError('part of the arm', word, known)
        result = marked if options.only else ~marked
        for term in self.terms:
            if term not in ('rotor', *options.friction_terms):
                result[self.term(term)] = False  # the description has it, nobody asked for another
        if options.only and not result.any():
            raise ConfigurationError('only: nothing is left to identify'
                                     + ('; name the link that carries the load with --payload'
                                        if PAYLOAD in options.only else ''))
        return result

    def _group(self, word: str) -> NDArray[np.bool_]:
        marked = np.zeros(self.size, dtype=bool)
        if word == 'inertia':
            marked[:10 * len(self.model.bodies)] = True
        elif word == PAYLOAD:
            marked[10 * len(self.model.bodies):self.inertial_size] = True
        else:
            for term in self.terms:
                if (term == 'rotor') == (word == 'rotors'):
                    marked[self.term(term)] = True
        return marked

    def positive(self) -> NDArray[np.int64]:
        """Return the numbers that cannot be negative."""
        terms = [term for term in ('rotor', 'viscous', 'coulomb') if term in self.terms]
        parts = [np.arange(self.size)[self.term(term)] for term in terms]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    def is_consistent(self, theta: FloatArray, tolerance: float = 1e-9) -> bool:
        """Tell whether every body can exist and no loss is negative."""
        for index in range(len(self.bodies)):
            matrix = matrix_of(theta[self.body(index)])
            if np.linalg.eigvalsh(matrix)[0] < -tolerance * max(np.trace(matrix), 1e-12):
                return False
        return bool((theta[self.positive()] >= -tolerance).all())

    def by_joint(self, theta: FloatArray) -> Dict[str, FloatArray]:
        """Return each term's values over the joints."""
        return {term: theta[self.term(term)] for term in self.terms}


def _losses(model: RobotModel) -> Dict[str, FloatArray]:
    return {'rotor': model.rotor_inertia, 'viscous': model.damping, 'coulomb': model.friction,
            'stribeck': model.stribeck, 'asymmetry': model.asymmetry,
            'offset': model.torque_offset}


def numbers_of(mask: NDArray[np.bool_]) -> List[int]:
    """Return where a mask holds."""
    return [int(k) for k in np.flatnonzero(mask)]
