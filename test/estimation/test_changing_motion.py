"""A calm is a calm, and a motion that begins after it is followed by what is measured."""

import math

import numpy as np
import pytest

from robot_dynamics.estimation.estimators import make_estimator
from robot_dynamics.imu.sample import ImuSample
from selections import some

DT, G = 0.01, 9.80665
GYRO, FORCE, ANGLE = 3.5e-4, 0.02, 9e-4  # rad/s, m/s^2 and rad of noise
UP, RATE = 8, 0  # of the packed motion


def answers(motion, end, seed):
    """Return instants and what is said of each; ``motion(t)``: angle, rate, acceleration up."""
    rng, estimator, said = np.random.default_rng(seed), make_estimator('adaptive'), []
    for k in range(round(end / DT)):
        angle, rate, up = motion(k * DT)
        reported = angle + ANGLE * rng.standard_normal()
        force = np.array([0.0, math.sin(angle), math.cos(angle)]) * (G + up)
        estimator.update(ImuSample(
            round(k * DT * 1e9), tuple(GYRO * rng.standard_normal(3) + (rate, 0.0, 0.0)),
            tuple(force + FORCE * rng.standard_normal(3)),
            (math.sin(reported / 2), 0.0, 0.0, math.cos(reported / 2))))
        said.append(estimator.at(round(k * DT * 1e9)).motion.packed)
    return DT * np.arange(len(said)), np.array(said)


@pytest.mark.parametrize('seed', some(1, [1, 2, 3]))
def test_a_heave_that_begins_after_a_calm_is_felt_at_once(seed):
    begin = 20.0

    def heaves(t):
        calm = 0.08 * math.sin(0.9 * t)
        return 0.0, 0.0, calm - 0.35 * (1.0 - math.cos(math.pi * max(0.0, t - begin)))
    t, said = answers(heaves, begin + 1.5, seed)
    after = t > begin + 0.3
    errors = said[after, UP] - [heaves(instant)[2] for instant in t[after]]
    assert np.abs(errors).max() < 0.08  # of 0.7 m/s^2


@pytest.mark.parametrize('seed, period', some(1, [(1, 2.0), (2, 2.0), (3, 6.0), (4, 6.0)]))
def test_a_roll_that_begins_after_a_calm_turns_as_fast_as_the_gyro_measures(seed, period):
    begin, w, most = 20.0, 2.0 * math.pi / period, 0.06

    def rolls(t):
        t = max(0.0, t - begin)
        s = math.sin(min(w * t, math.pi / 2))**2  # it starts softly, within a quarter period
        rising = w * math.sin(2.0 * w * t) if w * t < math.pi / 2 else 0.0
        angle, rate = most * (1.0 - math.cos(w * t)), most * w * math.sin(w * t)
        return angle * s, rate * s + angle * rising, 0.0
    t, said = answers(rolls, begin + 3.0, seed)
    errors = said[:, RATE] - [rolls(instant)[1] for instant in t]
    assert np.abs(errors[t > begin]).max() < 0.15 * most * w


@pytest.mark.parametrize('seed', some(1, [1, 2, 3, 4]))
def test_a_base_that_does_not_heave_is_not_said_to(seed):
    def rolls(t):
        return 0.2 * math.sin(0.7 * t), 0.14 * math.cos(0.7 * t), 0.0
    t, said = answers(rolls, 45.0, seed)
    assert np.sqrt(np.mean(said[t > 20.0, UP]**2)) < 0.02 * FORCE
