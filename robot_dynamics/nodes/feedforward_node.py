"""
The feedforward as a managed node: joint states, IMU and reference in, effort commands out.

Every joint state is answered by one command.  What is decided about torques, watchdogs and ramps
is decided in :class:`~robot_dynamics.control.feedforward.FeedforwardCore`; here the node goes
through its states, and messages are connected to the stream that asks the core.
"""

from __future__ import annotations

from copy import copy
import sys
from typing import Any, Callable, Optional

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.subscription import Subscription
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.rolling_trajectory import check_rolling, RollingTrajectory
from robot_dynamics.core.errors import ConfigurationError, RobotDynamicsError
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.nodes.base_messages import SOURCES
from robot_dynamics.nodes.commanders import Commanders
from robot_dynamics.nodes.description import (
    check_description, DESCRIPTION_QOS, log_what_is_odd, text_from_topic)
from robot_dynamics.nodes.diagnostics import diagnostics
from robot_dynamics.nodes.fast_loop import FastLoop
from robot_dynamics.nodes.feedforward_build import build_core, set_payload, with_losses
from robot_dynamics.nodes.feedforward_outputs import LATCHED, outputs_of
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.feedforward_stream import FeedforwardStream
from robot_dynamics.nodes.final_service import FinalService
from robot_dynamics.nodes.log_events import log_events
from robot_dynamics.nodes.parameters import ParameterSet
from robot_dynamics.nodes.process import run
from robot_dynamics.nodes.reference_subscription import (
    ReferenceSubscription, SubscriptionEventCallbacks)
from robot_dynamics.nodes.running_clock import RunningClock
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory

SUCCESS = TransitionCallbackReturn.SUCCESS
SILENT_PERIODS = 4  # without a joint state, after which commands come from a timer
WATCH_PERIOD = 0.02  # s
REMINDER_PERIOD = 30.0  # s, between words on a missing description


