"""Kernels belong to what a robot is, and not to the object that asked for them first."""

import dataclasses

import pytest

from robot_dynamics import ForwardDynamics, InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive

WHEELS = 'right_wheel_joint', 'left_wheel_joint'


def kernels(model, kind=InverseDynamics, **options):
    return kind(model, backend='interpreted', **options)._formulation


def test_a_robot_that_is_loaded_again_has_the_kernels_of_the_first(pa10, wheeled):
    again = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))
    assert kernels(again) is kernels(pa10) is kernels(pa10, ForwardDynamics)
    platforms = [DifferentialDrive.from_model(wheeled, *WHEELS) for _ in range(2)]
    one, other = (kernels(wheeled, support=platform) for platform in platforms)
    assert platforms[0] is not platforms[1] and one is other


@pytest.mark.parametrize('change', [
    {'method': 'lagrange_euler'}, {'friction': True}, {'rotor_inertia': {'joint2': 0.7}}])
def test_other_options_have_kernels_of_their_own(pa10, change):
    assert kernels(pa10, **change) is not kernels(pa10)


def test_another_robot_has_kernels_of_its_own(pa10, wheeled):
    assert kernels(pa10.with_payload('tool0', 1e-9)) is not kernels(pa10)
    assert kernels(dataclasses.replace(pa10, name='other')) is not kernels(pa10)
    drive = DifferentialDrive.from_model(wheeled, *WHEELS)
    wider = dataclasses.replace(drive, track=drive.track + 1e-9)
    assert kernels(wheeled, support=wider) is not kernels(wheeled, support=drive)


def test_a_payload_is_that_of_one_object(pa10, rng):
    loaded, plain = (InverseDynamics(pa10, backend='interpreted') for _ in range(2))
    state = rng.normal(size=(3, 6))
    before = plain.torque(*state)
    loaded.set_payload('tool0', 3.0)
    assert (plain.torque(*state) == before).all() and (loaded.torque(*state) != before).any()
