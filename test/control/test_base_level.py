"""What the base motion rests on is told, and a change of it does not make the effort step."""

import dataclasses

from control_rig import GENTLE, MS, Rig
import numpy as np
import pytest

from robot_dynamics.control.delays import DelayMeter
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import ACTIVE, FeedforwardCore
from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.estimation.estimators import ESTIMATORS, make_estimator
from robot_dynamics.imu.sample import NOT_REPORTED
from robot_dynamics.ship.ship_motion import ShipMotion

LOST = {
    'gyro': ('linear_acceleration_covariance',),
    'orientation': ('linear_acceleration_covariance', 'angular_velocity_covariance')}
HEAVING = ShipMotion.irregular(5, seed=2)


class PoorerRig(Rig):
    """A rig whose sensor can lose what it reports."""

    def __init__(self, *arguments, estimator='adaptive', **config):
        super().__init__(*arguments, **config)
        self.core = FeedforwardCore(self.config, self.core.dynamics,
                                    make_estimator(estimator))
        self.lost = ()

    def sample(self, stamp_ns):
        return dataclasses.replace(
            super().sample(stamp_ns), **{field: NOT_REPORTED for field in self.lost})


@pytest.fixture(scope='module', params=ESTIMATORS)
def settled(request, pa10, pa10_dynamics):
    """Return a rig that has run for a while."""
    rig = PoorerRig(pa10, pa10_dynamics, ship=HEAVING, estimator=request.param)
    rig.run(6.0)
    return rig


@pytest.mark.parametrize('level', LOST)
def test_a_fall_to_a_lower_level_is_told_once_and_makes_no_step(settled, level):
    rig = settled.copied()
    assert rig.core.base_level == 'full'
    rig.commands.clear()
    rig.lost = LOST[level]
    rig.run(2.0)
    assert rig.core.base_level == rig.core.status(rig.now)['base_level'] == level
    changes = [event for event in rig.events if event.kind is EventKind.BASE_LEVEL_CHANGED]
    assert len(changes) == 1 and changes[0].severity == 'warning'
    assert f'from level full to {level}' in changes[0].text
    assert rig.largest_step() < 0.5 * GENTLE
    assert rig.core.state == ACTIVE
    rig.lost = ()
    rig.run(2.0)
    assert rig.core.base_level == 'full'
    assert rig.events[-1].severity == 'info' or rig.core.state == ACTIVE
    assert rig.largest_step() < 0.5 * GENTLE


def test_a_level_that_flickers_does_not_hold_the_effort(pa10, pa10_dynamics):
    steady, flickers = (PoorerRig(pa10, pa10_dynamics) for _ in range(2))
    for rig in (steady, flickers):
        rig.run(4.0)
    for k in range(400):
        flickers.lost = LOST['gyro'] if k // 5 % 2 else ()
        flickers.step()
        steady.step()
    share = np.abs(flickers.commands[-1].effort - steady.commands[-1].effort) / pa10.effort_limit
    assert share.max() < 0.02
    assert flickers.largest_step() < GENTLE


def test_an_unknown_estimator_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match='adaptive'):
        make_estimator('kalman')


def test_a_delay_meter_finds_mean_and_scatter():
    random = np.random.default_rng(3)
    meter = DelayMeter()
    for delay in random.uniform(0.004, 0.006, 2000):
        meter.note(int(1e9 * delay))
    assert meter.mean == pytest.approx(0.005, rel=0.03)
    assert meter.deviation == pytest.approx(0.002 / np.sqrt(12), rel=0.15)
    meter.note(-5 * MS)
    assert meter.mean < 0.005 + 1e-4
    meter.reset()
    assert meter.mean == meter.deviation == 0.0


def test_one_long_pause_counts_no_more_than_the_longest_delay():
    meter = DelayMeter(longest=0.002)
    for _ in range(200):
        meter.note(300_000)
    meter.note(500 * MS)
    assert meter.mean < 0.00032


def test_the_time_to_publish_moves_the_instant_for_which_efforts_are_computed(
        pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, actuation_delay=0.002)
    command = rig.run(1.5)
    assert command.acts_at_ns - command.stamp_ns == 3 * MS  # delay and half of the hold
    for _ in range(50):
        rig.core.published(rig.now, rig.now + 400_000)
        command = rig.step()
    assert command.acts_at_ns - command.stamp_ns == pytest.approx(3.4 * MS, abs=100)
    assert rig.core.status(rig.now)['computation_delay'] == pytest.approx(4e-4)


def test_the_delay_of_the_samples_is_measured_from_their_stamps(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    for k in range(100):
        stamp = rig.now + 10 * MS * k
        rig.core.on_base_sample(rig.sample(stamp), stamp + (4 + k % 3) * MS)
    status = rig.core.status(rig.now)
    assert status['base_motion_delay'] == pytest.approx(0.005, rel=0.02)
    assert status['base_motion_jitter'] == pytest.approx(np.sqrt(2 / 3) * 1e-3, rel=0.05)