class FeedforwardNode(LifecycleNode):
    """The node; see the module."""

    PARAMETERS = (FeedforwardNodeConfig, FeedforwardConfig)

    def __init__(self) -> None:
        super().__init__('feedforward')
        self._stream: Optional[FeedforwardStream] = None
        self._subscriptions_made: list[Subscription[Any]] = []
        self.fast_loop = FastLoop(self.context)
        self._node_parameters = ParameterSet(self, FeedforwardNodeConfig)
        self._core_parameters = ParameterSet(
            self, FeedforwardConfig, fixed=lambda: self._stream is not None)
        self._node_parameters.on_change(self._change_node)
        self._core_parameters.on_change(self._change_core)
        self.create_service(Trigger, '~/clear_trip', self._clear_trip)
        self._failure = ''
        self.is_starting = self._starts_itself = False
        self._description = self._node_parameters.config.robot_description
        self._refused = ''
        if not self._description:
            topic = self.create_subscription(
                String, 'robot_description', self._on_description, DESCRIPTION_QOS,
                raw=True).topic_name
            self._missing = (f'there is no robot description yet: publish it on {topic}, or set '
                             'the parameter robot_description')
            self.get_logger().info(self._missing)
            self._reminder = self.create_timer(REMINDER_PERIOD, self._remind)
        elif self._node_parameters.config.autostart:
            self._start()

    # ---- life cycle ----

    def _start(self) -> None:
        """Go through the states without a manager."""
        self._starts_itself = True
        if self.trigger_configure() != SUCCESS or self.trigger_activate() != SUCCESS:
            raise ConfigurationError(self._failure or 'the node could not be activated')

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Load the model, compile, warm up, and begin to listen."""
        self.is_starting = True
        try:
            self._configure()
        except RobotDynamicsError as error:
            self._failure = str(error)
            if not self._starts_itself:  # otherwise it is what ends the process
                self.get_logger().error(f'cannot configure: {error}')
            return TransitionCallbackReturn.FAILURE
        finally:
            self.is_starting = self._starts_itself = False
        return super().on_configure(state)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Answer joint states from now on, with a ramp."""
        assert self._stream is not None
        self._stream.core.start()
        on_reference = self._stream.on_reference
        self._reference = ReferenceSubscription(  # made anew: a new start gets it again
            self, lambda callbacks: self._listen(
                JointTrajectory, 'reference', on_reference, LATCHED, callbacks, raw=True),
            on_reference, self._serve, self._forget)
        self._stream.active = True
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Ramp to a safe effort, then send nothing."""
        self.finish()
        self._reference.close()
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Forget the model and stop listening."""
        self._disconnect()
        return super().on_cleanup(state)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End as a signal ends it."""
        self.finish()
        self._disconnect()
        return super().on_shutdown(state)

    def finish(self) -> None:
        """Ramp out; called before the process ends, whatever ends it."""
        if self._stream is not None:
            self._stream.ramp_out(self._core_parameters.config.command_period)
            log_events(self.get_logger(), self._stream.core.drain_events())

    def _configure(self) -> None:
        if not self._description:
            raise ConfigurationError(
                'no robot description yet: set the parameter robot_description, or publish it '
                'on the topic')
        config, node_config = self._core_parameters.config, self._node_parameters.config
        rolling = node_config.output == 'trajectory'
        if rolling:
            check_rolling(config)
        core = build_core(self._description, config, node_config, self.get_logger().info)
        log_what_is_odd(core.model, self.get_logger().warning)
        self._final = FinalService(
            self, node_config.final_service,
            config.watchdog.final_action == 'call_service', node_config.final_controllers)
        outputs = outputs_of(core, node_config.mobile.separate_commands, self.create_publisher)
        self._commanders = Commanders(self, outputs.commanding, node_config.commanded_by)
        self._stream = FeedforwardStream(
            core, outputs, self._commanders,
            RunningClock(lambda: self.get_clock().now().nanoseconds,
                         to_ns(node_config.clock_patience), self.get_logger().warning),
            to_ns(node_config.lockstep_base_period),
            to_ns(node_config.lockstep_odometry_period), node_config.wait_for_reference,
            RollingTrajectory(core, node_config.trajectory) if rolling else None)
        self._connect(self._stream, config.base_motion != 'fixed')

    def _connect(self, stream: FeedforwardStream, with_base_motion: bool) -> None:
        """Listen, and arrange what is to be called regularly."""
        self.fast_loop.listen_to_clock(self)
        if with_base_motion:
            kind, raw, topic, converter = SOURCES[self._node_parameters.config.base_topic_type]
            stream.base_sample = converter()
            stream.imu_subscription = self._listen(
                kind, topic, stream.on_imu, qos_profile_sensor_data, raw=raw)
        stream.joint_state_subscription = self._listen(
            JointState, 'joint_states', stream.on_joint_state, qos_profile_sensor_data, raw=True)
        stream.listen_further(self._listen)
        self._commanders.listen(self._listen)
        config, node_config = self._core_parameters.config, self._node_parameters.config
        self._silence = SILENT_PERIODS * config.command_period
        every = self.fast_loop.every
        self._fallback = every(config.command_period, self._on_fallback, enabled=False)
        every(WATCH_PERIOD, self._on_watch)
        every(1.0 / node_config.report_rate, self._on_report)
        every(node_config.diagnostics_period, self._on_diagnostics)
        self._diagnostics = self.create_publisher(DiagnosticArray, '/diagnostics', 10)

    def _listen(self, kind: type, topic: str, callback: Callable[[Any], None], qos: QoSProfile,
                event_callbacks: Optional[SubscriptionEventCallbacks] = None, raw: bool = False
                ) -> Subscription[Any]:
        subscription = self.create_subscription(
            kind, topic, callback, copy(qos),  # rclpy writes overrides into it
            event_callbacks=event_callbacks, raw=raw,
            qos_overriding_options=QoSOverridingOptions.with_default_policies())
        self._serve(subscription)
        return subscription

    def _serve(self, subscription: Subscription[Any]) -> None:
        self._subscriptions_made.append(subscription)
        self.fast_loop.listen(subscription)

    def _forget(self, subscription: Subscription[Any]) -> None:
        self._subscriptions_made.remove(subscription)
        self.fast_loop.forget(subscription)
        self.destroy_subscription(subscription)

    def _disconnect(self) -> None:
        """Undo what :meth:`_connect` did."""
        if self._stream is None:
            return
        self.fast_loop.clear()
        for subscription in self._subscriptions_made:
            self.destroy_subscription(subscription)
        for publisher in (self._diagnostics, *self._stream.outputs.publishers):
            self.destroy_publisher(publisher)
        self._subscriptions_made.clear()
        self._final.close()
        self._stream = None

    # ---- messages, timers, parameters ----

    def _remind(self) -> None:
        self.get_logger().warning(self._missing)

    def _on_description(self, raw: bytes) -> None:
        try:
            text = text_from_topic(raw)
        except RobotDynamicsError as error:
            self.get_logger().error(str(error), throttle_duration_sec=1.0)
            return
        if text in (self._description, self._refused):
            return
        if self._stream is not None:
            self.get_logger().error(
                'a changed robot description is refused while the node is configured; '
                'deactivate and clean it up first', throttle_duration_sec=1.0)
            return
        try:
            check_description(text)
            self._description = text
            if self._node_parameters.config.autostart:
                self._start()
        except RobotDynamicsError as error:  # whoever published it may do better
            self._description, self._refused = '', text
            self.get_logger().error(f'{error}; waiting for another robot description')
            return
        self._reminder.cancel()

    def _clear_trip(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        """Let control resume after a stop that has latched."""
        stream = self._stream
        trip = None if stream is None else stream.core.clear_trip(stream.now_ns())
        response.success = trip is not None
        response.message = 'there is no trip to clear' if trip is None else (
            f'cleared: {trip.text}')
        return response

    def _on_watch(self) -> None:
        """Notice silence, and put into the log what the core has reported."""
        assert self._stream is not None
        self._fallback.enabled = self._stream.is_silent(self._silence)
        self._final.attend(self._stream.core.wants_service)
        log_events(self.get_logger(), self._stream.core.drain_events())

    def _on_fallback(self) -> None:
        """Command without joint states while there are none."""
        assert self._stream is not None
        if self._stream.is_silent(self._silence):
            self._stream.on_silence()

    def _on_report(self) -> None:
        assert self._stream is not None
        try:
            self._stream.report()
        except RobotDynamicsError as error:
            self.get_logger().warning(f'no report: {error}', throttle_duration_sec=10.0)

    def _on_diagnostics(self) -> None:
        assert self._stream is not None
        self._diagnostics.publish(diagnostics(
            self.get_fully_qualified_name(), self.get_clock().now().nanoseconds,
            self._stream.status()))

    def _change_core(self, config: FeedforwardConfig) -> None:
        if self._stream is not None:
            self._final.check(config.watchdog.final_action == 'call_service')
            if self._stream.rolling is not None:
                check_rolling(config)
            self._stream.core.reconfigure(
                with_losses(config, self._node_parameters.config), self._stream.now_ns())

    def _change_node(self, config: FeedforwardNodeConfig) -> None:
        if self._stream is not None:
            set_payload(self._stream.core, config)  # first: it may be refused
            if self._stream.rolling is not None:
                self._stream.rolling.config = config.trajectory


def main() -> None:
    """Run the node."""
    sys.exit(run('feedforward', FeedforwardNode))


if __name__ == '__main__':
    main()
