"""
Slow adaptation in the closed loop, on an arm that the model does not know.

With ``-s`` the figures are shown.
"""

import dataclasses

import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.control.feedforward import ACTIVE
from robot_dynamics.simulation.closed_loop import ClosedLoop, run_closed_loop
from robot_dynamics.simulation.demo_feedforward import DEMO_DRIVES
from robot_dynamics.simulation.motions import paper_sinusoid
from robot_dynamics.simulation.simulated_robot import SimulatedRobotConfig

ROTORS = (0.75, 0.75, 0.2125, 0.00575, 0.00575, 0.00575)  # kg m^2, config/ship_pa10.yaml
LEARNED = 15.0  # s
PUSHED, RELEASED, END = 15.5, 17.5, 19.0


def push(time):
    """Return 20 Nm of a person at the first joint, for two seconds."""
    rise = np.clip((time - PUSHED) / 0.2, 0.0, 1.0) * np.clip((RELEASED - time) / 0.2, 0.0, 1.0)
    return np.array([20.0 * rise, 0.0, 0.0, 0.0, 0.0, 0.0])


def run(pa10, pushed=False, **feedforward):
    """Run the demo's arm: 10 % heavier, 30 % more friction than the feedforward believes."""
    arm = pa10.with_rotor_inertia(dict(zip(pa10.joint_names, ROTORS)))
    believes = dataclasses.replace(DEMO_DRIVES, **feedforward)
    loop = ClosedLoop(believes, SimulatedRobotConfig(
        friction=True, rotor_inertia=True, friction_error_percent=30.0, mass_error_percent=10.0),
        duration=END)
    commands = []
    result = run_closed_loop(arm, ShipMotion.regular(), loop, paper_sinusoid(),
                             watch=commands.append, push=push if pushed else None)
    assert commands[-1].state == ACTIVE
    return result


def overall(result, begin, end=END):
    """Return the RMS over all joints, mrad."""
    return 1e3 * np.sqrt(np.mean(result.error_rms(begin, end)**2))


@pytest.fixture(scope='module')
def runs(pa10):
    learns = {'adaptation': 'friction_and_payload'}
    return {'plain': run(pa10), 'plain pushed': run(pa10, True),
            'learning': run(pa10, **learns), 'learning pushed': run(pa10, True, **learns),
            'fixed': run(pa10, base_motion='fixed', **learns)}


def moved(runs, kind):
    """Return what the push moved the joints, mrad, (T, 6)."""
    return 1e3 * np.abs(runs[f'{kind} pushed'].position - runs[kind].position)


def told(values):
    """Return values by name as text."""
    return ', '.join(f'{name} {value:.1f}' for name, value in values.items())


@pytest.mark.slow
def test_fifteen_seconds_teach_what_the_arm_is(runs):
    before, after = overall(runs['plain'], 2.5), overall(runs['learning'], LEARNED)
    print(f'\ntracking without adaptation {before:.1f} mrad, after 15 s of it {after:.2f} mrad')
    assert before > 100.0
    assert after <= 5.0


@pytest.mark.slow
def test_what_was_learned_does_not_stand_in_for_the_base(runs):
    fixed = overall(runs['fixed'], LEARNED)
    print(f'\nthe same with a base that is believed fixed {fixed:.1f} mrad')
    assert fixed >= 4.0 * overall(runs['learning'], LEARNED)


@pytest.mark.slow
def test_a_person_who_pushes_is_not_fought(runs):
    during = (runs['plain'].time > PUSHED) & (runs['plain'].time < RELEASED)
    yields = {kind: moved(runs, kind)[during].max() for kind in ('plain', 'learning')}
    print(f'\na push of 20 Nm moves the arm, mrad: {told(yields)}')
    assert yields['learning'] >= 0.7 * yields['plain'] > 10.0


@pytest.mark.slow
def test_the_arm_swings_back_no_further_for_having_learned(runs):
    after = runs['plain'].time > RELEASED
    swings = {kind: moved(runs, kind)[after].max() for kind in ('plain', 'learning')}
    print(f'\nit is off afterwards by at most, mrad: {told(swings)}')
    assert swings['learning'] <= 1.5 * swings['plain']
