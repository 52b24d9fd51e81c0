"""
The effort that follows the reference: feedforward at the instant it acts, feedback on what was.

Desired motion and base motion are taken at the instant at which the torque will act; the
feedback compares desired and measured state at the stamp of the measurement.
"""

from __future__ import annotations

from typing import Callable, Optional, Union

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.control.delays import DelayMeter
from robot_dynamics.control.effort_model import EffortModel, ModelInput
from robot_dynamics.control.envelope import EffortEnvelope, EnvelopeConfig
from robot_dynamics.control.expected_effort import ExpectedEffort
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.finite import all_finite
from robot_dynamics.control.inputs import FeedforwardInputs
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.control.placement import Placement
from robot_dynamics.control.protocols import Wrenches
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState

Sampler = Callable[[int, FloatArray], None]


class EffortLaw:
    """
    Computes the effort of one instant; the caller sees to it that all inputs are valid.

    Attributes
    ----------
    effort, feedback : (n,) array, Nm
        Feedforward plus feedback, and the latter alone; command order.
    error : (n,) array, rad or m
        Desired minus measured position where there is feedback, else zero.
    desired : (3, n) array
        Position, velocity, acceleration at the instant at which the effort acts.
    envelope : EffortEnvelope
        Cuts the effort.
    beyond : tuple of int
        Joints at which it did.
    columns : (n,) array of int
        Where the commanded joints stand in the order of the model.
    asked : ModelInput
        What the dynamics were asked.
    computation : DelayMeter
        From asking for a command to its publication, as far as anybody measures it.
    """

    def __init__(self, config: FeedforwardConfig, model: EffortModel,
                 inputs: FeedforwardInputs, columns: NDArray[np.intp]) -> None:
        self._model = model
        self._inputs = inputs
        self._joints = inputs.joints
        self._follower = inputs.follower
        self.columns = columns
        self._then = np.zeros((3, len(columns)))
        placement, order = inputs.placement, columns.tolist()
        # where the wheels stand among the commanded joints, if they are
        self._wheels = None if placement is None or not (
            set(range(placement.wheels)) <= set(order)) else [
                order.index(k) for k in range(placement.wheels)]
        self._tau = np.zeros(len(self._joints.names))
        self._expected = ExpectedEffort(model)
        self.envelope = EffortEnvelope((), (), np.zeros(0))
        self.beyond: tuple[int, ...] = ()
        self.effort = np.zeros(len(columns))
        self.feedback = np.zeros(len(columns))
        self.error = np.zeros(len(columns))
        self.desired = np.zeros((3, len(columns)))
        self.computation = DelayMeter(config.command_period)
        still = np.zeros(len(self._joints.names))
        self.asked = ModelInput(
            model.dynamics, still, still, still, model.level_base, still, None)
        self.configure(config)

    def configure(self, config: FeedforwardConfig) -> None:
        """Take delay and source of state from a configuration."""
        self._lead_ns = to_ns(
            config.actuation_delay + config.hold_fraction * config.command_period)
        self._measured = config.state_source == 'measured'
        self._uses_base = config.feedforward and config.base_motion != 'fixed'

    @property
    def lead_ns(self) -> int:
        """From now to the instant at which an effort computed now will act, ns."""
        return self._lead_ns + self.computation.mean_ns

    def compute(self, now_ns: int) -> bool:
        """
        Compute the effort of a command given now; returns whether it is finite.

        Raises
        ------
        RobotDynamicsError
            If the dynamics refuse a value.
        """
        desired = np.empty_like(self.desired)
        asked = self._ask(now_ns + self.lead_ns, desired)
        effort = self._tau[self.columns]
        feedback = np.zeros(len(self.columns))
        if self._model.has_feedback:
            joints, then = self._joints, self._then
            self._follower.sample_into(joints.monitor.stamp_ns, then)
            then[0] -= joints.position[self.columns]
            then[1] -= joints.velocity[self.columns]
            self.error = self._model.is_fed_back * then[0]
            feedback = self._model.feedback(asked.position, then[0], then[1])
            effort += feedback
        if not all_finite(effort):
            return False
        # a centre of some commands ago has the friction of then: joints turn round meanwhile
        if self._expected.is_due(now_ns) or self.envelope.beyond(effort):
            self.envelope.around(self._expected.at(
                asked, self._joints.position, now_ns)[self.columns])
            self.beyond = self.envelope.cut(effort)
        else:
            self.beyond = ()
        self.effort, self.feedback, self.desired = effort, feedback, desired
        self.asked = asked
        return True

    def turned(self, duration: float) -> FloatArray:
        """
        Return by how much friction has changed over the last seconds, (n,), Nm.

        That is along the desired motion as it is now: a reference that has just come with another
        velocity does not count.
        """
        now = self.asked
        before = now._replace(desired_velocity=now.desired_velocity - duration * now.acceleration)
        friction = self._model.friction(
            np.array([now.desired_velocity, before.desired_velocity]))
        change = friction[0] - friction[1]
        if now.correction is not None and self._model.config.feedforward:
            change += now.corrected() - before.corrected()
        turned: FloatArray = change[self.columns]
        return turned

    def friction(self, velocities: FloatArray) -> FloatArray:
        """Return what the feedforward has of friction at desired velocities (N, n), (N, n), Nm."""
        everywhere = np.zeros((len(velocities), len(self._tau)))
        everywhere[:, self.columns] = velocities
        return self._model.friction(everywhere)[:, self.columns]

    def bound(self, config: EnvelopeConfig, limiter: EffortLimiter) -> None:
        """Take the envelope from a configuration, and the limits that it is a share of."""
        self.envelope = EffortEnvelope(limiter.joints, config.share, limiter.effort_limit)
        self._expected.reset()

    def rest_at(self, position: FloatArray) -> None:
        """Desire a position (n,) at rest; the effort is somebody else's."""
        self.desired = np.zeros_like(self.desired)
        self.desired[0] = position

    def preview(self, stamp_ns: int, sample_into: Sampler, desired: FloatArray) -> FloatArray:
        """
        Return the feedforward (n,) of a command given at a later instant.

        ``sample_into(stamp_ns, out)`` gives the desired motion; ``desired`` (3, n) receives that
        at the instant itself.
        """
        self._ask(stamp_ns + self.lead_ns, desired, sample_into)
        sample_into(stamp_ns, desired)
        return self._tau[self.columns]

    def _ask(self, acts_at_ns: int, desired: FloatArray,
             preview: Optional[Sampler] = None) -> ModelInput:
        """Compute the feedforward of all joints at the instant at which it acts."""
        columns, joints, model = self.columns, self._joints, self._model
        (preview or self._follower.sample_into)(acts_at_ns, desired)
        q, qd = joints.position.copy(), joints.velocity.copy()
        qdd = np.zeros(len(q))
        if self._measured:
            desired_velocity = qd.copy()
            desired_velocity[columns] = desired[1]
        else:
            q[columns] = desired[0]
            qd[columns] = desired[1]
            desired_velocity = qd
        qdd[columns] = desired[2]
        base, wrenches = self._base(acts_at_ns, preview, desired)
        asked = ModelInput(model.dynamics, q, qd, qdd, base, desired_velocity, wrenches,
                           model.correction)
        model.feedforward(asked, self._tau)
        return asked

    def _base(self, acts_at_ns: int, preview: Optional[Sampler], desired: FloatArray
              ) -> tuple[Union[BaseMotion, BaseState], Optional[Wrenches]]:
        """Return motion and pose of the base, and the wrenches, at the instant."""
        inputs, placement = self._inputs, self._inputs.placement
        motion = self._model.level_base
        if self._uses_base:
            motion = self._model.select_base(inputs.base.at(acts_at_ns, preview is None))
        if placement is None:
            return motion, inputs.wrenches.in_use()
        pose = placement.at(acts_at_ns) if preview is None else self._pose_ahead(
            placement, preview, desired)
        state = placement.state(motion, pose) if self._uses_base else (
            BaseState.of_one(motion, pose))
        axes = placement.base_axes(float(pose[2])) if inputs.wrenches.links else None
        return state, inputs.wrenches.in_use(axes)

    def _pose_ahead(self, placement: Placement, sample_into: Sampler, desired: FloatArray
                    ) -> FloatArray:
        """Return the pose once the wheels have turned on as the desired motion lets them."""
        wheels = self._wheels
        if wheels is None:
            return placement.at(placement.pose.monitor.stamp_ns)
        sample_into(placement.pose.monitor.stamp_ns, self._then)
        return placement.pose.after(desired[0, wheels] - self._then[0, wheels])
