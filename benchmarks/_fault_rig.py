"""A robot on a ship, seen from outside: streams to real nodes over DDS, efforts from them."""

from __future__ import annotations

from contextlib import ExitStack
import dataclasses
from pathlib import Path
import signal
import subprocess
import time
from typing import Any, Callable, Dict, List, Tuple

from benchmarks._fault_seen import Seen, Sent
from geometry_msgs.msg import QuaternionStamped
import numpy as np
from numpy.typing import NDArray
from rcl_interfaces.msg import Log
from rcl_interfaces.srv import SetParameters
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, qos_profile_sensor_data, QoSProfile
from robot_dynamics import (
    BaseState, DifferentialDrive, FixedMount, InverseDynamics, RobotModel, ShipMotion)
from robot_dynamics.app.demo.processes import command_line
from robot_dynamics.app.graph import NodeProcess
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.reference import JointTrajectory as PlainTrajectory
from robot_dynamics.core.resources import resource_path
from robot_dynamics.imu.sensor_model import ImuModel
from robot_dynamics.nodes.drain import drain, drain_with_info
from robot_dynamics.nodes.messages import (
    doubles, imu_message, joint_state_template, set_stamp, stamp_ns, to_stamp, trajectory_message)
from robot_dynamics.ship.regular_motion import PAPER_PITCH, PAPER_ROLL
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory

FloatArray = NDArray[np.float64]
TICK = 0.005  # s between joint states; an IMU sample comes with every second
AMPLITUDE, FREQUENCY = 0.08, 0.8  # rad, rad/s: the robot's own motion
SWAY = 0.08  # rad: roll and pitch of the ship
ARM = tuple(f'joint{i}' for i in range(1, 7))
MOBILE = ('right_wheel_joint', 'left_wheel_joint', 'arm1', 'arm2', 'arm3')
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
STOPPED = ('tripped', 'final_action', 'ramping_to_gravity', 'gravity_only')  # perhaps for good


@dataclasses.dataclass(frozen=True)
class Setup:
    """One configuration of the nodes; everything that is not named is at its default."""

    name: str
    mobile: bool = False
    output: str = 'commands'
    base: str = 'imu'
    sim_time: bool = False

    @property
    def joints(self) -> Tuple[str, ...]:
        """Joints in command order."""
        return MOBILE if self.mobile else ARM

    @property
    def guarded(self) -> bool:
        """Whether a guard stands before the controller."""
        return self.output == 'commands'

    def processes(self) -> List[NodeProcess]:
        """Return the nodes."""
        own: Dict[str, Any] = {
            'robot_description': self.description, 'joints': list(self.joints),
            'natural_frequency': [15.0], 'command_period': TICK, 'base_topic_type': self.base,
            'output': self.output, 'use_sim_time': self.sim_time}
        if self.mobile:
            own.update({'mobile.left_wheel': MOBILE[1], 'mobile.right_wheel': MOBILE[0],
                        'mobile.pose_source': 'wheels'})
        if self.output == 'trajectory':
            own.update({'natural_frequency': [0.0], 'ramp.start_from': 'zero'})
        nodes = [NodeProcess('feedforward_node', 'feedforward', own)]
        if self.guarded:
            nodes.append(NodeProcess('effort_guard_node', 'effort_guard', {
                'robot_description': self.description, 'joints': list(self.joints)}))
        return nodes

    @property
    def description(self) -> str:
        """URDF."""
        name = 'mobile_manipulator' if self.mobile else 'pa10'
        return str(resource_path(f'urdf/{name}.urdf'))

    @property
    def posture(self) -> FloatArray:
        """About which the robot moves, (n,)."""
        return np.array([0.0, 0.0, 0.1, 0.6, 0.5] if self.mobile
                        else [0.2, 0.5, 0.6, -0.2, 0.4, 0.1])


class Fault:
    """What happens to the streams; ``k`` counts the ticks and ``t`` the seconds of the fault."""

    def joint_states(self, k: int, message: JointState) -> List[JointState]:
        """Return what is sent instead of a joint state."""
        return [message]

    def base(self, k: int, message: Any) -> List[Any]:
        """Return what is sent instead of a sample of the base motion."""
        return [message]

    def act(self, k: int, rig: 'Rig') -> None:
        """Do anything else."""


