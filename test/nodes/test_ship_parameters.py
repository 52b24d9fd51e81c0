"""The ships that parameters describe: every mode, the same for publisher and simulated robot."""

import numpy as np
import pytest

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import (
    config_from_parameters, parameter_values)
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.nodes.ship_motion_publisher import ShipPublisherConfig
from robot_dynamics.nodes.ship_parameters import simulation_defaults
from robot_dynamics.nodes.simulated_robot_node import RobotNodeConfig
from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.ship_config import ship_from_parameters
from robot_dynamics.ship.ship_motion import ShipMotion

TIMES = np.linspace(0.0, 60.0, 50)
IRREGULAR = {
    'mode': 'irregular', 'sea_state': 5, 'spectrum': 'jonswap', 'gamma': 2.0, 'ship_speed': 3.0,
    'wave_direction_deg': 150.0, 'heading_deg': 10.0, 'spreading': 4.0, 'components': 80,
    'seed': 7, 'hull.length': 80.0, 'hull.roll_period': 12.0, 'ramp_in': 5.0}


def assert_same(one, other):
    np.testing.assert_array_equal(one.at(TIMES).packed, other.at(TIMES).packed)


def test_the_declared_defaults_of_the_hull_are_its_own():
    assert_same(ship_from_parameters({'mode': 'irregular', 'sea_state': 4}),
                ShipMotion.irregular(4))


def test_an_irregular_sea_by_parameters_is_that_of_the_library():
    ship = ship_from_parameters(IRREGULAR)
    assert_same(ship, ShipMotion.irregular(
        5, spectrum='jonswap', gamma=2.0, ship_speed=3.0, wave_direction=np.deg2rad(150.0),
        heading=np.deg2rad(10.0), spreading=4.0, components=80, seed=7, ramp_in=5.0,
        hull=ClosedFormHull(length=80.0, roll_period=12.0)))


def test_a_table_replaces_the_hull():
    assert_same(
        ship_from_parameters({'mode': 'irregular', 'sea_state': 4, 'rao_table': 'supply_vessel'}),
        ShipMotion.irregular(4, hull='supply_vessel'))
    with pytest.raises(ConfigurationError, match='rao_table'):
        ship_from_parameters({'mode': 'irregular', 'sea_state': 4, 'rao_table': 'supply_vessel',
                              'hull.beam': 20.0})


def test_a_recorded_motion_is_replayed(tmp_path):
    file = tmp_path / 'motion.csv'
    time = np.arange(0.0, 60.0, 0.1)
    file.write_text('time,roll_deg,heave\n' + '\n'.join(
        f'{t:.3f},{5 * np.sin(t):.6f},{0.5 * np.cos(t):.6f}' for t in time))
    ship = ship_from_parameters({'mode': 'recorded', 'file': str(file), 'playback_rate': 2.0})
    assert_same(ship, ShipMotion.recorded(str(file), 2.0, fade=5.0))  # as the page says
    assert np.abs(ship.pose(0.0).position).max() == 0.0
    stepping = ship_from_parameters({'mode': 'recorded', 'file': str(file), 'fade': 0.0})
    assert stepping.pose(0.0).position[2] == pytest.approx(0.5, abs=1e-3)
    assert np.abs(ship.pose(TIMES[:20]).rpy[:, 0]).max() == pytest.approx(np.deg2rad(5), rel=0.01)
    with pytest.raises(ConfigurationError, match='cannot be read'):
        ship_from_parameters({'mode': 'recorded', 'file': str(tmp_path / 'missing.csv')})


def test_a_sea_without_height_is_refused_by_name():
    with pytest.raises(ConfigurationError, match='sea_state or significant_wave_height'):
        ship_from_parameters({'mode': 'irregular'})


@pytest.mark.parametrize('parameters', [simulation_defaults(), {
    f'ship.{name}': value for name, value in IRREGULAR.items()}])
def test_publisher_and_simulated_robot_build_the_same_ship(parameters):
    ships = [config_from_parameters(kind, parameters).ship.ship()
             for kind in (ShipPublisherConfig, RobotNodeConfig)]
    assert_same(*ships)


def test_sinusoids_left_in_the_parameters_do_not_enter_another_mode():
    flat = {name[len('ship.'):]: value for name, value in simulation_defaults().items()
            if name.startswith('ship.')}
    assert_same(ship_from_parameters({**flat, 'mode': 'irregular', 'sea_state': 4}),
                ShipMotion.irregular(4))


def test_angles_of_the_simulated_imu_are_given_in_degrees():
    values = {'gyro_noise_density_deg': 0.01, 'gyro_bias_deg': [0.1, 0.2, -0.3], 'dropout': 0.05}
    config = config_from_parameters(ImuConfig, values)
    assert config.gyro_bias == pytest.approx(np.deg2rad([0.1, 0.2, -0.3]))
    assert config.gyro_noise_density == pytest.approx(np.deg2rad(0.01))
    assert config.dropout == 0.05
    back = parameter_values(config)
    assert back['gyro_bias_deg'] == pytest.approx((0.1, 0.2, -0.3))
    assert config_from_parameters(ImuConfig, {'orientation_noise_deg': 45.0})
    with pytest.raises(ConfigurationError, match='orientation_noise_deg: is 46.0, .* 45 deg'):
        config_from_parameters(ImuConfig, {'orientation_noise_deg': 46.0})
