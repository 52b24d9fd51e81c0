"""A stop that has latched is told on the state topic and in diagnostics, and cleared by a call."""

from diagnostic_msgs.msg import DiagnosticArray
from feedforward_rig import LockstepArm
from ros_rig import LATCHED
from std_msgs.msg import String
from std_srvs.srv import Trigger

JOINTS = [f'joint{i}' for i in range(1, 7)]
POSTURE = [0.3, 0.4, 0.6, -0.2, 0.5, 0.1]
SLIPPED = {'joint2': POSTURE[1] + 1.0}


def test_a_latched_stop_is_told_and_cleared_by_its_service(peer, start, repository):
    states = peer.listen(String, 'feedforward/state', LATCHED)
    diagnostics = peer.listen(DiagnosticArray, '/diagnostics')
    node = start('feedforward_node', {
        'robot_description': str(repository / 'urdf/pa10.urdf'), 'lockstep_base_period': 0.01,
        'ramp.ramp_in': 0.0, 'watchdog.base_settling': 0.0, 'watchdog.recovery_time': 0.01,
        'trips.sensor_time': 0.02, 'diagnostics_period': 0.1})
    arm = LockstepArm(peer, JOINTS, POSTURE)
    arm.connect(node)
    assert peer.until(lambda: arm.step() and states[-1:] and states[-1].data == 'active'), node.log

    def is_told():
        arm.step(positions=SLIPPED)
        last = diagnostics[-1].status[0] if diagnostics else None
        return states[-1].data == 'tripped' and last is not None and 'joint2' in last.message
    assert peer.until(is_told), node.log
    assert node.lines('stopped until the trip is cleared'), node.log
    for _ in range(20):  # the true position alone is not enough
        arm.step()
    assert states[-1].data == 'tripped'
    response = peer.call(Trigger, 'feedforward/clear_trip', Trigger.Request())
    assert response.success and 'joint2' in response.message
    assert peer.until(lambda: arm.step() and states[-1].data == 'active'), node.log
    assert not peer.call(Trigger, 'feedforward/clear_trip', Trigger.Request()).success
