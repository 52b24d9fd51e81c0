"""
What others do with an IMU: difference, filter, polynomial, Kalman filter; hold, line, regression.

Each takes the angle and the rate of one axis, evenly sampled, and is causal.  ``tuned`` picks the
parameter that is best on another seed of the same case, which no user could do at sea.
"""

from __future__ import annotations

from typing import Callable, Dict, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray
from scipy import signal
from scipy.linalg import solve_discrete_are

FloatArray = NDArray[np.float64]
Rival = Callable[[FloatArray, FloatArray, float, float], FloatArray]


def backward_difference(angle: FloatArray, rate: FloatArray, dt: float, _: float) -> FloatArray:
    """Divide the difference of the last two rates by the interval."""
    return np.concatenate([[0.0], np.diff(rate)]) / dt


def butterworth(angle: FloatArray, rate: FloatArray, dt: float, cutoff: float) -> FloatArray:
    """Filter the difference with a second-order low-pass of that cutoff, Hz."""
    b, a = signal.butter(2, cutoff, fs=1 / dt)
    return signal.lfilter(b, a, backward_difference(angle, rate, dt, 0.0))


def savitzky_golay(angle: FloatArray, rate: FloatArray, dt: float, window: float) -> FloatArray:
    """Take the derivative at the end of a cubic through the last ``window`` seconds of rates."""
    count = max(5, round(window / dt))
    s = np.linspace(-1.0, 0.0, count)
    powers = np.vander(s, 4, increasing=True)
    weights = np.linalg.solve(powers.T @ powers, powers.T)[1] / ((count - 1) * dt)
    return signal.lfilter(weights[::-1], [1.0], rate)


def kalman(angle: FloatArray, rate: FloatArray, dt: float, intensity: float) -> FloatArray:
    """
    Steady Kalman filter of angle, rate, acceleration and a jerk that walks at random.

    ``intensity`` is the standard deviation of the jerk's walk over that of the rate's noise.
    """
    F = np.array([[1, dt, dt**2 / 2, dt**3 / 6], [0, 1, dt, dt**2 / 2], [0, 0, 1, dt],
                  [0, 0, 0, 1]])
    G = np.array([dt**4 / 24, dt**3 / 6, dt**2 / 2, dt])
    noise = kalman.noise  # type: ignore[attr-defined]
    Q = np.outer(G, G) * (intensity * noise[1])**2 / dt + 1e-18 * np.eye(4)
    H = np.eye(2, 4)
    R = np.diag(np.square(noise))
    P = solve_discrete_are(F.T, H.T, Q, R)
    K = P @ H.T @ np.linalg.inv(H @ P @ H.T + R)
    closed = (np.eye(4) - K @ H) @ F
    y = np.stack([angle, rate], axis=1)
    x, out = np.zeros(4), np.empty(len(y))
    driven = y @ K.T
    for i, push in enumerate(driven):
        x = closed @ x + push
        out[i] = x[2]
    return out


ACCELERATION: Dict[str, Tuple[Rival, Sequence[float]]] = {
    'difference': (backward_difference, (0.0,)),
    'Butterworth': (butterworth, (0.15, 0.25, 0.4, 0.6, 0.9, 1.4, 2.0, 3.0)),
    'Savitzky-Golay': (savitzky_golay, (0.4, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)),
    'Kalman': (kalman, (1.0, 10.0, 30.0, 100.0, 300.0, 1e3, 1e4))}


def hold(angle: FloatArray, rate: FloatArray, ahead: float) -> FloatArray:
    """Predict that the angle stays."""
    return angle


def line(angle: FloatArray, rate: FloatArray, ahead: float) -> FloatArray:
    """Predict that the rate stays."""
    return angle + ahead * rate


class AutoRegression:
    """
    Least squares of the future on 40 past angles and rates at 10 Hz, fitted to another record.

    Parameters
    ----------
    angle, rate : ndarray, (T,)
        Measured record to fit to.
    dt : float
        In s.
    """

    taps, spacing = 40, 0.1

    def __init__(self, angle: FloatArray, rate: FloatArray, dt: float) -> None:
        self.dt, self.stride = dt, round(self.spacing / dt)
        self.angle, self.rate = angle, rate
        self._past = self._regressors(angle, rate)

    def _regressors(self, angle: FloatArray, rate: FloatArray) -> FloatArray:
        span = (self.taps - 1) * self.stride
        ends = np.arange(span, len(angle))
        index = ends[:, None] - self.stride * np.arange(self.taps)
        return np.hstack([angle[index], rate[index]])

    def predict(self, angle: FloatArray, rate: FloatArray, ahead: float) -> FloatArray:
        """Predict the angle of a record; NaN where the past is too short."""
        steps = round(ahead / self.dt)
        X = self._past[:len(self._past) - steps:3]
        target = self.angle[len(self.angle) - len(self._past) + steps:][::3][:len(X)]
        A = X.T @ X
        ridge = 1e-12 * np.trace(A) / len(A)
        weights = np.linalg.solve(A + ridge * np.eye(len(A)), X.T @ target)
        out = np.full(len(angle), np.nan)
        found = self._regressors(angle, rate) @ weights
        out[len(angle) - len(found):] = found
        return out
