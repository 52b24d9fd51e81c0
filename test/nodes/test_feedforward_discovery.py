"""Who is on the other side, and when: a late controller, and publishers of either durability."""

from fault_rig import Fault, FaultRig, JOINTS, PARAMETERS, POSTURE
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
import numpy as np
import pytest
import rclpy
from ros_rig import LATCHED
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

VOLATILE = 10  # a plain depth, as most nodes publish


class Reference(Fault):
    """The arm is asked once for a posture a little further on."""

    def references(self, k):
        if k:
            return []
        point = JointTrajectoryPoint(positions=[q + 0.05 for q in POSTURE])
        point.time_from_start.sec = 1
        last = JointTrajectoryPoint(positions=[q + 0.06 for q in POSTURE])
        last.time_from_start.sec = 3
        return [JointTrajectory(joint_names=JOINTS, points=[point, last])]


@pytest.fixture
def parameters(repository):
    return {**PARAMETERS, 'robot_description': str(repository / 'urdf/pa10.urdf')}


@pytest.mark.parametrize('qos', [VOLATILE, LATCHED], ids=['volatile', 'latched'])
def test_a_reference_is_followed_whatever_durability_its_publisher_has(
        peer, start, parameters, qos):
    stamped = peer.listen(JointState, 'feedforward/commands_stamped', 1000)
    rig = FaultRig(peer, start('feedforward_node', parameters), reference_qos=qos)
    rig.become_active()
    rig.run(Reference(), 1.5)
    moved = np.array(stamped[-1].position) - POSTURE
    assert moved.min() > 0.04, rig.process.log


def test_each_activation_listens_to_references_once(peer, start, parameters):
    rig = FaultRig(peer, start('feedforward_node', {
        **parameters, 'ramp.ramp_out': 0.0, 'stop_time': 0.01}), reference_qos=VOLATILE)
    rig.become_active()
    before = peer.node.count_subscribers('reference')
    for transition in (Transition.TRANSITION_DEACTIVATE, Transition.TRANSITION_ACTIVATE):
        request = ChangeState.Request(transition=Transition(id=transition))
        assert peer.call(ChangeState, '/feedforward/change_state', request).success
    peer.spin(0.5)
    assert peer.until(lambda: peer.node.count_subscribers('reference') == before), rig.process.log


def test_whoever_hears_the_commands_late_gets_the_whole_ramp(peer, start, parameters):
    words = peer.listen(String, 'feedforward/state', LATCHED)
    rig = FaultRig(peer, start('feedforward_node', {**parameters, 'ramp.ramp_in': 1.0}),
                   listens=False)
    rig.effort = [1.0] * len(JOINTS)
    rig.healthy_until(lambda: rig.process.lines('nobody subscribes'))
    rig.healthy_until(lambda: [word.data for word in words] == ['waiting'])
    heard = peer.listen(Float64MultiArray, 'feedforward/commands', 1000)
    rig.healthy_until(lambda: words[-1].data == 'active')
    efforts = np.abs([message.data for message in heard])
    assert efforts[0].max() == pytest.approx(1.0), 'the measured effort'
    assert efforts[-1].max() > 20.0


def test_a_controller_that_comes_back_gets_the_whole_ramp_though_a_recorder_listened_on(
        peer, start, parameters):
    recorder = rclpy.create_node('rosbag2_recorder', context=peer.context)
    recorder.create_subscription(Float64MultiArray, 'feedforward/commands', lambda _: None, 10)
    rig = FaultRig(peer, start('feedforward_node', {**parameters, 'ramp.ramp_in': 0.5}),
                   listens=False)
    rig.effort = [1.0] * len(JOINTS)
    for _ in range(2):
        before, heard = len(rig.states), []
        controller = peer.node.create_subscription(
            Float64MultiArray, 'feedforward/commands', heard.append, 1000)
        rig.healthy_until(lambda: rig.states[-1:] == ['active'])
        assert rig.states[before:][-2:] == ['ramping_in', 'active']
        assert np.abs(heard[0].data).max() == pytest.approx(1.0)
        assert np.abs(heard[-1].data).max() > 20.0
        peer.node.destroy_subscription(controller)
        rig.healthy_until(lambda: rig.states[-1:] == ['waiting'])
    recorder.destroy_node()
