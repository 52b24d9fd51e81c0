import numpy as np
from robot_dynamics.control.reference import JointTrajectory as PlainTrajectory
from robot_dynamics.nodes.messages import stamp_ns
from robot_dynamics.simulation.motions import paper_sinusoid
from ros_rig import LATCHED
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory


def received(peer, node):
    messages = peer.listen(JointTrajectory, 'reference', LATCHED)
    assert peer.until(lambda: messages), node.log
    return messages[0]


def plain(message):
    return PlainTrajectory.from_points(
        message.joint_names, message.points, stamp_ns(message.header.stamp))


def test_who_comes_late_still_gets_the_motion_of_the_paper(peer, start):
    node = start('reference_trajectory_node', {'epoch': 12.0, 'duration': 10.0})
    assert peer.until(lambda: node.lines('paper motion')), node.log
    message = received(peer, node)
    assert stamp_ns(message.header.stamp) == 12_000_000_000
    times = np.linspace(0.0, 9.99, 1234)  # the end itself is held
    got, wanted = plain(message).sample(times), paper_sinusoid().sample(times)
    np.testing.assert_allclose(got.position, wanted.position, atol=1e-9)
    np.testing.assert_allclose(got.velocity, wanted.velocity, atol=1e-7)
    np.testing.assert_allclose(got.acceleration, wanted.acceleration, atol=1e-4)


def test_the_motion_waits_until_the_feedforward_is_active(peer, start):
    node = start('reference_trajectory_node', {
        'epoch': 12.0, 'duration': 10.0, 'start_after': 'feedforward/state', 'start_delay': 3.0})
    states = peer.publisher(String, 'feedforward/state', LATCHED)
    messages = peer.listen(JointTrajectory, 'reference', LATCHED)
    states.publish(String(data='ramping_in'))
    peer.spin(0.3)
    assert not messages
    states.publish(String(data='active'))
    assert peer.until(lambda: messages), node.log
    late = stamp_ns(messages[0].header.stamp) - peer.node.get_clock().now().nanoseconds
    assert 0.0 < 1e-9 * late <= 3.0
    states.publish(String(data='holding'))
    states.publish(String(data='active'))
    peer.spin(0.3)
    assert len(messages) == 1


def test_point_to_point_starts_and_ends_at_rest(peer, start):
    node = start('reference_trajectory_node', {
        'motion': 'point_to_point', 'joints': ['a', 'b'], 'start': [0.0, 1.0],
        'goal': [1.0, -1.0], 'duration': 2.0})
    message = received(peer, node)
    assert list(message.joint_names) == ['a', 'b']
    sample = plain(message).sample(np.array([0.0, 1.0, 2.0]))
    np.testing.assert_allclose(sample.position, [[0, 1], [0.5, 0], [1, -1]], atol=1e-12)
    np.testing.assert_allclose(sample.velocity[[0, 2]], 0.0, atol=1e-12)
    np.testing.assert_allclose(sample.acceleration[[0, 2]], 0.0, atol=1e-12)


def test_a_goal_for_other_joints_is_refused_by_name(start):
    node = start('reference_trajectory_node', {
        'motion': 'point_to_point', 'joints': ['a', 'b'], 'start': [0.0, 1.0], 'goal': [1.0]})
    assert node.wait() == 2
    assert 'parameter goal: has 1 values for 2 joints' in node.lines('FATAL')[0]
