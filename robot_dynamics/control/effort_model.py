"""
The torques that the configuration asks for, out of the dynamics of the whole robot.

All arrays here are in the order of the model unless a name says ``command``.
"""

from __future__ import annotations

import copy
from typing import NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_dynamics.control.adaptation import Correction
from robot_dynamics.control.feedback_inertia import FeedbackInertia
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.protocols import RobotDynamics, Wrenches
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.per_joint import per_joint
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState

LEVEL = (0.0, 0.0, -1.0)


class ModelInput(NamedTuple):
    """What the dynamics were asked, in the order of the model; nothing of it changes later."""

    dynamics: RobotDynamics  #: With the payload of then
    position: FloatArray  #: (nv,), rad
    velocity: FloatArray  #: (nv,), rad/s
    acceleration: FloatArray  #: (nv,), rad/s^2
    base: Union[BaseMotion, BaseState]
    desired_velocity: FloatArray  #: (nv,), rad/s, that of the friction
    wrenches: Optional[Wrenches]  #: Of the environment, by link
    correction: Optional[Correction] = None  #: What was learned of the arm

    def corrected(self) -> FloatArray:
        """Return the torque of the correction, (nv,), Nm."""
        assert self.correction is not None
        return self.correction.torque(*self[:6])


class EffortModel:
    """
    Feedforward, feedback gains and gravity for one configuration.

    Parameters
    ----------
    command_joints : sequence of str
        Joints in command order.
    columns : (n,) array of int
        Where they stand in the order of the model.
    level_direction : (3,) array
        Of gravity in base axes, where the platform counts as level.

    Attributes
    ----------
    dynamics : RobotDynamics
        With the present payload; another one is another object.
    correction : Correction or None
        What was learned of the arm.
    """

    def __init__(self, config: FeedforwardConfig, dynamics: RobotDynamics,
                 command_joints: Sequence[str], columns: NDArray[np.intp],
                 level_direction: ArrayLike = LEVEL) -> None:
        if dynamics.friction:
            raise ConfigurationError(
                'dynamics: was built with friction, which the feedforward adds itself at the '
                'desired velocity; build it with friction=False and set friction in its '
                'configuration')
        if dynamics.method != config.method:
            raise ConfigurationError(f'method: is {config.method} in the configuration, but the '
                                     f'dynamics were built with {dynamics.method}')
        self.dynamics = dynamics
        self._level_direction = np.asarray(level_direction)
        self._joints = tuple(command_joints)
        self._columns = columns
        self._zeros = np.zeros(dynamics.model.nv)
        self.correction: Optional[Correction] = None
        self.configure(config)

    def configure(self, config: FeedforwardConfig) -> None:
        """Take gains, terms to leave out and the mode of base motion from a configuration."""
        frequency = per_joint('natural_frequency', config.natural_frequency, self._joints)
        damping = per_joint('damping_ratio', config.damping_ratio, self._joints)
        self.config = config
        self.is_fed_back = frequency > 0.0
        self.has_feedback = bool(self.is_fed_back.any())
        # tau = m (w^2 e + 2 z w e')
        self._stiffness = frequency**2
        self._damping = 2.0 * damping * frequency
        self._inertia = FeedbackInertia(self.dynamics, config.feedback_inertia_ratio)
        self.level_base = only_gravity(config.gravity * self._level_direction)

    def set_payload(self, link: str, mass: float, com: ArrayLike, inertia: ArrayLike) -> None:
        """Compute with a load on a link from now on."""
        dynamics = copy.copy(self.dynamics)
        dynamics.set_payload(link, mass, com, inertia)
        self.use(dynamics)

    def clear_payload(self) -> None:
        """Compute without load from now on."""
        dynamics = copy.copy(self.dynamics)
        dynamics.clear_payload()
        self.use(dynamics)

    def use(self, dynamics: RobotDynamics) -> None:
        """Compute with other dynamics of the same robot from now on."""
        self.dynamics = dynamics
        self._inertia = FeedbackInertia(dynamics, self.config.feedback_inertia_ratio)

    def select_base(self, estimated: BaseMotion) -> BaseMotion:
        """Return what of the estimated base motion enters, as the configuration says."""
        if self.config.base_motion == 'moving':
            return estimated
        return only_gravity(gravity_of(estimated))

    def feedforward(self, asked: ModelInput, out: FloatArray) -> None:
        """Write the feedforward torque (nv,) into ``out``."""
        config = self.config
        if not config.feedforward:
            out[:] = 0.0
            return
        dynamics, q, qd, qdd, base, desired_velocity, wrenches = asked[:7]
        dynamics.torque(q, qd, qdd, base, out=out)
        if config.leave_out:
            terms = dynamics.terms(q, qd, qdd, base)
            for name in config.leave_out:
                out -= getattr(terms, name)
        if config.friction:
            out += dynamics.friction_torque(desired_velocity)
        if wrenches is not None:
            out += dynamics.external_torque(q, wrenches, base)
        if asked.correction is not None:
            out += asked.corrected()

    def friction(self, velocities: FloatArray) -> FloatArray:
        """Return the friction in the feedforward at desired velocities (N, nv), (N, nv), Nm."""
        if not (self.config.feedforward and self.config.friction):
            return np.zeros_like(velocities)
        return self.dynamics.friction_torque(velocities)

    def expected(self, asked: ModelInput, out: FloatArray) -> None:
        """Write what the motion takes (nv,), also where only feedback is to command it."""
        if self.config.feedforward:
            self.feedforward(asked, out)
        else:
            self.dynamics.torque(
                asked.position, asked.velocity, asked.acceleration, asked.base, out=out)

    def feedback(self, q: FloatArray, error_command: FloatArray,
                 error_rate_command: FloatArray) -> FloatArray:
        """
        Return the torque of the joint feedback, in command order (n,), Nm.

        Parameters
        ----------
        q : (nv,) array, rad
            Posture whose inertia scales the gains; see :class:`FeedbackInertia`.
        error_command, error_rate_command : (n,) array, rad, rad/s
            Desired minus measured, in command order.
        """
        result: FloatArray = self._inertia.at(q)[self._columns] * (
            self._stiffness * error_command + self._damping * error_rate_command)
        return result

    def gravity_torque(self, q: FloatArray, gravity: FloatArray,
                       pose: Optional[FloatArray] = None) -> FloatArray:
        """
        Return the torque (nv,) that holds the robot at rest under ``gravity`` (3,), base axes.

        ``pose`` is that on the ground, for a robot on wheels.
        """
        if 'gravity' in self.config.leave_out:
            return self._zeros.copy()
        still = only_gravity(gravity)
        return self.dynamics.torque(
            q, self._zeros, self._zeros, still if pose is None else BaseState(still, pose))


def gravity_of(motion: BaseMotion) -> FloatArray:
    """
    Return gravity (3,) in base axes.

    Where only the specific force is known, its opposite is taken: right for a base at rest.
    """
    return -motion.linear_acceleration if motion.specific_force_only else motion.gravity


def only_gravity(gravity: FloatArray) -> BaseMotion:
    """Return a base at rest under gravity (3,), base axes."""
    packed = np.zeros(12)
    packed[9:] = gravity
    return BaseMotion.from_packed(packed)
