"""
A simulated arm on a moving deck, behind the topics of a real one.

Efforts come in as ros2_control takes them and are held for ever; joint states go out.  In real
time the clock sets the pace, and what a busy machine misses is caught up with in longer steps,
so that a late cycle does not make the next one later still.  In lockstep this node owns
``/clock``: time stands still until the command that answers the last joint state has come, so
that a run is the same on any machine.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from math import ceil
import sys
from typing import List, Sequence, Tuple

from rclpy.node import Node
from robot_dynamics.control.driving_config import WheelsConfig
from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import group, parameter
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.nodes.command_delay import CommandDelay
from robot_dynamics.nodes.description import (
    log_what_is_odd, model_from_parameter, ROTOR_INERTIA)
from robot_dynamics.nodes.fast_loop import FastLoop
from robot_dynamics.nodes.handshake import Handshake, RETRY_PERIOD
from robot_dynamics.nodes.log_events import log_events
from robot_dynamics.nodes.messages import joint_state_template, set_stamp
from robot_dynamics.nodes.parameters import ParameterSet
from robot_dynamics.nodes.platform_publishers import (
    GridPublisher, OdometryConfig, OdometryPublisher, PlatformImuPublisher)
from robot_dynamics.nodes.process import EndOfRun, run
from robot_dynamics.nodes.ship_parameters import ShipClockConfig, simulation_defaults
from robot_dynamics.nodes.wire import WireReader, WireWriter
from robot_dynamics.simulation.run_trace import TraceWriter
from robot_dynamics.simulation.simulated_robot import SimulatedRobot, SimulatedRobotConfig
from rosgraph_msgs.msg import Clock as ClockMsg
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

CATCH_UP = 2  # cycles: one costs no more than so many, however late it is


@dataclasses.dataclass(frozen=True)
class RobotNodeConfig(ShipClockConfig):
    """Parameters of the node; those of the arm begin with ``arm``."""

    robot_description: str = parameter('', 'URDF of the arm: text or path', live=False)
    reflected_rotor_inertia: tuple[float, ...] = ROTOR_INERTIA
    model: ModelChoice = group(ModelChoice)
    period: float = parameter(0.002, 'time between joint states', 's', 1e-4, 1.0, live=False)
    lockstep: bool = parameter(
        False, 'own /clock, and advance it only when the joint state is answered', live=False)
    clock_period: float = parameter(
        0.01, 'time between messages on /clock in lockstep', 's', 1e-4, 1.0, live=False)
    start_time: float = parameter(
        1.0, 'ROS time at which a run in lockstep starts', 's', 1e-3, 1e11, live=False)
    end_time: float = parameter(
        0.0, 'ROS time at which the node ends; 0: never', 's', 0.0, 1e11, live=False)
    answer_timeout: float = parameter(
        30.0, 'longest wait for an answer in lockstep, by the wall clock; four times that for the '
        'first, before which others compile', 's', 0.1, 3600.0, live=False)
    delay: CommandDelay = group(CommandDelay)
    trace_file: str = parameter('', 'file for every state of the run; empty: none', live=False)
    arm: SimulatedRobotConfig = group(SimulatedRobotConfig)
    mobile: WheelsConfig = group(WheelsConfig)
    odometry: OdometryConfig = group(OdometryConfig)
    platform_imu: bool = parameter(
        False, 'on wheels: publish what an IMU on the platform measures', live=False)
    imu: ImuConfig = group(ImuConfig)


class SimulatedRobotNode(Node):
    """The node; see the module."""

    PARAMETERS = (RobotNodeConfig,)

    def __init__(self) -> None:
        super().__init__('simulated_robot')
        parameters = ParameterSet(self, RobotNodeConfig, simulation_defaults())
        config = self._config = parameters.config
        self._period_ns = to_ns(config.period)
        model = model_from_parameter(config.robot_description, config.reflected_rotor_inertia,
                                     config.model)
        log_what_is_odd(model, self.get_logger().warning)
        self._on_the_grid: List[GridPublisher] = []
        self._robot = self._simulated(model)
        parameters.on_change(self._change)
        self._delay_ns = config.delay.sampler()
        self._trace = (
            TraceWriter(config.trace_file, self._robot.names) if config.trace_file else None)
        self._message = WireWriter(joint_state_template(self._robot.names))
        self._states = self.create_publisher(JointState, 'joint_states', 10)
        self._missed = self._cycles = 0  # since the first command
        self._commanded = False
        self._events = EventLog()
        self.fast_loop = FastLoop(self.context)
        self.fast_loop.listen_to_clock(self)
        if config.lockstep:
            self._handshake = Handshake(config.answer_timeout)
            self._clock_message = ClockMsg()
            self._clocks = self.create_publisher(ClockMsg, '/clock', 10)
            self.fast_loop.listen(self.create_subscription(
                JointState, 'effort_controller/commands_stamped',
                partial(self._on_answer, WireReader(JointState)), 10, raw=True))
            self.fast_loop.every(RETRY_PERIOD / 2, self._ask_again)
            self._ask()
        else:
            for topic, names in self._command_topics():
                self.fast_loop.listen(self.create_subscription(
                    Float64MultiArray, topic,
                    partial(self._on_command, names, WireReader(Float64MultiArray)), 1, raw=True))
            self.fast_loop.every(config.period, self._on_tick)

    def _simulated(self, model: RobotModel) -> SimulatedRobot:
        """Return an arm, or what the parameters put on wheels."""
        config = self._config
        ship, epoch_ns = config.ship.ship(), config.epoch_ns
        support = config.mobile.support(model)
        simulated = SimulatedRobot(
            model, ship, config.arm, epoch_ns=epoch_ns, support=support,
            pose=config.odometry.initial_pose if support.pose_size else None)
        simulated.warm_up(self.get_logger().info)
        simulated.stamp_ns = self._start_ns()
        if config.mobile.on_wheels:
            self._on_the_grid.append(OdometryPublisher(self, simulated, config.odometry))
            if config.platform_imu:
                self._on_the_grid.append(PlatformImuPublisher(self, simulated, config.imu))
        return simulated

    def _change(self, config: RobotNodeConfig) -> None:
        self._robot.config = config.arm

    def _start_ns(self) -> int:
        """Return the stamp of the first state; in real time that is now."""
        return to_ns(self._config.start_time) if self._config.lockstep else self._now()

    def _command_topics(self) -> Sequence[Tuple[str, Sequence[str]]]:
        """Return the topics of the controllers, and the joints that each commands."""
        names = self._robot.names
        if self._config.mobile.separate_commands:
            wheels = len(self._robot.support.wheels)
            return (('wheel_controller/commands', names[:wheels]),
                    ('arm_controller/commands', names[wheels:]))
        return (('effort_controller/commands', names),)

    # ---- real time: the clock sets the pace ----

    def _now(self) -> int:
        return self.get_clock().now().nanoseconds

    def _on_command(self, names: Sequence[str], reader: WireReader, raw: bytes) -> None:
        effort = reader.read(raw).arrays['data']
        if self._robot.apply(effort, self._now() + self._delay_ns(), names):
            self._commanded = True
            return
        problem = (
            'dropped a command that is not finite' if len(effort) == len(names) else
            f'dropped a command of {len(effort)} values: expected {len(names)}, for '
            f'{", ".join(names)}; hold a joint that nobody commands by model.held_joints')
        self._events.report(EventKind.COMMAND_REFUSED, problem, self._now())
        log_events(self.get_logger(), self._events.drain())

    def _on_tick(self) -> None:
        cycles = (self._now() - self._robot.stamp_ns) // self._period_ns
        if cycles < 1:
            return
        self._cycles += cycles if self._commanded else 0  # before nobody counts on them
        if cycles > 1 and self._commanded:
            self._missed += cycles - 1
            self.get_logger().warning(
                f'{self._missed} cycles of {1e3 * self._config.period:g} ms missed so far, '
                f'{self._missed / self._cycles:.1%}',
                throttle_duration_sec=5.0)
        substeps = CATCH_UP * ceil(self._config.period / self._config.arm.substep - 1e-9)
        self._robot.catch_up(self._robot.stamp_ns + cycles * self._period_ns, substeps)
        self._advanced()
        self._publish_state()

    # ---- lockstep: the answers set the pace ----

    def _on_answer(self, reader: WireReader, raw: bytes) -> None:
        stamp, values = self._robot.stamp_ns, reader.read(raw)
        effort = values.arrays['effort']
        if not self._handshake.is_answer(values.stamp_ns):
            return
        if not self._robot.apply(effort, stamp + self._delay_ns(), values.names):
            raise ConfigurationError(
                f'lockstep: a command for {", ".join(values.names)} with {len(effort)} '
                f'values does not fit the arm with {", ".join(self._robot.names)}')
        self._robot.step_to(stamp + self._period_ns)
        self._advanced()
        self._ask()

    def _ask(self) -> None:
        stamp = self._robot.stamp_ns
        if not self._handshake.started or stamp % to_ns(self._config.clock_period) == 0:
            set_stamp(self._clock_message.clock, stamp)
            self._clocks.publish(self._clock_message)
        self._publish_state()
        self._handshake.asked(stamp)

    def _ask_again(self) -> None:
        if self._handshake.is_overdue():
            self._ask()

    # ---- both ----

    def _advanced(self) -> None:
        now = 1e-9 * self._robot.stamp_ns
        if self._trace is not None:
            state = self._robot.true_state()
            self._trace.append(now, state.position, state.velocity, state.effort)
        if 0 < self._config.end_time <= now:
            raise EndOfRun

    def _publish_state(self) -> None:
        for publisher in self._on_the_grid:
            publisher.publish_due()
        state = self._robot.joint_state()
        self._states.publish(self._message.fill(
            state.stamp_ns, position=state.position, velocity=state.velocity,
            effort=state.effort))

    def finish(self) -> None:
        """Close the trace and say how regular the run was."""
        if self._trace is not None:
            self._trace.close()
        count = self._handshake.repetitions if self._config.lockstep else self._missed
        what = 'joint states sent twice' if self._config.lockstep else 'cycles missed'
        self.get_logger().info(f'ended at t = {1e-9 * self._robot.stamp_ns:.3f} s, {count} {what}')


def main() -> None:
    """Run the node."""
    sys.exit(run('simulated_robot', SimulatedRobotNode))


if __name__ == '__main__':
    main()
