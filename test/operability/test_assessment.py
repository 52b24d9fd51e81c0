"""Frequency domain against time domain, and what the assessment answers."""

from dataclasses import replace
import json
import math

import numpy as np
import pytest

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.operability.assessment import (
    allowed_scales, limit_statistics, Mount, Question)
from robot_dynamics.operability.frequency_domain import Ship
from robot_dynamics.operability.limits import deck_limits, effort_limits
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.search import margins, search_base, search_posture
from robot_dynamics.operability.seas import Sea, sea_states
from robot_dynamics.operability.study import assess, check_cell
from robot_dynamics.operability.time_domain import sea_motion
from robot_dynamics.ship.rao import RaoTable
from robot_dynamics.ship.spectra import WaveSpectrum
from selections import some

POSTURE = np.array([[0.0, 0.6, 0.0, 1.2, 0.0, 0.0]])
PLACE = Mount(p_DB=np.array([10.0, 3.0, 5.0]))


@pytest.fixture(scope='module')
def robot(pa10_dynamics):
    return RobotLoads.of_arm(pa10_dynamics)


@pytest.fixture(scope='module')
def question():
    return Question(Ship(RaoTable.supply_vessel()), np.radians([0.0, 90.0, 150.0]))


class Heaving:
    """A hull that follows the surface in heave and nothing else."""

    def transfer(self, frequency, direction, speed):
        answer = np.zeros((6, len(frequency)), complex)
        answer[2] = 1.0
        return answer


class Rolling:
    """A hull that rolls by 0.02 rad a metre in phase with the surface."""

    def transfer(self, frequency, direction, speed):
        answer = np.zeros((6, len(frequency)), complex)
        answer[3] = 0.02
        return answer


def test_a_slow_tilt_pulls_sideways_by_weight_times_angle(robot, pa10):
    """Closed form: a base at the rotation centre that tilts slowly feels m g roll."""
    ask = Question(Ship(Rolling()), np.array([0.0]))
    sea = Sea(2.0, 60.0)  # so long that accelerations are nothing beside g
    limits = deck_limits(pa10.nv, force=1e5)
    result = assess(robot, RobotStates.postures(pa10, POSTURE), limits, Mount(), ask, [sea],
                    periods=[60.0])
    force = {load.name: load for load in result.cells[0][0].loads}['Fy']
    weight = 9.80665 * (pa10.base_inertial.mass + sum(b.inertial.mass for b in pa10.bodies))
    assert force.deviation == pytest.approx(0.02 * 0.5 * weight, rel=0.01)
    assert force.significant == pytest.approx(2 * force.deviation)


def test_heave_loads_the_deck_by_mass_times_acceleration(robot, pa10):
    spectrum = WaveSpectrum(2.0, 8.0)
    ask = Question(Ship(Heaving()), np.array([0.0]))
    result = assess(robot, RobotStates.postures(pa10, POSTURE),
                    deck_limits(pa10.nv, force=1e5), Mount(), ask, [Sea(2.0, 8.0)], periods=[8.0])
    mass = pa10.base_inertial.mass + sum(body.inertial.mass for body in pa10.bodies)
    w = np.linspace(0.4, 8.0, 20001) * spectrum.peak_frequency
    variance = (w**4 * spectrum.density(w)).sum() * (w[1] - w[0])
    force = {load.name: load for load in result.cells[0][0].loads}['Fz']
    assert force.deviation == pytest.approx(mass * math.sqrt(variance), rel=2e-3)
    assert force.mean == pytest.approx(-mass * 9.80665, rel=1e-9)


@pytest.mark.parametrize('heading', some(1, [90.0, 180.0]))
def test_both_domains_agree(robot, pa10, question, heading):
    """At sea state 5: deviations within 3 %, most probable maxima within 7 %."""
    states = RobotStates.postures(pa10, POSTURE)
    check = check_cell(robot, states, 0, robot.linear(states, PLACE.R_DB, PLACE.p_DB),
                       PLACE, question,
                       math.radians(heading), Sea(3.25, 9.7), seeds=5)
    deviation, maximum = check.worst
    assert len(check.loads) >= 4
    assert deviation < 0.03
    assert maximum < 0.07


def test_a_sea_has_the_energy_of_its_spectrum_and_does_not_repeat():
    ship, spectrum = Ship(Heaving()), WaveSpectrum(2.0, 8.0)
    heave = np.concatenate([
        sea_motion(ship, spectrum, 0.0, 3600.0, seed=seed)[:, 2] for seed in range(4)])
    assert 4 * heave.std() == pytest.approx(2.0, rel=0.03)
    half = heave[:18000] * heave[18000:36000]
    assert abs(half.mean()) < 0.1 * heave.var()


def test_speed_shifts_the_waves_to_their_frequency_of_encounter():
    head = sea_motion(Ship(Heaving(), speed=8.0), WaveSpectrum(2.0, 8.0), math.pi, 3600.0)
    still = sea_motion(Ship(Heaving()), WaveSpectrum(2.0, 8.0), math.pi, 3600.0)
    faster = (head[:, 8].std() / head[:, 2].std()) / (still[:, 8].std() / still[:, 2].std())
    assert faster > 1.5  # w + w^2 U / g at 0.8 rad/s


def test_waves_of_the_allowed_height_are_exceeded_with_just_the_allowed_probability(
        robot, pa10, question):
    states = RobotStates.postures(pa10, np.concatenate([POSTURE, 1.4 * POSTURE]))
    limits = effort_limits(pa10)
    statistics = limit_statistics(robot, states, limits, PLACE, question, [Sea(1.0, 9.0)])
    scales = allowed_scales(statistics, question.probability, np.array([500.0]))
    number = statistics.exceedances(scales)
    inside = (scales > 0.0) & (scales < 500.0)
    assert inside.any()
    assert number[inside] == pytest.approx(-math.log(question.probability), rel=1e-6)


