"""The least that a node can do: subscribe JointState, publish one Float64MultiArray."""

import rclpy
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray


class EchoNode(Node):
    """Sends back the efforts of every joint state."""

    def __init__(self):
        super().__init__('echo')
        self._message = Float64MultiArray()
        self._publisher = self.create_publisher(Float64MultiArray, 'commands', 1)
        self.create_subscription(
            JointState, 'joint_states', self._on_joint_state, qos_profile_sensor_data)

    def _on_joint_state(self, message):
        self._message.data = message.effort
        self._publisher.publish(self._message)


if __name__ == '__main__':
    rclpy.init()
    try:
        rclpy.spin(EchoNode())
    except KeyboardInterrupt:
        pass
