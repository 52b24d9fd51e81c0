"""It follows what moves faster than a ship, and is never much worse than holding still."""

import copy
import math

import numpy as np
import pytest

from robot_dynamics.core.kernel_cache import KernelCache
from robot_dynamics.estimation.adaptive import compiling
from robot_dynamics.estimation.estimators import make_estimator, warm_up_estimator
from robot_dynamics.imu.sample import ImuSample, RejectionReason
from selections import some

G = 9.80665
RATE = 100.0
LENGTH = 30.0    # s
SETTLED = 15.0   # s; from then on errors count


def narrow_band(period, amplitude, seed):
    """Roll of a hundred waves around a period, (T, 3): angle, rate, acceleration; own code."""
    rng = np.random.default_rng(seed)
    t = np.arange(0.0, LENGTH + 2.0, 1.0 / RATE)
    w = 2 * math.pi / period * (1.0 + 0.1 * rng.standard_normal(40))
    a = amplitude * math.sqrt(2.0 / 40) * np.exp(2j * math.pi * rng.random(40))
    waves = a[:, None] * np.exp(1j * w[:, None] * t)
    return np.stack([waves.sum(axis=0).real, (1j * w[:, None] * waves).sum(axis=0).real,
                     (-(w**2)[:, None] * waves).sum(axis=0).real], axis=1)


MOTIONS = {
    '0.5 s': lambda: narrow_band(0.5, 0.035, 1),
    '1.0 s': lambda: narrow_band(1.0, 0.035, 2),
    '2.0 s': lambda: narrow_band(2.0, 0.05, 3),
    'swell with a ripple': lambda: narrow_band(6.0, 0.04, 4) + narrow_band(0.8, 0.005, 5),
}


def sample(k, roll, rng, orientation=9e-4):
    """Return what an IMU says; ``orientation``: noise of its angle, rad."""
    angle, rate = roll[:2]
    noisy = angle + orientation * rng.standard_normal()
    force = (0.0, G * math.sin(angle), G * math.cos(angle))
    return ImuSample(
        k * 10_000_000,
        (rate + 3.5e-4 * rng.standard_normal(), *(3.5e-4 * rng.standard_normal(2))),
        tuple(force + 0.02 * rng.standard_normal(3)),
        (math.sin(noisy / 2), 0.0, 0.0, math.cos(noisy / 2)))


def run(name, motion, ahead=1.0, said=sample):
    """Return errors of acceleration now and of tilt ahead, stated deviations, and the truth."""
    rng = np.random.default_rng(9)
    estimator = make_estimator(name)
    now, later, stated, kept = [], [], [], []
    steps = round(ahead * RATE)
    for k in range(int(LENGTH * RATE)):
        estimator.update(said(k, motion[k], rng))
        if k < SETTLED * RATE or k % 10:
            continue
        estimate = estimator.at(k * 10_000_000)
        now.append(estimate.motion.angular_acceleration[0] - motion[k, 2])
        stated.append(math.sqrt(estimate.covariance[3, 3]))
        gravity = estimator.at(round((k + steps) * 1e7)).motion.gravity
        later.append(math.atan2(-gravity[1], -gravity[2]) - motion[k + steps, 0])
        kept.append(k)
    return (np.array(now), np.array(later), np.array(stated), motion[kept], motion[
        np.array(kept) + steps, 0])


@pytest.mark.parametrize('name', some(2, sorted(MOTIONS)))
def test_a_fast_base_is_followed_and_never_worse_than_held(name):
    motion = MOTIONS[name]()
    now, later, stated, truth, coming = run('adaptive', motion)
    signal = motion[:, 2].std()
    held = coming - truth[:, 0]
    assert np.sqrt((now**2).mean()) < 0.25 * signal
    assert np.sqrt((later**2).mean()) < 1.1 * np.sqrt((held**2).mean())
    assert np.mean(np.abs(now) < 1.96 * stated) > 0.7


@pytest.mark.parametrize('name', some(1, ['1.0 s', '0.5 s']))
def test_a_narrow_band_is_followed_to_a_hundredth_once_it_is_learned(name):
    """Equations that mix samples of two instants err by three times as much."""
    motion = MOTIONS[name]()
    now = run('adaptive', motion)[0][-50:]  # five seconds
    assert np.sqrt((now**2).mean()) < 0.008 * motion[:, 2].std()


def exact(k, roll, rng):
    return sample(k, roll, rng, orientation=0.0)


def behind(k, roll, rng):
    """Return exact angles of one sample ago, about."""
    return sample(k, (roll[0] - 0.01 * roll[1], *roll[1:]), rng, orientation=0.0)


def test_angles_without_noise_tell_rates_better_than_the_gyro_unless_both_disagree():
    motion = MOTIONS['2.0 s']()
    by_gyro, by_slopes, late = (np.sqrt((run('adaptive', motion, said=said)[0]**2).mean())
                                for said in (sample, exact, behind))
    assert by_slopes < 0.3 * by_gyro
    assert late < 1.1 * by_gyro


def test_one_swapped_pair_of_samples_is_refused_and_forgets_nothing():
    motion, rng = MOTIONS['2.0 s'](), np.random.default_rng(1)
    estimator = make_estimator('adaptive')
    for k in range(1500):
        estimator.update(sample(k, motion[k], rng))
    estimator.update(sample(1501, motion[1501], rng))
    late = estimator.update(sample(1500, motion[1500], rng))
    assert late is not None and late.reason is RejectionReason.OUT_OF_ORDER
    assert estimator.resets == 0
    found = estimator.at(1501 * 10_000_000).motion.angular_acceleration[0]
    assert abs(found - motion[1501, 2]) < 0.3 * motion[:, 2].std()


