"""What an identification found: the one object that reports, files and the command line read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
import math
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from robot_dynamics.bags.findings import Finding
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.plain import plain
from robot_dynamics.identification.fit import Fit
from robot_dynamics.identification.layout import Layout, PAYLOAD
from robot_dynamics.identification.pseudo_inertia import body_of
from robot_dynamics.identification.validation import (
    MODELS, torque_deviation, Validation)
from robot_dynamics.model.elements import Inertial
from robot_dynamics.model.identified import Identified, IdentifiedJoint
from robot_dynamics.model.inertia import placed
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion

KNOWN, PARTLY, PRIOR = 'known', 'partly', 'prior'
"""How far a number comes from the motion, and how far only from the description."""

BODY_VALUES = ('mass', 'com x', 'com y', 'com z', 'Ixx', 'Ixy', 'Ixz', 'Iyy', 'Iyz', 'Izz')
BODY_UNITS = ('kg', 'm', 'm', 'm') + ('kg m^2',) * 6


@dataclass(frozen=True)
class Parameter:
    """One number, before and after."""

    #: Link or joint, what it is of it
    element: str
    name: str
    unit: str
    #: ``error`` is one standard error; NaN for what is held
    described: float
    identified: float
    error: float
    knowledge: str  #: ``known``, ``partly`` or ``prior``


@dataclass(frozen=True)
class Training:
    """What was learned from."""

    recordings: Tuple[str, ...]
    validation: str  #: What the model was tried on, in words
    duration: float  #: Of the recordings learned from, s
    #: Joint states used; instants after thinning
    samples: int
    equations: int
    base_known: bool  #: Whether the base's motion was measured
    cutoff: float  #: Of the low pass, Hz


@dataclass(frozen=True)
class Identification:
    """The result."""

    layout: Layout  #: Of the parameter vector; holds the description
    fit: Fit  #: Parameters and their covariance
    validation: Validation  #: On what was held back
    #: (nv,), RMS standard deviation of the torque, and RMS torque, all over the joints'
    #: ranges, N m
    trust: Tuple[FloatArray, FloatArray]
    training: Training
    findings: Tuple[Finding, ...]
    #: Links whose numbers are no longer the description's, by an earlier identification
    learned_before: Tuple[str, ...] = ()

    @property
    def described(self) -> RobotModel:
        """The description."""
        return self.layout.model

    @cached_property
    def identified(self) -> Identified:
        """The numbers, as the file holds them."""
        layout, theta = self.layout, self.fit.theta
        bodies = {body.name: self._body(index) for index, body in enumerate(self.described.bodies)
                  if self.fit.free[layout.body(index)].any()
                  or body.name in self.learned_before}
        terms = layout.by_joint(theta)
        nothing = np.zeros(self.described.nv)
        joints = {name: IdentifiedJoint(
            max(float(terms['rotor'][j]), 0.0),
            max(float(terms.get('viscous', nothing)[j]), 0.0),
            max(float(terms.get('coulomb', nothing)[j]), 0.0),
            float(terms.get('stribeck', nothing)[j]), float(self.fit.stribeck_speed[j]),
            float(terms.get('asymmetry', nothing)[j]), float(terms.get('offset', nothing)[j]))
            for j, name in enumerate(self.described.joint_names)}
        return Identified(self.described.name, bodies, joints, self.payload, self._errors())

    def deviation(self, q: FloatArray, qd: FloatArray, qdd: FloatArray,
                  base: Optional[BaseMotion] = None) -> FloatArray:
        """Return one standard deviation of the torque of a motion, (T, nv), N m (N)."""
        return torque_deviation(self.layout, self.fit, q, qd, qdd, base)[0]

    @property
    def payload(self) -> Any:
        """The load in the frame of its link as (link, Inertial), or None."""
        link = self.layout.payload
        if link is None:
            return None
        frame = self.described.frame(link)
        on_body = body_of(self.fit.theta[self.layout.body(len(self.described.bodies))])
        R = frame.R_BL.T
        return link, placed(on_body, R, -R @ frame.p_BL)

    @cached_property
    def model(self) -> RobotModel:
        """The arm as it is, with its payload."""
        return self.identified.apply(self.described)

    @cached_property
    def parameters(self) -> Tuple[Parameter, ...]:
        """Every number before and after."""
        found: List[Parameter] = []
        layout, fit = self.layout, self.fit
        for index, name in enumerate(layout.bodies):
            where = layout.body(index)
            before = Inertial() if name == PAYLOAD else self.described.bodies[index].inertial
            after = _values(fit.theta[where])
            J = _jacobian(fit.theta[where])
            error = _deviation(J @ fit.covariance[where, where] @ J.T)
            prior = _deviation(J @ fit.prior_covariance[where, where] @ J.T)
            held = not fit.free[where].any()
            described = np.array([before.mass, *before.com,
                                  *before.inertia[np.triu_indices(3)]])
            found += [Parameter(name, BODY_VALUES[k], BODY_UNITS[k], float(described[k]),
                                float(after[k]), math.nan if held else float(error[k]),
                                _knowledge(error[k], prior[k], held)) for k in range(10)]
        described = layout.described
        for term in layout.terms:
            for joint, k in zip(self.described.joints,
                                range(*layout.term(term).indices(layout.size))):
                held = not fit.free[k]
                after_error, before_error = (float(np.sqrt(c[k, k])) for c in (
                    fit.covariance, fit.prior_covariance))
                found.append(Parameter(
                    joint.name, term, _unit(term, joint.kind), float(described[k]),
                    float(fit.theta[k]), math.nan if held else after_error,
                    _knowledge(after_error, before_error, held)))
        return tuple(found)

    def to_dict(self) -> Dict[str, Any]:
        """Return everything but the series as plain JSON data."""
        validation, (deviation, torque) = self.validation, self.trust
        errors = {name: validation.error(name) for name in MODELS}
        measured = np.sqrt(np.mean(validation.measured**2, axis=0)) if len(
            validation.measured) else np.full(self.described.nv, np.nan)
        return plain({
            'robot': self.described.name,
            'recordings': self.training.recordings,
            'validation': self.training.validation,
            'duration_s': self.training.duration, 'samples': self.training.samples,
            'equations': self.training.equations, 'base_known': self.training.base_known,
            'cutoff_hz': self.training.cutoff,
            'torque_error': {name: validation.relative(name) for name in MODELS},
            'coverage': validation.coverage() if len(validation.time) else None,
            'joints': [{
                'name': name, 'measured_rms': measured[j],
                **{f'{key}_rms': errors[key][j] for key in MODELS},
                'independent_equations': self.fit.effective[j],
                'predicted_deviation': deviation[j], 'torque_anywhere': torque[j],
            } for j, name in enumerate(self.described.joint_names)],
            'parameters': self.parameters, 'identified': self.identified.to_dict(),
            'findings': self.findings})

    def _body(self, index: int) -> Inertial:
        return body_of(self.fit.theta[self.layout.body(index)])

    def _errors(self) -> Dict[str, Any]:
        result: Dict[str, Any] = {}
        for item in self.parameters:
            if math.isfinite(item.error):
                result.setdefault(item.element, {})[item.name.replace(' ', '_')] = item.error
        return result


def _values(p: FloatArray) -> FloatArray:
    """Return mass, centre and inertia about it of the ten of the regressor."""
    body = body_of(p)
    return np.array([body.mass, *body.com, *body.inertia[np.triu_indices(3)]])


def _jacobian(p: FloatArray) -> FloatArray:
    """Return the derivative of :func:`_values`, by differences."""
    step = 1e-6 * max(float(np.abs(p).max()), 1e-6)
    return np.stack([(_values(p + step * e) - _values(p - step * e)) / (2 * step)
                     for e in np.eye(10)], axis=1)


def _deviation(covariance: FloatArray) -> FloatArray:
    return np.sqrt(np.maximum(np.diag(covariance), 0.0))


def _knowledge(error: float, prior: float, held: bool) -> str:
    if held or prior <= 0.0:
        return PRIOR
    ratio = error / prior
    return KNOWN if ratio < 0.3 else PARTLY if ratio < 0.8 else PRIOR


def _unit(term: str, kind: str) -> str:
    slides = kind == 'prismatic'
    if term == 'rotor':
        return 'kg' if slides else 'kg m^2'
    if term == 'viscous':
        return 'N s/m' if slides else 'N m s/rad'
    return 'N' if slides else 'N m'
