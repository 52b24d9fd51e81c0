"""A joint velocity that lies is contradicted by the positions, and moves the effort little."""

from control_rig import MS, PERIOD, Rig
from imu_stream import NOISE
import numpy as np
import pytest

from robot_dynamics.control.feedforward import TRIPPED
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.joint_checks import joint_checks, JointChecks, JointPositions
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.simulation.motions import demo_sinusoid
from selections import some

AMPLITUDE, RATE = 0.1, 1.5  # rad, rad/s: what the arm does
BEGIN = 0.8                 # s


class MovingRig(Rig):
    """An arm that follows its reference exactly, whose joint states may lie."""

    def __init__(self, model, dynamics, period=PERIOD):
        super().__init__(model, dynamics, natural_frequency=(15.0,), ramp=RampConfig(ramp_in=0.2))
        self.period, self.middle, self.lie = period, self.posture, lambda k, q, v: (q, v)
        self._since = None

    def motion(self, stamp_ns):
        """Return position, velocity, acceleration (3, 6) at a stamp."""
        t = (stamp_ns - self.epoch) * 1e-9
        s, c = np.sin(RATE * t), np.cos(RATE * t)
        one = np.ones(6)
        return np.array([self.middle + AMPLITUDE * s * one, AMPLITUDE * RATE * c * one,
                         -AMPLITUDE * RATE**2 * s * one])

    def step(self):
        """Go on by one period; returns the command."""
        now = self.now
        if (now - self.epoch) % (300 * MS) == 0:
            times = np.arange(0.0, 2.0, 0.02)
            points = np.array([self.motion(now + int(1e9 * t)) for t in times])
            self.core.on_reference(JointTrajectory(
                self.names, times, *points.transpose(1, 0, 2), start_ns=now), now)
        if (now - self.epoch) % (10 * MS) == 0:
            self.core.on_base_sample(self.sample(now), now)
        q, v, _ = self.motion(now)
        begin = round(BEGIN * 1e9) + self.epoch
        if now >= begin:
            q, v = self.lie((now - begin) // self.period, q, v)
        self.core.on_joint_state(now, now, self.names, q, v, np.zeros(6))
        command = self.core.command(now)
        self.commands.append(command)
        self.now += self.period
        return command


def run(pa10, dynamics, lie, period):
    """Return a rig after a lie."""
    rig = MovingRig(pa10, dynamics, period)
    rig.lie = lie
    while rig.now < rig.epoch + round((BEGIN + 0.5) * 1e9):
        rig.step()
    return rig


@pytest.fixture(scope='module')
def error_of(pa10, pa10_dynamics):
    """Return what makes a rig after a lie and the largest error, of the limit, until a stop."""
    honest = {}

    def made(lie, period=PERIOD):
        if period not in honest:
            honest[period] = run(pa10, pa10_dynamics, lambda k, q, v: (q, v), period)
        rig = run(pa10, pa10_dynamics, lie, period)
        apart = [np.abs(a.effort - b.effort) / pa10.effort_limit
                 for a, b in zip(rig.commands, honest[period].commands)
                 if a is not None and a.state in ('active', 'holding')]
        return rig, float(np.max(apart))
    return made


def offset(size, joint=1):
    """Return a lie of a velocity that is off."""
    return lambda k, q, v: (q, v + size * (np.arange(6) == joint))


@pytest.mark.parametrize('period', [2 * MS, 5 * MS])
@pytest.mark.parametrize('size', [0.1, 0.3, -0.6, 1.9])
def test_a_velocity_that_is_off_errs_by_a_tenth_of_the_limit_and_one_that_matters_stops_the_arm(
        error_of, period, size):
    rig, error = error_of(offset(size), period)
    assert error <= 0.10 + 0.003  # of the limiter, and what the motion takes meanwhile
    if abs(size) >= 0.3:
        assert rig.core.state == TRIPPED and 'velocity' in rig.core.trip.text
        assert (rig.core.trip.stamp_ns - rig.epoch) * 1e-9 - BEGIN <= 0.5


@pytest.mark.parametrize('period', [2 * MS, 5 * MS, 10 * MS])  # the last: no rate limit helps
@pytest.mark.parametrize('size', some(2, [0.3, 1000.0, -0.5, 1.9]))
def test_one_velocity_that_is_off_moves_the_effort_by_a_twentieth_of_the_limit_and_stops_nothing(
        error_of, period, size):
    rig, error = error_of(
        lambda k, q, v: offset(size)(k, q, v) if k == 0 else (q, v), period)
    assert error <= 0.05
    assert {command.state for command in rig.commands[-50:]} == {'active'}


@pytest.mark.parametrize('lie', [
    lambda k, q, v: (q, 0.0 * v), lambda k, q, v: (q, -v),
    lambda k, q, v: (q, np.degrees(v))], ids=['dead', 'opposite', 'deg/s'])
def test_a_velocity_that_is_dead_or_inverted_or_in_degrees_errs_by_a_tenth(
        error_of, lie):
    _, error = error_of(lie)
    assert error <= 0.10


@pytest.mark.parametrize('period', [2 * MS, 5 * MS])
def test_joint_states_that_are_frozen_err_by_a_tenth_and_stop_the_arm(
        error_of, period):
    held = []

    def frozen(k, q, v):
        held.append((q, v))
        return held[0]
    rig, error = error_of(frozen, period)
    assert error <= 0.10
    assert rig.core.state == TRIPPED
    assert (rig.core.trip.stamp_ns - rig.epoch) * 1e-9 - BEGIN <= 0.5


@pytest.mark.parametrize('lasting', [False, True])
@pytest.mark.parametrize('jump', [0.02, 0.1])
def test_a_jump_that_no_velocity_explains_moves_no_effort(error_of, jump, lasting):
    def slipped(k, q, v):
        return (q + jump * (np.arange(6) == 1), v) if lasting or k == 0 else (q, v)
    rig, error = error_of(slipped)
    assert error <= 0.03  # while the effort is held the motion goes on
    assert (rig.core.state == TRIPPED) == lasting


def check():
    return JointChecks(('a', 'b'), ('rad', 'm'), drift=3e-3)


@pytest.mark.parametrize('delay', [0.0, 0.01])
@pytest.mark.parametrize('quantum', [0.0, 1e-4, 1.5e-3])
@pytest.mark.parametrize('period', [0.001, 0.002, 0.008])
def test_an_honest_sensor_is_not_refused_though_late_coarse_and_jittering(
        period, quantum, delay):
    judged, random = check(), np.random.default_rng(3)
    times = np.arange(0.0, 5.0, period) + 0.2 * period * random.random(round(5.0 / period))
    for t in times:
        q = 0.5 * np.sin(3.0 * t) * np.ones(2)
        v = 1.5 * np.cos(3.0 * (t - delay)) * np.ones(2)
        if quantum:
            q = quantum * np.round(q / quantum)
        stamp = round(1e9 * (t + 0.1 * period * random.random()))
        finding = judged.examine(JointPositions(stamp, q, v))
        assert finding is None or finding.check != 'velocity_agreement'
        assert np.abs(judged.correction).max() <= 0.1


def test_messages_that_pause_or_are_lost_are_no_disagreement():
    judged, random, t = check(), np.random.default_rng(4), 0.0
    for _ in range(2000):
        t += random.choice([0.002, 0.004, 0.03, 0.08, 0.5], p=[0.8, 0.1, 0.05, 0.04, 0.01])
        q, v = 0.5 * np.sin(2.0 * t) * np.ones(2), np.cos(2.0 * t) * np.ones(2)
        assert judged.examine(JointPositions(round(1e9 * t), q, v)) is None


def aged(judged, period, age_of, cycles=400):
    """Return where joint states that are age_of(k) old, in s, are refused."""
    refused = []
    for k in range(cycles):
        t = k * period - age_of(k)
        if judged.examine(JointPositions(
                1 + round(1e9 * k * period), 0.4 * np.sin(3.0 * t) * np.ones(2),
                1.2 * np.cos(3.0 * t) * np.ones(2))) is not None:
            refused.append(k)
    return refused


@pytest.mark.parametrize('frozen', [2, 3, 4, 6, 8])
@pytest.mark.parametrize('period', [0.002, 0.005])
def test_joint_states_that_freeze_for_a_moment_and_catch_up_are_used_again(period, frozen):
    for begin in (100, 110, 120, 130, 140, 190, 200, 210):  # at different speeds
        refused = aged(check(), period, lambda k: 0.002 + period * (
            k - begin + 1 if begin <= k < begin + frozen else 0))
        assert not refused or max(refused) < begin + frozen + 0.04 / period


def longest_refusal(cycles, refused, period):
    """Return how long joint states were refused in a row at most, s."""
    used = [-1, *sorted(set(range(cycles)) - set(refused)), cycles]
    return (np.diff(used).max() - 1) * period


@pytest.mark.parametrize('late', [0.02, 0.03, 0.05])
@pytest.mark.parametrize('period', [0.002, 0.005])
def test_joint_states_that_stay_late_and_catch_up_long_after_are_used_again(period, late):
    for begin in np.arange(0.5, 2.5, 0.13):  # at different speeds
        def age_of(k):
            since = k * period - begin
            return 0.002 + (min(since, late) if 0.0 < since < 0.6 else 0.0)
        refused = aged(check(), period, age_of, int(4.0 / period))
        assert longest_refusal(int(4.0 / period), refused, period) < late + 0.1


@pytest.mark.parametrize('seed', range(4))
def test_a_machine_that_misses_cycles_again_and_again_makes_no_sensor_fault(pa10, seed):
    config, motion = FeedforwardConfig(), demo_sinusoid(pa10.joint_names)
    random = np.random.default_rng(seed)
    judged = joint_checks(pa10, config.joint_checks)
    used, late, frozen, lost, longest = 0.0, 0.0, 0, 0, 0.0
    for t in np.arange(1, 6000) * 0.005:
        frozen, lost = max(frozen - 1, 0), max(lost - 1, 0)
        if frozen:
            late += 0.005
        elif random.random() < 0.05 or late > 0.06:  # it catches up with some of it
            late = max(late - 0.005 * random.integers(1, 6), 0.0)
        if not frozen and late < 0.04 and random.random() < 0.03:
            frozen = int(random.integers(1, 12))
        if not lost and random.random() < 0.03:
            lost = int(random.integers(1, 8))
        if lost:
            continue
        state = motion.sample(max(t - late, 0.0))
        if judged.examine(JointPositions(
                round(1e9 * t), state.position, state.velocity)) is None:
            used = t
        longest = max(longest, t - used)
    assert longest < config.trips.sensor_time


@pytest.mark.parametrize('period', [0.002, 0.005])
def test_a_driver_whose_clock_drifts_against_that_of_its_messages_is_no_disagreement(period):
    random = np.random.default_rng(6)
    ages = period * (0.25 + np.repeat(random.integers(0, 2, 40), 10) + 0.25 * random.random(400))
    assert not aged(check(), period, lambda k: ages[k])


def test_what_is_found_has_value_bound_and_unit():
    judged = check()
    judged.examine(JointPositions(1, np.zeros(2), np.zeros(2)))
    finding = judged.examine(JointPositions(2 * MS, np.array([0.0, 0.02]), np.zeros(2)))
    assert finding.value == pytest.approx(0.02) and 3e-3 < finding.bound < 4e-3
    assert finding.unit == 'm' and 'joint b' in finding.text


def test_a_machine_that_is_too_busy_trips_nothing(pa10, pa10_dynamics):
    rig, random, waiting = MovingRig(pa10, pa10_dynamics, 5 * MS), np.random.default_rng(5), 0
    rig.sensor = ImuModel(ImuConfig(seed=1, **NOISE))
    states = set()
    for _ in range(3000):
        waiting = waiting - 1 if waiting else int(
            random.choice([0, 3, 12, 25, 60], p=[0.9, 0.05, 0.03, 0.015, 0.005]))
        if waiting > 2 and random.random() < 0.7:  # what comes meanwhile is lost, or read late
            rig.now += rig.period
            continue
        states.add(rig.step())
    assert rig.core.trip is None
    assert {'active', 'holding', 'ramping_to_gravity'} <= {
        command.state for command in states if command is not None}


@pytest.mark.parametrize('value', [np.inf, -np.inf, 1e300])
def test_a_velocity_that_no_joint_can_have_leaves_no_trace(value):
    checks = [JointChecks(['a'], ['rad'], drift=0.01) for _ in range(2)]
    for k in range(200):
        q, v = np.array([np.sin(0.01 * k)]), np.array([np.cos(0.01 * k)])
        for check, wrong in zip(checks, (value, v[0])):
            seen = np.array([wrong]) if 50 <= k < 60 else v
            found = check.examine(JointPositions(10 * MS * (k + 1), q, seen))
            assert found is None or k < 60
    hit, spared = checks
    assert np.isfinite(hit.correction).all()
    assert hit.correction == pytest.approx(spared.correction, abs=1e-12)
    slipped = JointPositions(10 * MS * 201, q + 0.5, v)
    assert hit.examine(slipped) is not None


@pytest.mark.parametrize('silence', [0.1, 0.25, 0.4, 0.5])
@pytest.mark.parametrize('begin', np.arange(1.0, 5.0, 0.37))
@pytest.mark.parametrize('slip, found', [(0.0, 0), (1.0, 200)])
def test_a_slip_in_a_silence_of_half_a_second_is_found_and_no_motion_is(
        silence, begin, slip, found):
    check, findings = JointChecks(('a',), ('rad',), drift=3e-3), []
    for k in range(round(begin / 0.005) + 200):
        t = 0.005 * k + (silence if 0.005 * k > begin else 0.0)
        findings.append(check.examine(JointPositions(
            round(1e9 * t), np.array([0.5 * np.sin(RATE * t) + (slip if t > begin else 0.0)]),
            np.array([0.5 * RATE * np.cos(RATE * t)]))))
    assert sum(finding is not None for finding in findings) == pytest.approx(found, abs=1)
