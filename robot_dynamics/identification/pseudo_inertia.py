r"""
The ten inertial parameters of a body as one matrix, which tells whether the body can exist.

With the density :math:`\rho` the pseudo-inertia is :math:`P = \int \rho\, x x^T`,
:math:`x = (r, 1)`; a body of positive mass exists if and only if P is positive semidefinite
(Wensing, Kim & Slotine, Linear matrix inequalities for physically consistent inertial parameter
identification, 2018).  The vector p is that of :meth:`InverseDynamics.regressor`: mass, first
moment (3), inertia about the origin xx xy xz yy yz zz.
"""

from __future__ import annotations

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import Inertial
from robot_dynamics.model.inertia import inertia_about_origin

TENSOR = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
"""Order of the inertia's entries in p."""

_LEAST_MASS = 0.02  # kg: what a body without mass may weigh in the prior
_LEAST_RADIUS = 0.01  # m: radius of gyration of a point in the prior


def _basis() -> FloatArray:
    basis = np.zeros((10, 4, 4))
    basis[0, 3, 3] = 1.0
    for i in range(3):
        basis[1 + i, i, 3] = basis[1 + i, 3, i] = 1.0
    for k, (i, j) in enumerate(TENSOR):
        inertia = np.zeros((3, 3))
        inertia[i, j] = inertia[j, i] = 1.0
        basis[4 + k, :3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    return basis


BASIS = _basis()
"""(10, 4, 4): P = sum of p[k] BASIS[k]."""


def matrix_of(parameters: FloatArray) -> FloatArray:
    """Return the pseudo-inertia (4, 4) of ten parameters."""
    matrix: FloatArray = np.einsum('k,kij->ij', parameters, BASIS)
    return matrix


def parameters_of(matrix: FloatArray) -> FloatArray:
    """Return the ten parameters of a pseudo-inertia (4, 4)."""
    second = matrix[:3, :3]
    inertia = np.trace(second) * np.eye(3) - second
    return np.array([matrix[3, 3], *matrix[:3, 3], *(inertia[i, j] for i, j in TENSOR)])


def parameters_of_body(inertial: Inertial) -> FloatArray:
    """Return the ten parameters of a body, about the origin of its frame."""
    inertia = inertia_about_origin(inertial)
    return np.array([inertial.mass, *(inertial.mass * inertial.com),
                     *(inertia[i, j] for i, j in TENSOR)])


def body_of(parameters: FloatArray) -> Inertial:
    """Return mass, centre of mass and inertia about it; a body of no mass has none of it."""
    mass = float(parameters[0])
    if mass <= 0.0:
        return Inertial()
    com = parameters[1:4] / mass
    inertia = np.zeros((3, 3))
    for value, (i, j) in zip(parameters[4:], TENSOR):
        inertia[i, j] = inertia[j, i] = value
    return Inertial(mass, com, inertia - mass * (com @ com * np.eye(3) - np.outer(com, com)))


def regular(parameters: FloatArray) -> FloatArray:
    """
    Return the nearest sensible pseudo-inertia that is positive definite.

    Points, rods and bodies without mass occur in descriptions; as the centre and metric of a
    prior they would forbid every other body.
    """
    given = matrix_of(parameters)
    mass = max(given[3, 3], _LEAST_MASS)
    com = given[:3, 3] / mass if given[3, 3] > _LEAST_MASS else np.zeros(3)
    about_com = given[:3, :3] - mass * np.outer(com, com)
    values, axes = np.linalg.eigh(about_com)
    values = np.maximum(values, mass * _LEAST_RADIUS**2)
    matrix = np.empty((4, 4))
    matrix[3, 3] = mass
    matrix[:3, 3] = matrix[3, :3] = mass * com
    matrix[:3, :3] = axes @ np.diag(values) @ axes.T + mass * np.outer(com, com)
    return matrix


def metric_rows(matrix: FloatArray) -> FloatArray:
    r"""
    Return A (16, 10) with :math:`|A p| = ||L^{-1} P L^{-T}||_F`, :math:`L L^T` the given matrix.

    A change of a body counts relative to the body itself, in whatever axes and units (Lee,
    Wensing & Park, Geometric robot dynamic identification, 2019).
    """
    inverse = np.linalg.inv(np.linalg.cholesky(matrix))
    return np.stack([(inverse @ part @ inverse.T).ravel() for part in BASIS], axis=1)