def test_a_robot_that_cannot_hold_itself_works_in_no_sea(robot, pa10, question):
    limits = effort_limits(pa10, {'joint2': 5.0})
    result = assess(robot, RobotStates.postures(pa10, POSTURE), limits, PLACE, question,
                    sea_states(2, 3), periods=[8.0])
    assert (result.curves.height == 0.0).all()
    assert result.largest_sea_state(0) is None
    assert not any(cell.keeps for row in result.cells for cell in row)
    assert result.cells[0][0].governing == 'joint2'


def test_a_tighter_limit_allows_lower_waves_and_says_what_limits(robot, pa10, question):
    def height(bound):
        limits = effort_limits(pa10, {'joint1': bound})
        result = assess(robot, RobotStates.postures(pa10, POSTURE), limits, PLACE, question,
                        sea_states(5, 5), periods=[9.0])
        return result.curves.height[1, 0], result.curves.governing[1][0]
    loose, tight = height(3.0), height(1.0)
    assert tight[0] == pytest.approx(loose[0] / 3, rel=0.05)  # joint1 carries nothing at rest
    assert tight[1] == 'joint1'


def test_the_worst_posture_counts(robot, pa10, question):
    limits, seas = effort_limits(pa10), sea_states(4, 4)
    one, other = POSTURE, np.array([[0.0, 1.5, 0.0, 0.0, 0.0, 0.0]])
    separate = [margins(robot, RobotStates.postures(pa10, q), limits, PLACE, question, seas)[0]
                for q in (one, other)]
    result = assess(robot, RobotStates.postures(pa10, np.concatenate([one, other])), limits, PLACE,
                    question, seas, periods=[seas[0].peak_period])
    height = result.curves.height.min()
    assert height == pytest.approx(min(separate) * seas[0].significant_wave_height, rel=1e-6)


def test_causes_are_shares_of_one(robot, pa10, question):
    result = assess(robot, RobotStates.postures(pa10, POSTURE), effort_limits(pa10), PLACE,
                    question, sea_states(4, 4), periods=[9.0])
    for row in result.cells:
        assert sum(row[0].causes.values()) == pytest.approx(1.0)


def test_the_result_is_plain_data(robot, pa10, question):
    result = assess(robot, RobotStates.postures(pa10, POSTURE), effort_limits(pa10), PLACE,
                    question, sea_states(2, 3), check_seeds=1)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data['headings'][1]['heading_deg'] == 90.0
    assert len(data['checks'][0]['loads']) >= 2
    assert data['checks'][0]['agrees'] == result.checks[0].agrees


def test_a_scatter_diagram_gives_the_share_of_the_year(robot, pa10, question):
    seas = [Sea(0.5, 8.0, occurrence=0.7), Sea(9.0, 8.0, occurrence=0.3)]
    limits = effort_limits(pa10, {'joint1': 20.0})
    ask = replace(question, headings=np.array([math.pi / 2]))
    result = assess(robot, RobotStates.postures(pa10, POSTURE), limits, PLACE, ask, seas,
                    periods=[8.0])
    assert result.operability() == pytest.approx(0.7)


def test_the_best_place_is_the_best_of_the_grid(robot, pa10, question):
    states, limits = RobotStates.postures(pa10, POSTURE), effort_limits(pa10)
    seas = sea_states(5, 5)
    x, y, yaw = np.array([0.0, 20.0]), np.array([0.0, 6.0]), np.array([0.0, 90.0])
    found = search_base(robot, states, limits, PLACE, question, seas, x, y, yaw)
    best_x, best_y, best_yaw, margin = found.best
    assert found.margin.shape == (2, 2, 2)
    assert margin == found.margin.max()
    assert best_x == 0.0  # near the rotation centre the ship accelerates least
    one = margins(robot, states, limits, Mount(p_DB=np.array([20.0, 6.0, 5.0])), question, seas)
    assert found.margin[1, 1, 0] == pytest.approx(one[0])


def test_postures_are_tried_within_the_limits_and_come_best_first(robot, pa10, question):
    found = search_posture(robot, effort_limits(pa10), PLACE, question, sea_states(6, 6), 40)
    assert (found.q >= pa10.lower - 1e-12).all() and (found.q <= pa10.upper + 1e-12).all()
    assert (np.diff(found.margin) <= 0.0).all()
    assert found.margin[0] > found.margin[-1]


def test_a_posture_outside_the_limits_is_refused(pa10):
    with pytest.raises(ConfigurationError, match='joint2 at 9 is outside its limits'):
        RobotStates.postures(pa10, np.array([[0.0, 9.0, 0.0, 0.0, 0.0, 0.0]]))


def test_a_trajectory_adds_the_torque_of_its_own_motion(robot, pa10, question, tmp_path):
    time = np.linspace(0.0, 4.0, 81)
    path = tmp_path / 'motion.csv'
    lines = ['time,' + ','.join(pa10.joint_names)]
    lines += [f'{t},0,{0.5 * math.sin(2 * t)},0,0,0,0' for t in time]
    path.write_text('\n'.join(lines))
    states = RobotStates.trajectory(pa10, str(path))
    middle = 20  # t = 1
    assert states.qd[middle, 1] == pytest.approx(math.cos(2.0), abs=1e-3)
    still = robot.linear(states, np.eye(3)).still[middle]
    expected = robot.function(states.q[middle], states.qd[middle], states.qdd[middle], None)
    assert still == pytest.approx(expected)
