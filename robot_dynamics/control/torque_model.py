"""
The torques that the configuration asks for, out of the dynamics of the whole robot.

All arrays here are in the order of the model unless a name says ``command``.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

import numpy as np

from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.per_joint import per_joint
from robot_dynamics.motion.base_motion import BaseMotion

LEVEL = (0.0, 0.0, -1.0)


class TorqueModel:
    """
    Feedforward, feedback gains and gravity for one configuration.

    Parameters
    ----------
    config : FeedforwardConfig
    dynamics : InverseDynamics
    command_joints : sequence of str
        Joints in command order.
    columns : (n,) array of int
        Where they stand in the order of the model.
    level_direction : (3,) array
        Of gravity in base axes, where the platform counts as level.

    Attributes
    ----------
    external : mapping of str to ExternalWrench, or None
        Wrenches of the environment to be counted in, by link.
    """

    def __init__(self, config: FeedforwardConfig, dynamics: Any, command_joints: Sequence[str],
                 columns: Any, level_direction: Any = LEVEL) -> None:
        if dynamics.friction:
            raise ConfigurationError(
                'dynamics: was built with friction, which the feedforward adds itself at the '
                'desired velocity; build it with friction=False and set friction in its '
                'configuration')
        if dynamics.method != config.method:
            raise ConfigurationError(f'method: is {config.method} in the configuration, but the '
                                     f'dynamics were built with {dynamics.method}')
        self.dynamics = dynamics
        self.external: Optional[Mapping[str, Any]] = None
        self._level_direction = np.asarray(level_direction)
        self._joints = tuple(command_joints)
        self._columns = columns
        self._zeros = np.zeros(dynamics.model.nv)
        self._gravity = np.zeros(dynamics.model.nv)
        self.configure(config)

    def configure(self, config: FeedforwardConfig) -> None:
        """Take gains, terms to leave out and the mode of base motion from a configuration."""
        frequency = per_joint('natural_frequency', config.natural_frequency, self._joints)
        damping = per_joint('damping_ratio', config.damping_ratio, self._joints)
        self.config = config
        self.has_feedback = bool(frequency.any())
        # tau = M_ii (w^2 e + 2 z w e')
        self._stiffness = frequency**2
        self._damping = 2.0 * damping * frequency
        self.level_base = _only_gravity(config.gravity * self._level_direction)

    def select_base(self, estimated: BaseMotion) -> BaseMotion:
        """Return what of the estimated base motion enters, as the configuration says."""
        if self.config.base_motion == 'moving':
            return estimated
        return _only_gravity(gravity_of(estimated))

    def feedforward(self, q: FloatArray, qd: FloatArray, qdd: FloatArray, base: BaseMotion,
                    desired_velocity: FloatArray, out: FloatArray) -> None:
        """
        Write the feedforward torque (nv,) into ``out``.

        ``desired_velocity`` (nv,) is that of the friction, whatever state enters the model.
        """
        if not self.config.feedforward:
            out[:] = 0.0
            return
        self.dynamics.torque(q, qd, qdd, base, out=out)
        if self.config.leave_out:
            terms = self.dynamics.terms(q, qd, qdd, base)
            for name in self.config.leave_out:
                out -= getattr(terms, name)
        if self.config.friction:
            out += self.dynamics.friction_torque(desired_velocity)
        if self.external is not None:
            out += self.dynamics.external_torque(q, self.external)

    def feedback(self, q: FloatArray, error_command: FloatArray,
                 error_rate_command: FloatArray) -> FloatArray:
        """
        Return the torque of the joint feedback, in command order (n,), Nm.

        Parameters
        ----------
        q : (nv,) array, rad
            Posture at which the mass matrix scales the gains.
        error_command, error_rate_command : (n,) array, rad, rad/s
            Desired minus measured, in command order.
        """
        inertia = self.dynamics.mass_matrix(q).diagonal()[self._columns]
        result: FloatArray = inertia * (
            self._stiffness * error_command + self._damping * error_rate_command)
        return result

    def gravity_torque(self, q: FloatArray, gravity: FloatArray) -> FloatArray:
        """Return the torque (nv,) that holds the arm at rest under ``gravity`` (3,), base axes."""
        if 'gravity' in self.config.leave_out:
            return self._zeros.copy()
        torque: FloatArray = self.dynamics.torque(
            q, self._zeros, self._zeros, _only_gravity(gravity))
        return torque

    def terms(self, q: FloatArray, qd: FloatArray, qdd: FloatArray, base: BaseMotion,
              desired_velocity: FloatArray) -> dict[str, FloatArray]:
        """Return the torque by cause in command order, (n,) each, left-out terms included."""
        terms = self.dynamics.terms(q, qd, qdd, base).as_dict()
        if self.config.friction:
            terms['friction'] = self.dynamics.friction_torque(desired_velocity)
        if self.external is not None:
            terms['external'] = self.dynamics.external_torque(q, self.external)
        return {name: value[self._columns] for name, value in terms.items()}


def gravity_of(motion: BaseMotion) -> FloatArray:
    """
    Return gravity (3,) in base axes.

    Where only the specific force is known, its opposite is taken: right for a base at rest.
    """
    return -motion.linear_acceleration if motion.specific_force_only else motion.gravity


def _only_gravity(gravity: FloatArray) -> BaseMotion:
    packed = np.zeros(12)
    packed[9:] = gravity
    return BaseMotion.from_packed(packed)
