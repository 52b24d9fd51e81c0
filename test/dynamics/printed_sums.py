"""
Paper 003's eq. 13 with its sums as printed, in numbers: an oracle for arms of few joints.

Slow (the fourth power of the joints) and without any of the product's code: 4 x 4 matrices
from the model's placements, derivatives from the operator Q, sums over j, r and s as in the
paper, gravity with the sign of eqs. 10 and 11.
"""

import numpy as np


def printed_sums(model, q, qd, qdd, w, wd, a, g):
    """Joint torques of a serial arm; base vectors in base axes, (3,) each."""
    n = len(model.bodies)
    A, Q, J = [], [], []
    for k, body in enumerate(model.bodies):
        assert body.parent == k - 1, 'the printed sums are those of a serial arm'
        axis = np.asarray(body.joint.axis)
        operator = np.zeros((4, 4))
        if body.joint.kind == 'prismatic':
            operator[:3, 3] = axis
        else:
            operator[:3, :3] = cross_matrix(axis)
        fixed = np.eye(4)
        fixed[:3, :3], fixed[:3, 3] = body.R_PJ, body.p_PJ
        A.append(fixed @ exponential(operator, q[k], body.joint.kind == 'prismatic'))
        Q.append(operator)
        inertial = body.inertial
        second = 0.5 * np.trace(inertial.inertia) * np.eye(3) - inertial.inertia
        second = second + inertial.mass * np.outer(inertial.com, inertial.com)
        first = inertial.mass * np.asarray(inertial.com)
        J.append(np.block([[second, first[:, None]], [first[None], np.array([[inertial.mass]])]]))

    def transform(j, derivatives):
        """0A_j differentiated once for each index in ``derivatives``."""
        product = np.eye(4)
        for k in range(j + 1):
            product = product @ A[k]
            for index in derivatives:
                if index == k:
                    product = product @ Q[k]
        return product

    base_rate = np.zeros((4, 4))
    base_rate[:3, :3] = cross_matrix(w)
    base_acceleration = np.zeros((4, 4))
    base_acceleration[:3, :3] = cross_matrix(wd) + cross_matrix(w) @ cross_matrix(w)
    base_acceleration[:3, 3] = a
    gravity = np.append(g, 0.0)
    tau = np.zeros(n)
    for i in range(n):
        for j in range(i, n):
            U_ji = transform(j, [i])
            tau[i] += np.trace(base_acceleration @ transform(j, []) @ J[j] @ U_ji.T)
            first_moment = J[j][:, 3]  # m R_j
            tau[i] -= gravity @ U_ji @ first_moment
            for r in range(j + 1):
                U_jr = transform(j, [r])
                tau[i] += 2 * np.trace(base_rate @ U_jr @ J[j] @ U_ji.T) * qd[r]
                tau[i] += np.trace(U_jr @ J[j] @ U_ji.T) * qdd[r]
                for s in range(j + 1):
                    U_jrs = transform(j, [r, s])
                    tau[i] += np.trace(U_jrs @ J[j] @ U_ji.T) * qd[r] * qd[s]
    return tau


def cross_matrix(v):
    """Return the matrix of v x."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0.0]])


def exponential(operator, value, prismatic):
    """exp(Q q) in closed form."""
    if prismatic:
        return np.eye(4) + operator * value
    return np.eye(4) + np.sin(value) * operator + (1 - np.cos(value)) * operator @ operator
