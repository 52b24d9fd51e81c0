"""What measures the base: an IMU, or an orientation alone, in FLU or NED, tested at the start."""

from feedforward_rig import LockstepArm
from geometry_msgs.msg import QuaternionStamped, Vector3Stamped
import numpy as np
import pytest
from robot_dynamics.core.checks import Finding
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.estimation.adaptive.motion_estimator import AdaptiveEstimator
from robot_dynamics.estimation.estimators import SAVITZKY_GOLAY
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.rotations import matrix_from_quat, matrix_from_rpy, quat_from_matrix
from robot_dynamics.nodes.base_messages import sample_of_angles, sample_of_quaternion, SOURCES
from robot_dynamics.nodes.estimator_parameters import EstimatorConfig
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.messages import set_stamp, to_stamp
from ros_rig import LATCHED, SENSOR
from sensor_msgs.msg import Imu
from std_msgs.msg import String

URDF = str(resource_path('urdf/pa10.urdf'))
JOINTS = [f'joint{k}' for k in range(1, 7)]
POSTURE = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])
ROLL, PITCH = 0.2, -0.1


def angles(stamp_ns):
    message = Vector3Stamped()
    set_stamp(message.header.stamp, stamp_ns)
    message.vector.x, message.vector.y = ROLL, PITCH
    return message


@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('wrong', [np.nan, np.inf, -np.inf])
def test_angles_that_are_none_give_no_orientation_and_no_warning(wrong):
    message = angles(5)
    message.vector.y = wrong
    assert np.isnan(sample_of_angles(message).orientation_xyzw).all()


def test_angles_and_a_quaternion_become_the_same_sample():
    quat = quat_from_matrix(matrix_from_rpy((ROLL, PITCH, 0.0)))
    message = QuaternionStamped()
    message.header.stamp, message.header.frame_id = to_stamp(5), 'mru_ned'
    (message.quaternion.x, message.quaternion.y, message.quaternion.z,
     message.quaternion.w) = quat.tolist()
    one, other = sample_of_angles(angles(5)), sample_of_quaternion(message)
    np.testing.assert_allclose(one.orientation_xyzw, other.orientation_xyzw)
    assert other.frame_id == 'mru_ned'
    for sample in (one, other):
        assert sample.has_orientation and sample.stamp_ns == 5
        assert not sample.has_angular_velocity and not sample.has_linear_acceleration


def test_every_declared_source_has_its_message():
    from robot_dynamics.core.parameters import parameter_specs
    specs = {spec.name: spec for spec in parameter_specs(FeedforwardNodeConfig)}
    assert set(specs['base_topic_type'].choices) == set(SOURCES)


@pytest.mark.parametrize('axes, pitch', [('by_frame', PITCH), ('flu', PITCH), ('ned', -PITCH)])
def test_the_parameter_of_the_axes_turns_what_the_frame_does_not_say(axes, pitch):
    numbers = EstimatorConfig(axes=axes).mounting().to_base(sample_of_angles(angles(5)))
    np.testing.assert_allclose(
        matrix_from_quat(numbers[6:10])[2], matrix_from_rpy((ROLL, pitch, 0.0))[2], atol=1e-12)


def test_the_sensor_is_tested_unless_told_not_to():
    upright = [ImuSample(10_000_000 * k, (0.0, 0.0, 0.0), (0.0, 0.0, 9.81), (0.0, 0.0, 0.0, 1.0))
               for k in range(1, 60)]
    for tested in (True, False):
        gate = EstimatorConfig(self_test=tested).gate(9.81, up=(0.0, 0.0, -1.0))  # it hangs
        passed = [gate.pass_through(sample) for sample in upright]
        assert isinstance(passed[-1], Finding) == tested


def test_the_estimator_is_the_chosen_one():
    gate = EstimatorConfig(axes='ned').gate(9.81)
    plain = EstimatorConfig().estimator(9.81, gate.mounting_behind)
    assert isinstance(plain, AdaptiveEstimator) and plain.gravity_magnitude == 9.81
    assert plain.mounting.ned is False and not plain.self_maintaining
    fitted = EstimatorConfig(window=0.2).estimator(9.81, gate.mounting_behind, SAVITZKY_GOLAY)
    assert fitted.window == 0.2


def test_a_window_is_refused_where_the_estimator_has_none():
    with pytest.raises(ConfigurationError, match='window: 6 s is for savitzky_golay'):
        EstimatorConfig(window=6.0).estimator(9.81, None)


@pytest.fixture
def parameters():
    return {'robot_description': URDF, 'joints': JOINTS, 'lockstep_base_period': 0.01,
            'watchdog.base_settling': 0.0, 'ramp.ramp_in': 0.0}


class TiltedArm(LockstepArm):
    """An arm on a base of which only roll and pitch are known."""

    def __init__(self, peer):
        super().__init__(peer, JOINTS, POSTURE)
        self._imus = peer.node.create_publisher(Vector3Stamped, '/base_orientation', SENSOR)

    def send_imu(self):
        self._imus.publish(angles(self.stamp))


def test_with_roll_and_pitch_alone_the_arm_holds_itself_and_the_level_is_told(
        peer, start, parameters):
    levels = peer.listen(String, '/feedforward/base_level', LATCHED)
    arm = TiltedArm(peer)
    node = start('feedforward_node', {**parameters, 'base_topic_type': 'vector3'})
    arm.connect(node)
    for _ in range(60):
        answer = arm.step()
    zero = np.zeros(6)
    expected = InverseDynamics(RobotModel.from_urdf(URDF)).torque(
        POSTURE, zero, zero, BaseMotion.from_roll_pitch(ROLL, PITCH, 0.0, 0.0, 0.0, 0.0))
    np.testing.assert_allclose(answer.effort, expected, atol=0.05)
    assert peer.until(lambda: levels and levels[-1].data == 'orientation'), node.log


@pytest.mark.slow
def test_a_sensor_with_a_reversed_force_is_refused_and_the_log_says_what_is_suspected(
        peer, start, parameters):
    arm = LockstepArm(peer, JOINTS, POSTURE)
    message = Imu()
    message.orientation.w, message.linear_acceleration.z = 1.0, -9.80665
    node = start('feedforward_node', parameters)
    arm.connect(node)
    for _ in range(250):
        set_stamp(message.header.stamp, arm.stamp)
        arm._imus.publish(message)
        arm.send_joint_state()
        peer.spin(0.003)
        arm.advance()
    assert peer.until(lambda: node.lines('self-test')), node.log
    assert 'NED axes declared as FLU' in node.log
