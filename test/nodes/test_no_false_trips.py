"""A heavy sea is no fault of any sensor: nothing is refused, and nothing stops the robot."""

import dataclasses
import re

import pytest
from robot_dynamics.app.demo.processes import ProcessGroup
from robot_dynamics.app.scenarios import MobileScenario, ShipPa10

SEA = {'ship.mode': 'irregular', 'ship.sea_state': 6, 'ship.wave_direction_deg': 90.0}
SECONDS = 60.0
NODES = ('ship_motion_publisher', 'simulated_robot')


def processes(scenario):
    """Return the nodes of a scenario in sea state 6, in lockstep so that load does not count."""
    return [dataclasses.replace(process, parameters={**process.parameters, **SEA})
            if process.name in NODES else process for process in scenario.processes()]


@pytest.mark.slow
@pytest.mark.parametrize('scenario', [
    ShipPa10(lockstep=True, duration=SECONDS, base_distance=10.0),
    MobileScenario(lockstep=True, duration=SECONDS, deck=True)], ids=['arm', 'mobile'])
def test_sea_state_6_is_no_fault_of_a_sensor(ros_domain, tmp_path, scenario):
    with ProcessGroup(processes(scenario), {}, tmp_path) as group:
        group.wait_for('simulated_robot', 1200.0, lambda: None)
    said = (tmp_path / 'feedforward.log').read_text()
    assert '-> active' in said and 'cleared' not in said
    wrong = re.findall(
        r'.*(?:tripped|stopped until|not used|cannot be used|envelope|stale).*', said)
    assert not wrong, wrong
