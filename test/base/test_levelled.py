import numpy as np
import pytest

from robot_dynamics.base.estimators import ADAPTIVE, make_estimator
from robot_dynamics.base.imu_model import ImuConfig, ImuModel
from robot_dynamics.base.motion_estimator import BaseMotionEstimator
from robot_dynamics.base.mounting import ImuMounting
from robot_dynamics.base.ship_motion import ShipMotion
from robot_dynamics.motion import rotations

SHIP = ShipMotion.irregular(6)
PLACE = np.array([0.3, -0.2, 0.4])


def estimated(estimator, reports_orientation=True):
    sensor = ImuModel(ImuConfig(reports_orientation=reports_orientation))
    for k in range(500):
        rejection = estimator.update(sensor.measure_ship(10_000_000 * k, SHIP, 0.01 * k))
        assert rejection is None
    return estimator.at(5_000_000_000)


@pytest.mark.parametrize('rpy', [
    (0.0, np.pi / 2, 0.0), (0.0, -np.pi / 2, 1.0), (np.pi / 2, 0.0, 0.0), (np.pi, 0.0, 0.0),
    (0.4, 1.2, -0.5), (0.1, 0.2, 0.3)])
@pytest.mark.parametrize('reports_orientation', [True, False])
def test_an_arm_that_stands_in_any_way_gets_the_motion_of_an_upright_one_turned(
        rpy, reports_orientation):
    R_BI = rotations.matrix_from_rpy(rpy)  # the sensor is level, the arm's base is not
    found = estimated(make_estimator(ADAPTIVE, ImuMounting(R_BI, PLACE)), reports_orientation)
    upright = estimated(BaseMotionEstimator(ImuMounting(p_BI=R_BI.T @ PLACE)),
                        reports_orientation)
    assert found.level == upright.level
    turned = (upright.motion.packed.reshape(4, 3) @ R_BI.T).ravel()
    size = np.repeat([0.05, 0.05, 1.0, 9.8], 3)
    assert (np.abs(found.motion.packed - turned) / size).max() < 0.05
    assert np.linalg.eigvalsh(found.covariance).min() > -1e-12


def test_the_covariance_is_turned_with_the_motion():
    estimator = make_estimator(ADAPTIVE, ImuMounting(
        rotations.matrix_from_rpy((0.0, np.pi / 2, 0.0))))
    found = estimated(estimator).covariance
    inner = estimator._estimator.at(5_000_000_000)
    R = estimator._R_LB
    for block in range(4):
        part = slice(3 * block, 3 * block + 3)
        np.testing.assert_allclose(found[part, part], R.T @ inner.covariance[part, part] @ R)


def test_after_a_reset_it_looks_again_how_the_base_stands():
    estimator = make_estimator(ADAPTIVE, ImuMounting(
        rotations.matrix_from_rpy((0.0, np.pi / 2, 0.0))))
    first = estimated(estimator)
    estimator.reset()
    assert estimator.at(0).level == 'none'
    np.testing.assert_allclose(estimated(estimator).motion.packed, first.motion.packed, atol=1e-9)