def test_what_is_answered_stays_below_twice_the_largest_there_was():
    """Through losses, spikes and a frozen sensor."""
    motion, rng = MOTIONS['1.0 s'](), np.random.default_rng(2)
    estimator = make_estimator('adaptive')
    largest = 2.0 * np.abs(motion[:, 2]).max()
    for k in range(2800):
        frozen = 1500 <= k < 1600
        if rng.random() < 0.2 or 2000 <= k < 2080:
            continue
        taken = sample(k, motion[1500 if frozen else k], rng)
        if k % 400 == 399:
            taken = ImuSample(taken.stamp_ns, (50.0, 0.0, 0.0), taken.linear_acceleration,
                              taken.orientation_xyzw)
        estimator.update(taken)
        if k > 300:
            found = estimator.at(k * 10_000_000).motion.angular_acceleration
            assert np.isfinite(found).all() and abs(found[0]) < largest


def test_nothing_is_compiled_after_warm_up(monkeypatch):
    warm_up_estimator('adaptive')
    saved = []
    monkeypatch.setattr(KernelCache, 'save_overload', lambda *_: saved.append(1))
    motion, rng = MOTIONS['2.0 s'](), np.random.default_rng(3)
    estimator = make_estimator('adaptive')
    for k in range(600):
        estimator.update(sample(k, motion[k], rng))
        estimator.at(k * 10_000_000 + 3_000_000)
    assert not saved


def test_a_copy_goes_on_as_the_estimator_itself():
    motion, rng = MOTIONS['1.0 s'](), np.random.default_rng(4)
    taken = [sample(k, motion[k], rng) for k in range(1200)]
    estimator = make_estimator('adaptive')
    for one in taken[:600]:
        estimator.update(one)
    copied = copy.deepcopy(estimator)
    for one in taken[600:]:
        estimator.update(one)
    for one in taken[600:]:
        copied.update(one)
    assert np.array_equal(copied.at(12_000_000_000).motion.packed,
                          estimator.at(12_000_000_000).motion.packed)
    assert copied.vibration == estimator.vibration


@pytest.mark.parametrize('jump', [0.1, -0.12])
def test_a_rate_that_jumps_is_passed_to_slowly(jump):
    """In a second, as an offset: that of a gyro whose sign changes is found before."""
    motion, rng = narrow_band(6.0, 0.05, 5), np.random.default_rng(6)
    estimator, largest = make_estimator('adaptive'), np.abs(motion[:, 2]).max()
    for k in range(1520):
        rate = motion[k, 1] + (jump if k >= 1500 else 0.0)
        estimator.update(sample(k, (motion[k, 0], rate), rng))
        if k >= 1500:
            found = estimator.at(k * 10_000_000).motion.angular_acceleration[0]
            assert abs(found - motion[k, 2]) < 1.2 * abs(jump) + 0.2 * largest


def test_vibration_that_is_left_out_is_in_the_stated_error():
    """A motor of 10 Hz turns the base by 0.01 deg: nine tenths of the angular acceleration."""
    t, w = np.arange(0.0, LENGTH + 2.0, 1.0 / RATE), 20 * math.pi
    turn = math.radians(0.01)
    ripple = np.stack([turn * np.sin(w * t), turn * w * np.cos(w * t),
                       -turn * w * w * np.sin(w * t)], axis=1)
    swell = narrow_band(6.0, 0.04, 4)
    rng, estimator, held, errors = np.random.default_rng(9), make_estimator('adaptive'), [], []
    for k in range(int(LENGTH * RATE)):
        estimator.update(sample(k, (swell + ripple)[k], rng))
        if k > SETTLED * RATE and k % 7 == 0:
            estimate = estimator.at(k * 10_000_000)
            found = estimate.motion.angular_acceleration[0]
            errors.append(found - swell[k, 2])
            held.append(abs(errors[-1] - ripple[k, 2]) < 1.96 * math.sqrt(
                estimate.covariance[3, 3]))
    assert np.mean(held) > 0.9
    assert np.std(errors) < 0.05 * ripple[:, 2].std()


@pytest.mark.parametrize('name', some(1, ['1.0 s', 'swell with a ripple']))
def test_stated_errors_hold_from_the_first_seconds_on(name):
    motion, held = MOTIONS[name](), []
    for begin in range(0, 2000, 500):
        rng, estimator = np.random.default_rng(begin), make_estimator('adaptive')
        for k in range(begin, begin + 1000):
            estimator.update(sample(k, motion[k], rng))
            if k - begin > 20 and k % 7 == 0:
                estimate = estimator.at(k * 10_000_000)
                error = estimate.motion.angular_acceleration[0] - motion[k, 2]
                held.append(abs(error) < 1.96 * math.sqrt(estimate.covariance[3, 3]))
    assert 0.9 < np.mean(held) <= 0.995


@pytest.mark.parametrize('rate', [30.0, 47.0, 100.0, 400.0])
def test_nothing_is_worked_out_for_a_sensor_s_rate_when_it_comes(rate, monkeypatch):
    """The constants of a grid cost tens of milliseconds, which a controller has not."""
    warm_up_estimator('adaptive')
    monkeypatch.setattr(compiling, 'design', None)
    rng, estimator = np.random.default_rng(3), make_estimator('adaptive')
    for stamp in np.cumsum(1e9 / rate * (1.0 + 0.1 * rng.standard_normal(40))).astype(int):
        estimator.update(ImuSample(int(stamp), (0.01, 0.0, 0.0), (0.0, 0.0, G),
                                   (0.0, 0.0, 0.0, 1.0)))
    assert estimator.at(int(stamp)).covariance[3, 3] > 0.0
