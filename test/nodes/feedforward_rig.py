"""An arm at rest that a test steps by hand, in lockstep with a feedforward node."""

from __future__ import annotations

from robot_dynamics.nodes.messages import set_stamp, stamp_ns
from ros_rig import SENSOR
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray

PERIOD = 2_000_000  # ns


class LockstepArm:
    """Joint states, samples of a level base, and the answers to them."""

    def __init__(self, peer, joints, posture, node='feedforward', namespace='', qos=SENSOR):
        prefix = f'/{namespace}/' if namespace else '/'
        self.peer, self.joints = peer, joints
        self.posture = dict(zip(joints, posture))
        self.stamp = 10_000_000_000
        self.answers = peer.listen(JointState, f'{prefix}{node}/commands_stamped')
        self.arrays = peer.listen(Float64MultiArray, f'{prefix}{node}/commands', 1000)
        self._states = peer.node.create_publisher(JointState, f'{prefix}joint_states', SENSOR)
        self._imus = peer.node.create_publisher(Imu, f'{prefix}imu/data', qos)
        self._publishers = 2

    def connect(self, process):
        """Wait until everything is heard that will be sent and received."""
        def connected():
            assert process.process.poll() is None, process.log
            names = dict(self.peer.node.get_topic_names_and_types())
            return (self._states.get_subscription_count() > 0
                    and self._imus.get_subscription_count() > 0
                    and sum('commands' in name for name in names) >= self._publishers)
        assert self.peer.until(connected), process.log
        self.peer.spin(0.3)  # the other side discovers a little later

    def advance(self):
        """Let the simulated time go on by one cycle."""
        self.stamp += PERIOD

    def send_imu(self, orientation=True, stamp=None, **fields):
        """Send a sample of a level base at rest."""
        message = Imu(**fields)
        set_stamp(message.header.stamp, self.stamp if stamp is None else stamp)
        message.header.frame_id = 'imu_link'
        message.linear_acceleration.z = 9.80665
        message.orientation.w = 1.0
        if not orientation:
            message.orientation_covariance[0] = -1.0
        self._imus.publish(message)

    def send_joint_state(self, names=None, positions=None, **fields):
        """Send the joint state of an arm at rest, with names in the given order."""
        names = self.joints if names is None else names
        values = {**self.posture, **(positions or {})}
        message = JointState(
            name=list(names), position=[values.get(name, 7.7) for name in names],
            velocity=[0.0] * len(names), effort=[0.0] * len(names))
        for field, value in fields.items():
            setattr(message, field, value)
        set_stamp(message.header.stamp, self.stamp)
        self._states.publish(message)

    def step(self, timeout=20.0, **state):
        """
        Send sample and joint state, wait for the answer, and advance; None if none comes.

        What is not answered is sent again, as the simulated robot does: both streams are best
        effort, and a node may discover this one late.
        """
        def answered():
            return self.answers and stamp_ns(self.answers[-1].header.stamp) == self.stamp

        for _ in range(int(timeout)):
            self.send_imu()
            self.send_joint_state(**state)
            if self.peer.until(answered, 1.0):
                self.advance()
                return self.answers[-1]
        self.advance()
        return None