class Rig:
    """
    The controller, drivers and sensors of one setup, with its nodes as processes.

    Parameters
    ----------
    setup : Setup
    directory : Path
        For parameter files and logs.
    """

    def __init__(self, setup: Setup, directory: Path) -> None:
        self.setup, self._directory = setup, directory
        model = RobotModel.from_urdf(setup.description)
        self._dynamics = InverseDynamics(
            model, support=DifferentialDrive.from_model(model, MOBILE[1], MOBILE[0])
            if setup.mobile else FixedMount())
        self._columns = [model.index(name) for name in setup.joints]
        self.limit = model.effort_limit[self._columns]
        config = LimitsConfig()
        self._largest_step = 100.0 * config.rate_of_limit * config.longest_step
        self._moving = np.array([0.0 if 'wheel' in name else 1.0 for name in setup.joints])
        self._ship = ShipMotion.regular(roll=PAPER_ROLL._replace(amplitude=SWAY),
                                        pitch=PAPER_PITCH._replace(amplitude=SWAY))
        self._sensor = ImuModel()
        self._state = joint_state_template(setup.joints)
        self.acting = np.zeros(len(setup.joints))  # what the controller holds, Nm
        self.reports_effort = True
        self.clock_runs = True
        self._sender_lives = True  # whether who sent the last effort can know it
        self._sent = Sent()
        self._epoch = time.time_ns()
        self._clock_ns = self._epoch
        self._k = 0
        self.seen = Seen()
        self._stack = ExitStack()
        self.running: Dict[str, 'subprocess.Popen[bytes]'] = {}

    def __enter__(self) -> 'Rig':
        self.node = rclpy.create_node('effort_controller')
        self._services = rclpy.create_node('services')
        self._parameters = self._services.create_client(
            SetParameters, 'feedforward/set_parameters')
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._services)
        node, sensor = self.node, qos_profile_sensor_data
        self._states = node.create_publisher(JointState, 'joint_states', sensor)
        self._base = (node.create_publisher(Imu, 'imu/data', sensor) if self.setup.base == 'imu'
                      else node.create_publisher(QuaternionStamped, 'base_orientation', sensor))
        self._clocks = node.create_publisher(Clock, '/clock', sensor)
        self.references = node.create_publisher(JointTrajectory, 'reference', LATCHED)
        self.commands = node.create_publisher(Float64MultiArray, 'feedforward/commands', 1)
        self.descriptions = node.create_publisher(String, 'robot_description', LATCHED)
        self._log = node.create_subscription(Log, '/rosout', _nothing, QoSProfile(depth=1000))
        self._words = {name: node.create_subscription(String, f'{name}/state', _nothing, LATCHED)
                       for name in ('feedforward', 'effort_guard')}
        self.state = dict.fromkeys(self._words, '')
        self.connect()
        for process in self.setup.processes():
            self.start(process.name)
        self._dynamics.warm_up('torque')
        return self

    def __exit__(self, *_: Any) -> None:
        for running in self.running.values():
            running.send_signal(signal.SIGCONT)
            running.terminate()
        for running in self.running.values():
            try:
                running.wait(10.0)
            except subprocess.TimeoutExpired:
                running.kill()
        self._executor.shutdown()
        self.node.destroy_node()
        self._services.destroy_node()

    # ---- the controller and the nodes ----

    def start(self, name: str) -> None:
        """Start a node."""
        process, = (made for made in self.setup.processes() if made.name == name)
        with open(self._directory / f'{name}.log', 'ab') as log:
            self.running[name] = subprocess.Popen(
                command_line(process, self._directory), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)

    def kill(self, name: str) -> None:
        """End a node without a word."""
        self.running[name].kill()
        self.running[name].wait()
        if name in self.state:
            self.state[name] = ''
            self._sender_lives = False

    def connect(self) -> None:
        """Let the controller come."""
        kind, topic = {
            True: (Float64MultiArray, 'effort_controller/commands'),
            False: (JointTrajectory, 'feedforward/joint_trajectory')}[self.setup.guarded]
        self._efforts: Any = self.node.create_subscription(
            kind, topic, _nothing, QoSProfile(depth=100))

    def disconnect(self) -> None:
        """Let the controller go."""
        self.node.destroy_subscription(self._efforts)
        self._efforts = None

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Call a service while the streams go on; return its response, or None."""
        client = self._services.create_client(kind, name)
        self.run(Fault(), 5.0, client.service_is_ready)
        future = client.call_async(request)
        self.run(Fault(), 5.0, future.done)
        self._services.destroy_client(client)
        return future.result()

    def ask_parameters(self, values: Dict[str, Any]) -> None:
        """Ask the feedforward for other live parameters; what it answers is its log's matter."""
        self._parameters.call_async(SetParameters.Request(parameters=[
            Parameter(name, value=value).to_parameter_msg() for name, value in values.items()]))

    def clear(self) -> None:
        """Clear trips, if there are any."""
        for name in self.state if self.setup.guarded else ('feedforward',):
            if self.state[name] in STOPPED:
                self.call(Trigger, f'{name}/clear_trip', Trigger.Request())

    def is_commanded(self) -> bool:
        """Whether the nodes command the robot, as without a fault."""
        return self.state['feedforward'] == 'active' and (
            not self.setup.guarded or self.state['effort_guard'] == 'forwarding')

    # ---- the truth ----

    def motion(self, t: float) -> Tuple[FloatArray, FloatArray, FloatArray]:
        """Return position, velocity and acceleration (n,) of the joints."""
        w, a = FREQUENCY, AMPLITUDE * self._moving
        return (self.setup.posture + a * np.sin(w * t), a * w * np.cos(w * t),
                -a * w * w * np.sin(w * t))

    def exact(self, t: float) -> FloatArray:
        """Return the effort (n,) that the motion takes, Nm, in command order."""
        base = self._ship.at(t)
        q, qd, qdd = (self._sorted(value) for value in self.motion(t))
        torque = self._dynamics.torque(
            q, qd, qdd, BaseState(base, [0.0, 0.0, 0.0]) if self.setup.mobile else base)
        return torque[self._columns]

    def _sorted(self, values: FloatArray) -> FloatArray:
        ordered = np.zeros(len(values))
        ordered[self._columns] = values
        return ordered

    def reference(self, seconds: float = 60.0, spacing: float = 0.1) -> JointTrajectory:
        """Return the motion of the coming seconds as a message."""
        times = np.arange(0.0, seconds, spacing)
        begin = self.seconds()
        points = [self.motion(begin + t) for t in times]
        return trajectory_message(PlainTrajectory(
            self.setup.joints, times, *(np.array(part) for part in zip(*points)),
            start_ns=self._clock_ns))

    def seconds(self) -> float:
        """Return the time since the beginning, s, on the clock of the stamps."""
        return 1e-9 * (self._clock_ns - self._epoch)

    # ---- streams ----

    def run(self, fault: Fault, seconds: float,
            done: Callable[[], bool] = lambda: False) -> bool:
        """Stream for some time, or until something is done; returns whether it is."""
        begin, k = time.monotonic(), 0
        now = before = begin
        while now < begin + seconds:
            if done():
                return True
            self.seen.paused = max(self.seen.paused, now - before)
            before = now
            self._tick(fault, k)
            k += 1
            left = begin + k * TICK - time.monotonic()
            if left > 0.0:
                time.sleep(left)
            elif left < -0.1:
                begin = time.monotonic() - k * TICK  # a busy machine: do not catch up
            self._take()
            now = time.monotonic()
        return done()

    def _tick(self, fault: Fault, k: int) -> None:
        if self.clock_runs:
            self._clock_ns = time.time_ns()
        now, t = self._clock_ns, self.seconds()
        if self.setup.sim_time:
            self._clocks.publish(Clock(clock=to_stamp(now)))
        fault.act(k, self)
        if self._k % 2 == 0:
            for message in fault.base(k, self._base_message(now, t)):
                self._base.publish(message)
        state = self._state
        set_stamp(state.header.stamp, now)
        position, velocity, _ = self.motion(t)
        state.name = list(self.setup.joints)
        state.position, state.velocity = doubles(position), doubles(velocity)
        state.effort = doubles(self.acting if self.reports_effort else 0.0 * self.acting)
        for message in fault.joint_states(k, state):
            self._states.publish(message)
        self._k += 1
        self._executor.spin_once(timeout_sec=0)

    def _base_message(self, now_ns: int, t: float) -> Any:
        sample = self._sensor.measure_ship(now_ns, self._ship, t)
        assert sample is not None
        message = imu_message(sample)
        if self.setup.base == 'imu':
            return message
        return QuaternionStamped(header=message.header, quaternion=message.orientation)

    def _take(self) -> None:
        """Take what has come from the nodes."""
        seen, now = self.seen, time.monotonic()
        at = now - seen.began
        for message, info in drain_with_info(self._efforts) if self._efforts is not None else ():
            count = self._sent.since_last(info)  # lost on the way on a busy machine: no step
            for t, effort in self._received(message, info['source_timestamp']):
                self._judge(effort, t, at, count)
        for name, subscription in self._words.items():
            for message in drain(subscription):
                if message.data != self.state[name]:
                    self.state[name] = message.data
                    seen.states.append(f'{message.data}@{at:.3f}')
                    if name == 'feedforward':
                        seen.course.append((at, message.data))
                    if message.data == 'ramping_in':  # a planner that sends when it is heard
                        self.references.publish(self.reference())
        for message in drain(self._log):
            if message.level >= 30 and seen.noticed is None:
                seen.noticed, seen.words = at, f'{message.name}: {message.msg}'

    def _received(self, message: Any, sent_ns: int) -> List[Tuple[float, FloatArray]]:
        """Return the efforts of a message, and when they act, s since the beginning."""
        if self.setup.guarded:
            t = self.seconds() if self.setup.sim_time else 1e-9 * (sent_ns - self._epoch)
            return [(t, np.array(message.data))]
        begin = 1e-9 * (stamp_ns(message.header.stamp) - self._epoch)
        moments = [(begin + 1e-9 * stamp_ns(point.time_from_start), np.array(point.effort))
                   for point in message.points]
        return [moment for moment in moments if moment[0] < self.seconds() + 0.1] or moments[:1]

    def _judge(self, effort: FloatArray, t: float, at: float, count: int) -> None:
        known, self._sender_lives = self.reports_effort or self._sender_lives, True
        self.seen.add(at, effort, self.exact(t), self.acting, self.limit,
                      count * self._largest_step if self.setup.guarded and known else None)
        if np.isfinite(effort).all():
            self.acting = effort


def _nothing(_: Any) -> None:
    """Messages are taken by hand."""
