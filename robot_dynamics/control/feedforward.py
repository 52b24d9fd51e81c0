"""The feedforward as a plain object: messages in, effort commands out."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence

from robot_dynamics.control.events import Event
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.gate import FloatArray

# States of the core, in the order in which they usually follow.
WAITING = 'waiting'                # an input has not been valid yet: no command
RAMPING_IN = 'ramping_in'
ACTIVE = 'active'
HOLDING = 'holding'                # an input is stale: the last command is repeated
RAMPING_TO_GRAVITY = 'ramping_to_gravity'
GRAVITY_ONLY = 'gravity_only'
FINAL_ACTION = 'final_action'      # zero effort, or a service call is asked for
RAMPING_OUT = 'ramping_out'        # stop() was called
FINISHED = 'finished'              # the ramp-out is over: no command


@dataclasses.dataclass
class Command:
    """
    One effort command, and where it came from.

    Attributes
    ----------
    stamp_ns : int
        The ``now_ns`` of the call.
    acts_at_ns : int
        Instant for which it was computed.
    names : tuple of str
        Joints in command order.
    effort : (nv,) array, Nm
        What to send, in command order, finite and within the limits.
    feedback : (nv,) array, Nm
        The part of the joint feedback.
    desired_position, desired_velocity, desired_acceleration : (nv,) array
        The reference at ``acts_at_ns``, in command order.
    state : str
        State of the core.
    base_level : str
        How much of the base motion the estimator had.
    saturated : tuple of str
        Joints cut at their effort limit.
    rate_limited : tuple of str
        Joints cut at their rate limit.
    """

    stamp_ns: int
    acts_at_ns: int
    names: tuple[str, ...]
    effort: FloatArray
    feedback: FloatArray
    desired_position: FloatArray
    desired_velocity: FloatArray
    desired_acceleration: FloatArray
    state: str
    base_level: str
    saturated: tuple[str, ...]
    rate_limited: tuple[str, ...]

    @property
    def terms(self) -> dict[str, FloatArray]:
        """Torque by cause in command order, (nv,) each; computed when asked for."""
        raise NotImplementedError

    @property
    def base_wrench(self) -> FloatArray:
        """Force and moment of the arm on the deck (6,), base axes, at the base origin."""
        raise NotImplementedError


class FeedforwardCore:
    """
    Feedforward and joint feedback from joint states, base motion and a reference.

    Parameters
    ----------
    config : FeedforwardConfig
    model : RobotModel
    dynamics : InverseDynamics
        Of the same model, without friction (the core adds it at the desired velocity).
    estimator : base-motion estimator, optional
        ``update(sample)``, ``at(stamp_ns)``, ``reset()``; may be None when ``base_motion`` is
        ``fixed``.
    """

    def __init__(self, config: FeedforwardConfig, model: Any, dynamics: Any,
                 estimator: Any = None) -> None:
        raise NotImplementedError

    names: tuple[str, ...]
    config: FeedforwardConfig

    @property
    def state(self) -> str:
        """Return the present state, one of the words of this module."""
        raise NotImplementedError

    @property
    def finished(self) -> bool:
        """Whether the ramp-out after :meth:`stop` is over and nothing more will be sent."""
        raise NotImplementedError

    @property
    def service_call_due(self) -> bool:
        """Whether the final action ``call_service`` is due; True once, then False."""
        raise NotImplementedError

    def on_joint_state(self, stamp_ns: int, arrival_ns: int, names: Sequence[str], position: Any,
                       velocity: Any = (), effort: Any = ()) -> None:
        """Take one joint state; empty velocity or effort means: not reported."""
        raise NotImplementedError

    def on_base_sample(self, sample: Any, arrival_ns: int) -> None:
        """Take one IMU sample (base.ImuSample)."""
        raise NotImplementedError

    def on_reference(self, trajectory: JointTrajectory, arrival_ns: int) -> None:
        """Follow a new trajectory from now on."""
        raise NotImplementedError

    def command(self, now_ns: int) -> Optional[Command]:
        """Return the command for now, or None when nothing may be sent."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin again: wait for valid inputs, then ramp in (a new core has been started)."""
        raise NotImplementedError

    def stop(self, now_ns: int) -> None:
        """Begin the ramp-out; go on calling :meth:`command` until :attr:`finished`."""
        raise NotImplementedError

    def reconfigure(self, config: FeedforwardConfig, now_ns: int) -> None:
        """Change live parameters; ConfigurationError names one that may not change now."""
        raise NotImplementedError

    def set_payload(self, link: str, mass: float, com: Any = (0.0, 0.0, 0.0),
                    inertia: Any = None) -> None:
        """Add a payload to a link; effort steps are bounded by the rate limit."""
        raise NotImplementedError

    def clear_payload(self) -> None:
        """Remove the payload; the torques are exactly those from before."""
        raise NotImplementedError

    def gravity_effort(self) -> Optional[FloatArray]:
        """Return the effort (nv,) that holds gravity at the last known posture and tilt."""
        raise NotImplementedError

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return ages, rates, level, saturation and counts for diagnostics."""
        raise NotImplementedError

    def take_events(self) -> list[Event]:
        """Return the events since the last call, oldest first, already throttled."""
        raise NotImplementedError
