"""An arm on a platform that drives is learned as any arm on a base that moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from robot_dynamics.core.resources import resource_path
from robot_dynamics.identification.identify import identify
from robot_dynamics.model.robot_model import Inertial, RobotModel

pytest.importorskip('clarabel', reason='the solver is an extra')


def test_an_arm_on_wheels_is_learned_from_the_imu_of_its_platform(repository):
    arm = RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'), tip_link='tool0')
    wrong = replace(arm, bodies=tuple(replace(body, inertial=Inertial(
        1.2 * body.inertial.mass, body.inertial.com, 1.2 * body.inertial.inertia))
        for body in arm.bodies))
    result = identify(repository / 'test/replay/data/mobile_manipulator.mcap', wrong)
    assert result.training.base_known
    assert result.validation.relative('described') > 0.15
    assert result.validation.relative('identified') < 0.01
