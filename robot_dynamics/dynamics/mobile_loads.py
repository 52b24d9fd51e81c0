"""
Payloads and external wrenches of a mobile manipulator.

They go the long way: the dynamics of the tree on the deck, which knows both, then the
projection.  Nothing is compiled when a payload's numbers change.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Optional

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.loads import ExternalWrenches
from robot_dynamics.dynamics.mobile_formulation import MobileFormulation
from robot_dynamics.dynamics.samples import Samples
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.motion.base_motion import BaseMotion


class MobileLoads:
    """
    The robot on the deck with a payload, and its projection on rolling.

    Parameters
    ----------
    formulation : MobileFormulation

    Attributes
    ----------
    present : bool
        Whether there is a payload.
    """

    def __init__(self, formulation: MobileFormulation) -> None:
        self.present = False
        self._formulation = formulation
        self._nv = formulation.model.nv

    @cached_property
    def _tree(self) -> InverseDynamics:
        form = self._formulation
        return InverseDynamics(form.unrolled, form.method, backend=form.backend)

    def set_payload(self, link: str, mass: float, com: Any, inertia: Any) -> None:
        """Attach a load; a mass of zero removes it."""
        self._tree.set_payload(link, mass, com, inertia)
        self.present = float(mass) != 0.0

    def clear_payload(self) -> None:
        """Remove the load."""
        if self.present:
            self._tree.clear_payload()
        self.present = False

    def torque(self, samples: Samples, pose: FloatArray,
               wrenches: Optional[ExternalWrenches] = None) -> FloatArray:
        """Torques (nv,) or (T, nv) with payload, external wrenches and joint losses."""
        q, qd, qdd = self._unrolled(samples, pose)
        tau = self._tree.torque(q, qd, qdd, self._base(samples), wrenches)
        friction, rotor = self._losses(samples)
        return self._projected(samples, pose, tau) + friction + rotor

    def terms(self, samples: Samples, pose: FloatArray) -> Terms:
        """Torques by cause with payload."""
        q, qd, qdd = self._unrolled(samples, pose)
        rest = self._unrolled(_replaced(samples, 2, np.zeros_like(samples.arrays[2])), pose)[2]
        base = self._base(samples)
        deck = self._tree.terms(q, qd, rest, base)
        driven = self._tree.terms(q, qd, qdd - rest, base).inertia
        values = (driven, deck.inertia + deck.coriolis, deck.gravity, deck.base_inertial,
                  deck.base_coriolis)
        rigid = [self._projected(samples, pose, value) for value in values]
        return Terms(*rigid + list(self._losses(samples)))

    def ground_wrench(self, samples: Samples, pose: FloatArray) -> FloatArray:
        """Wrench of the ground about the drive's frame O, in its axes, (6,) or (T, 6)."""
        q, qd, qdd = self._unrolled(samples, pose)
        deck = -self._tree.base_wrench(q, qd, qdd, self._base(samples))
        force, moment = deck[..., :3], deck[..., 3:]
        lever = pose * [1.0, 1.0, 0.0]
        moment = moment - np.cross(lever, force)
        c, s = np.cos(pose[..., 2]), np.sin(pose[..., 2])
        turned = [np.stack(np.broadcast_arrays(
            c * u[..., 0] + s * u[..., 1], c * u[..., 1] - s * u[..., 0], u[..., 2]), axis=-1)
            for u in (force, moment)]
        return np.concatenate(turned, axis=-1)

    def mass_matrix(self, samples: Samples) -> FloatArray:
        """M1 with payload, (nv, nv) or (T, nv, nv)."""
        q = samples.arrays[0]
        full = np.concatenate([np.zeros((*q.shape[:-1], 3)), q], axis=-1)
        results = [np.empty(3 * (3 + self._nv)), np.empty((3 + self._nv) * self._nv),
                   np.empty((3 + self._nv) * self._nv)]
        self._formulation.constraints.single(np.zeros(3), np.zeros(self._nv), *results)
        R = results[1].reshape(self._nv, 3 + self._nv).T
        M = self._tree.mass_matrix(full)
        return np.asarray(R.T @ M @ R) + np.diag(self._formulation.losses.rotor)

    def acceleration(self, samples: Samples, pose: FloatArray) -> FloatArray:
        """Accelerations with payload; ``samples`` holds q, qd and the torque."""
        bias = self.torque(_replaced(samples, 2, np.zeros_like(samples.arrays[2])), pose)
        M = self.mass_matrix(samples)
        return np.asarray(np.linalg.solve(M, (samples.arrays[2] - bias)[..., None])[..., 0],
                          np.float64)

    # -------------------------------------------------------------------------------- parts

    def _unrolled(self, samples: Samples, pose: FloatArray) -> list[FloatArray]:
        results = [samples.empty(3 + self._nv) for _ in range(3)]
        samples.run(self._formulation.unrolling, (*samples.arrays, pose), results)
        return results

    def _projected(self, samples: Samples, pose: FloatArray, tau: FloatArray) -> FloatArray:
        result = samples.empty(self._nv)
        samples.run(self._formulation.projection, (pose, tau), (result,))
        return result

    def _base(self, samples: Samples) -> BaseMotion:
        packed = np.array(samples.base)
        packed[..., 9:] *= self._formulation.gravity_sign
        return BaseMotion.from_packed(packed)

    def _losses(self, samples: Samples) -> tuple[FloatArray, FloatArray]:
        losses, (_, qd, qdd) = self._formulation.losses, samples.arrays
        return losses.friction.torque(qd), np.asarray(losses.rotor * qdd)


def _replaced(samples: Samples, index: int, value: FloatArray) -> Samples:
    arrays = list(samples.arrays)
    arrays[index] = value
    return samples._replace(arrays=tuple(arrays))
