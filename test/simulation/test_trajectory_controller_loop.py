"""Way B in one process: the controller's gains hold the arm on the ship."""

import numpy as np
import pytest
from trajectory_loop import follow


@pytest.mark.slow
@pytest.mark.parametrize('rotors', [False, True], ids=['without rotors', 'with rotors'])
@pytest.mark.parametrize('rate', [200, 500])
def test_the_gains_of_way_b_hold_the_arm_on_the_ship(repository, rate, rotors):
    # as through the controller manager: states a cycle old, and torques one cycle late at most
    result = follow(repository, rate, rotors, age=0.006, jitter=(0.001, 0.003), transport=0.006,
                    duration=9.0)
    error = np.rad2deg(result.error_rms(4.0, 9.0))
    moved = np.rad2deg(np.ptp(result.desired[result.time > 4.0], axis=0))
    print(f'{rate} Hz, {"with" if rotors else "without"} rotors, RMS in deg: {error.round(2)}')
    assert (error < 0.02 * moved).all()
