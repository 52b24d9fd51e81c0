"""Which topics carry commands: who subscribes to one of them may move the arm."""

from types import SimpleNamespace

from robot_dynamics.nodes.feedforward_outputs import FeedforwardOutputs
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory


def test_commands_are_carried_by_every_topic_that_a_controller_may_hear():
    def publisher(kind, name, qos, **options):
        return SimpleNamespace(topic_name=name, kind=kind)

    outputs = FeedforwardOutputs(publisher, ['a', 'b'], 'base_link', {'~/arm_commands': ['b']})
    assert {made.topic_name for made in outputs.commanding} == {
        '~/commands', '~/commands_stamped', '~/joint_trajectory', '~/arm_commands'}
    # what controllers take, and what names the joints; not control_msgs/JointCommand
    assert {made.kind for made in outputs.commanding} == {
        Float64MultiArray, JointState, JointTrajectory}
