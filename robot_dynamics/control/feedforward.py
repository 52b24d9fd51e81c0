"""
The feedforward as a plain object: messages in, effort commands out.

It knows no clock: every call brings its stamps.  The same calls give the same commands.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.arm_mount import ArmMount
from robot_dynamics.control.command import Command
from robot_dynamics.control.command_state_machine import (
    ACTIVE, CommandStateMachine, FINAL_ACTION, FINISHED, GRAVITY_ONLY, HOLDING, InForce,
    RAMPING_IN, RAMPING_OUT, RAMPING_TO_GRAVITY, STATES, TRIPPED, WAITING)
from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.control.effort_law import EffortLaw
from robot_dynamics.control.effort_model import EffortModel
from robot_dynamics.control.events import Event, EventLog
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.held_load import HeldLoad
from robot_dynamics.control.inputs import FeedforwardInputs
from robot_dynamics.control.joint_checks import joint_units
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.control.protocols import RobotDynamics
from robot_dynamics.control.reconfiguration import check_live_change
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.trips import Trip, Trips
from robot_dynamics.control.wrench_input import WrenchConfig, WrenchInputs
from robot_dynamics.core.errors import ConfigurationError, RobotDynamicsError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.imu.imu_gate import ImuGate, usual_gate
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.model.robot_model import RobotModel

__all__ = [
    'ACTIVE', 'Command', 'FINAL_ACTION', 'FINISHED', 'FeedforwardConfig', 'FeedforwardCore',
    'GRAVITY_ONLY', 'HOLDING', 'RAMPING_IN', 'RAMPING_OUT', 'RAMPING_TO_GRAVITY', 'STATES',
    'TRIPPED', 'WAITING']


class FeedforwardCore:
    """
    Feedforward and joint feedback from joint states, base motion and a reference.

    A new core is started: it waits for valid inputs, then ramps in.  All stamps are integer
    nanoseconds of one clock.

    Parameters
    ----------
    dynamics : RobotDynamics
        Of the robot on what it stands on, without friction (the core adds it at the desired
        velocity).
    estimator : BaseMotionSource, optional
        May be None when ``base_motion`` is ``fixed`` or ``feedforward`` is off.
    mount : ArmMount, optional
        How the arm's base stands on the platform, for where the platform counts as level; for a
        robot on wheels how the deck's frame, in which it drives, stands on the ship.
    wrenches : WrenchConfig, optional
        Links on which wrenches of the environment are measured.
    gate : ImuGate, optional
        Checks IMU samples; by default for what no sensor measures, and for an orientation
        where one is required.
    driving : DrivingConfig, optional
        Where the pose comes from, how ``cmd_vel`` is followed and what the IMU is bolted to, for
        a robot on wheels.  With an IMU on the platform ``gate`` has its mounting on the base.

    Attributes
    ----------
    names : tuple of str
        Joints in command order.
    config : FeedforwardConfig
        The one in use.
    model : RobotModel
        That of the dynamics.
    """

    def __init__(self, config: FeedforwardConfig, dynamics: RobotDynamics,
                 estimator: Optional[BaseMotionSource] = None, mount: Optional[ArmMount] = None,
                 wrenches: Optional[WrenchConfig] = None, gate: Optional[ImuGate] = None,
                 driving: Optional[DrivingConfig] = None) -> None:
        model: RobotModel = dynamics.model
        self.names: tuple[str, ...] = config.joints or tuple(model.joint_names)
        self.model = model
        self.config = config
        self._payload: Optional[tuple[Any, ...]] = None
        columns = np.array([model.index(name) for name in self.names])
        self._events = EventLog(to_ns(config.event_period))
        self._inputs = FeedforwardInputs(
            config, dynamics, self.names,
            gate or usual_gate(config.gravity, config.require_orientation), estimator,
            wrenches or WrenchConfig(), driving or DrivingConfig(), self._events)
        if self._inputs.needs_base and estimator is None:
            raise ConfigurationError(
                f'base_motion: {config.base_motion} needs an estimator of the base motion')
        self._model = EffortModel(config, dynamics, self.names, columns,
                                  (mount or ArmMount()).level_direction)
        self._law = EffortLaw(config, self._model, self._inputs, columns)
        self._cycle = CommandStateMachine(
            config, self._inputs, self._model, self._law,
            EffortLimiter(self.names, config.limits, model.effort_limit[columns]),
            Trips(self.names, joint_units(model, self.names), config.trips), self._events)
        self._load = HeldLoad(self._cycle.limiter, self.gravity_effort, self._events)
        self._inputs.reference.is_moving = lambda: self.state not in (WAITING, FINISHED)

    # ------------------------------------------------------------------------------- inputs

    def on_joint_state(self, stamp_ns: int, arrival_ns: int, names: Sequence[str],
                       position: ArrayLike, velocity: ArrayLike = (),
                       effort: ArrayLike = ()) -> None:
        """
        Take one joint state, in any order of joints.

        Parameters
        ----------
        stamp_ns, arrival_ns : int
            Header stamp, and the clock when it came.
        position, velocity, effort : sequence of float, rad, rad/s, Nm
            In the order of ``names``; empty velocity or effort means: not reported.
        """
        self._advance_clock(arrival_ns)
        self._inputs.receive_joint_state(stamp_ns, arrival_ns, names, position, velocity, effort)

    def on_base_sample(self, sample: ImuSample, arrival_ns: int) -> None:
        """Take one IMU sample (:class:`~robot_dynamics.imu.sample.ImuSample`)."""
        self._advance_clock(arrival_ns)
        if self._inputs.needs_base:
            self._inputs.base.receive(sample, arrival_ns)

    def on_odometry(self, stamp_ns: int, arrival_ns: int, pose: Sequence[float]) -> None:
        """Take x, y [m] and heading [rad] of a robot on wheels in the frame of the deck."""
        self._advance_clock(arrival_ns)
        if self._inputs.placement is not None:
            self._inputs.placement.pose.receive(stamp_ns, arrival_ns, pose)

    def on_wrench(self, link: str, stamp_ns: int, arrival_ns: int, frame_id: str,
                  values: Sequence[float]) -> None:
        """Take force and moment of the environment on a link; see :class:`WrenchInputs`."""
        self._advance_clock(arrival_ns)
        self._inputs.wrenches.receive(link, stamp_ns, arrival_ns, frame_id, values)

    def on_reference(self, trajectory: JointTrajectory, arrival_ns: int) -> None:
        """
        Follow a new trajectory from now on; :mod:`.reference_follower` has the rules.

        On wheels also one of wheels or arm alone, beside what the other part follows.
        """
        self._advance_clock(arrival_ns)
        self._inputs.reference.receive(trajectory, arrival_ns)

    def on_twist(self, arrival_ns: int, forward: float, turning_rate: float, left: float = 0.0
                 ) -> None:
        """Drive with speeds [m/s] and a turning rate [rad/s], the arm as it was told."""
        self._advance_clock(arrival_ns)
        self._inputs.reference.receive_twist(arrival_ns, forward, turning_rate, left)

    def on_reference_of(self, read: Callable[[], JointTrajectory], arrival_ns: int) -> None:
        """Take what ``read()`` returns; what it raises gives an event."""
        self._advance_clock(arrival_ns)
        self._inputs.reference.receive_what(read, arrival_ns)

    # ------------------------------------------------------------------------------ commands

    def command(self, now_ns: int) -> Optional[Command]:
        """Return the command for now, or None when nothing may be sent."""
        now = self._advance_clock(now_ns)
        self._inputs.wrenches.update(now)
        return self._cycle.run(now) if self._load.allows(now) else None

    def published(self, asked_ns: int, now_ns: int) -> None:
        """Tell when the command asked for at ``asked_ns`` was published, to allow for that."""
        self._law.computation.note(now_ns - asked_ns)

    def maintain(self) -> None:
        """Do work that can wait; call it about as often as samples of the base motion come."""
        self._inputs.base.maintain()

    def motion_to_rest(self, from_ns: int) -> Callable[[int, FloatArray], None]:
        """
        Return the desired motion up to an instant, and from there to rest in the stop time.

        To be called only after a command of the states ``active`` or ``ramping_in``.

        Returns
        -------
        callable
            ``sample_into(stamp_ns, out)`` writes position, velocity and acceleration (3, n).
        """
        return self._inputs.follower.coming_to_rest(from_ns)

    def preview(self, stamps_ns: Sequence[int], sample_into: Callable[[int, FloatArray], None]
                ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """
        Predict desired motion and feedforward at coming instants, without feedback.

        To be called only after a command of the states ``active`` or ``ramping_in``.

        Parameters
        ----------
        sample_into : callable
            The desired motion, of :meth:`motion_to_rest`.

        Returns
        -------
        points : (N, 3, n) array
            Desired position, velocity, acceleration at the instants.
        efforts, friction : (N, n) array, Nm
            What to command at the instants, within the effort limits; the friction in it.
        """
        return self._cycle.preview(stamps_ns, sample_into)

    def resume_from(self, in_force: InForce) -> None:
        """
        Begin the motion where somebody else holds the arm, once he has brought it to rest.

        Before, the measured effort is his damping as well.  ``in_force(now_ns, measured)`` returns
        that desired state (3, n), or None; from there the motion goes over to the reference in the
        ramp-in time.  At a beginning ``measured`` is the position (n,), later it is None.
        """
        self._cycle.in_force = in_force

    @property
    def limiter(self) -> EffortLimiter:
        """Return what cuts the efforts."""
        return self._cycle.limiter

    def start(self) -> None:
        """Begin again after the end: wait for valid inputs, then ramp in."""
        self._cycle.restart(self._inputs.clock_ns or 0)

    def on_no_subscribers(self, now_ns: int) -> None:
        """
        Take note that nobody passes the commands on: whoever comes gets the whole ramp.

        What acts meanwhile only measurement tells.
        """
        self._cycle.pause(self._advance_clock(now_ns), 'nothing is sent: nobody subscribes to the '
                          'commands who is active', False)

    def on_new_subscriber(self, now_ns: int) -> None:
        """Take note that somebody else passes the commands on: what follows ramps in."""
        self._cycle.pause(self._advance_clock(now_ns),
                          'somebody else passes the commands on from now: they ramp in', True)

    def stop(self, now_ns: int) -> None:
        """
        Begin the ramp-out; go on calling :meth:`command` until :attr:`finished`.

        The desired motion comes to rest, then the effort ramps to gravity-only and, where
        configured, on to zero.  That takes the sum of these times on the given clock: a caller
        whose clock may stand still sets itself a limit.
        """
        self._cycle.stop(self._advance_clock(now_ns))

    # -------------------------------------------------------------------------- operation

    @property
    def dynamics(self) -> RobotDynamics:
        """Return the dynamics of the robot that the torques come from, with the payload."""
        return self._model.dynamics

    @property
    def wrenches(self) -> WrenchInputs:
        """Return the wrenches of the environment on links, as measured."""
        return self._inputs.wrenches

    @property
    def state(self) -> str:
        """Return the present state, one of :data:`STATES`."""
        return self._cycle.state

    @property
    def base_level(self) -> str:
        """Return what the base motion in use rests on; 'fixed' where none is needed."""
        return self._inputs.base_level

    @property
    def finished(self) -> bool:
        """Whether the ramp-out after :meth:`stop` is over and nothing more will be sent."""
        return self._cycle.state == FINISHED

    @property
    def wants_service(self) -> bool:
        """Whether the final action ``call_service`` is in force: call until there is an answer."""
        return self._cycle.state == FINAL_ACTION and self._cycle.fallback.wants_service

    @property
    def trip(self) -> Optional[Trip]:
        """Return why the arm is stopped until :meth:`clear_trip`, or None where it is not."""
        return self._cycle.trips.trip

    def clear_trip(self, now_ns: int) -> Optional[Trip]:
        """Let control resume, as after silence, and sensors be judged anew; returns what was."""
        return self._cycle.clear_trip(self._advance_clock(now_ns))

    def reconfigure(self, config: FeedforwardConfig, now_ns: int) -> None:
        """
        Change live parameters; the effort changes over the ramp-in time, without a step.

        Towards new limits that are smaller it comes down by the rate limit.

        Raises
        ------
        ConfigurationError
            Names a parameter that may not change now, or values that do not fit the joints;
            then nothing has changed.
        """
        self._advance_clock(now_ns)
        check_live_change(self.config, config)
        old = self.config
        try:
            self._configure(config)
        except RobotDynamicsError:
            self._configure(old)
            raise

    def set_payload(self, link: str, mass: float, com: ArrayLike = (0.0, 0.0, 0.0),
                    inertia: ArrayLike = ((0.0,) * 3,) * 3) -> None:
        """
        Attach a load to a link; the effort changes over the ramp-in time.

        While no joint state is known, the first one judges it, before anything is sent.

        Raises
        ------
        ConfigurationError
            If its gravity alone takes more than a joint has, where the arm is: the old load stays.
        """
        payload = (link, mass, np.array(com).tolist(), np.array(inertia).tolist())
        if payload == self._payload:
            return
        before = self._model.dynamics
        self._model.set_payload(link, mass, com, inertia)
        problem = self._load.problem(mass)
        if problem:
            self._model.use(before)
            raise ConfigurationError(problem)
        self._payload = payload
        self._cycle.smooth_next()

    def clear_payload(self) -> None:
        """Remove the load; after the ramp torques are exactly those from before."""
        if self._payload is None:
            return
        self._model.clear_payload()
        self._payload = None
        self._load.clear()
        self._cycle.smooth_next()

    def gravity_effort(self) -> Optional[FloatArray]:
        """Return the effort (n,) that holds gravity, at the last posture and tilt, or None."""
        now = self._inputs.clock_ns
        if now is None or not self._inputs.joints.monitor.received:
            return None
        return self._cycle.gravity_effort(now)

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return state, ages, rates, level and limits in use, for diagnostics."""
        limiter, learning = self._cycle.limiter, self._cycle.learning
        return {
            'state': self.state, 'trip': '' if self.trip is None else self.trip.text,
            **self._inputs.status(now_ns),
            'computation_delay': self._law.computation.mean, 'lead': self._law.lead_ns * 1e-9,
            'enveloped': tuple(self.names[i] for i in self._law.beyond),
            'saturated': tuple(self.names[i] for i in limiter.saturated),
            'rate_limited': tuple(self.names[i] for i in limiter.rate_limited),
            'commands': self._cycle.count, **({} if learning is None else learning.status())}

    def drain_events(self) -> list[Event]:
        """Return the events since the last call, oldest first, already throttled."""
        return self._events.drain()

    def _advance_clock(self, now_ns: int) -> int:
        """Note the time; returns it, or the later one that was seen already."""
        if self._inputs.advance_clock(now_ns):
            self._cycle.on_clock_jump(now_ns)
        assert self._inputs.clock_ns is not None
        return self._inputs.clock_ns

    def _configure(self, config: FeedforwardConfig) -> None:
        self._model.configure(config)
        self._cycle.limiter.configure(config.limits)
        self._law.configure(config)
        self._inputs.configure(config)
        self._cycle.configure(config)
        self.config = config
