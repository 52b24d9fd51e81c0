"""
Motions of bases of all kinds, made independently of the package's own ships.

Each is one record at 100 Hz: angle, rate and acceleration of a roll, the acceleration along a
level axis, and what vibrates beside them: motion above the band, which a sensor sees and no arm
should be told of.  Errors are those of the motion without it; whether the base or the sensor's
bracket vibrates nobody can tell from a gyro, and so stated intervals have to hold the base's whole
acceleration.
"""

from __future__ import annotations

import math
from typing import Callable, Dict, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

DT, LENGTH = 0.01, 150.0    # s
DEG = math.pi / 180


class Record(NamedTuple):
    """
    A motion as it is, and what a sensor feels beside it.

    Attributes
    ----------
    roll : ndarray, (3, T)
        Angle, rate, acceleration; rad, s.
    heave : ndarray, (T,)
        Acceleration, m/s^2.
    shake_rate, shake_force : ndarray, (T,)
        Vibration that the gyro and the accelerometer feel beside it.
    """

    roll: FloatArray
    heave: FloatArray
    shake_rate: FloatArray
    shake_force: FloatArray


def whole(record: Record) -> FloatArray:
    """Return the angular acceleration with that of the vibration, (T,), rad/s^2."""
    count = len(record.shake_rate)
    turn = 2j * math.pi * np.fft.rfftfreq(count, DT)
    return np.asarray(record.roll[2] + np.fft.irfft(turn * np.fft.rfft(record.shake_rate), count))


def time() -> FloatArray:
    """Return the instants, (T,), s."""
    return np.arange(0.0, LENGTH, DT)


def waves(w: FloatArray, amplitude: FloatArray, random: np.random.Generator) -> FloatArray:
    """Sum sinusoids of random phase: value and its first two derivatives, (3, T)."""
    phase = random.uniform(0, 2 * math.pi, len(w))
    out, t = np.zeros((3, round(LENGTH / DT))), time()
    for f, a, p in zip(w, amplitude, phase):
        c, s = a * np.cos(f * t + p), a * np.sin(f * t + p)
        out += c, -f * s, -f * f * c
    return out


def band(period: float, std: float, random: np.random.Generator, width: float = 0.05
         ) -> FloatArray:
    """Return a narrow band about a period, s, of relative width, (3, T)."""
    w = 2 * math.pi / period * (1 + width * random.standard_normal(40))
    return waves(np.abs(w), np.full(40, std * math.sqrt(2 / 40)), random)


def sea(peak: float, std: float, random: np.random.Generator, slope: float = 5.0,
        count: int = 150) -> FloatArray:
    """Return a sea of a peak period, s (Bretschneider, its tail of an exponent), (3, T)."""
    wp = 2 * math.pi / peak
    w = wp * np.geomspace(0.45, 5.0, count) * (1 + 0.01 * random.standard_normal(count))
    density = w**-slope * np.exp(-1.25 * (wp / w)**4) * w
    amplitude = np.sqrt(density)
    return waves(w, amplitude * std * math.sqrt(2) / np.linalg.norm(amplitude), random)


@numba.njit
def _swing(force, w0, damping, quadratic, cubic, parametric, wp, first, dt):  # type: ignore
    """Integrate a'' = f - 2 d w0 a' - q a'|a'| - w0^2 a (1 + c a^2 + p cos(wp t))."""
    count = len(force) // 2
    out = np.zeros((3, count))
    a, r = first, 0.0
    for i in range(count):
        ka, kr = np.zeros(4), np.zeros(4)
        for j in range(4):
            step = 0.0 if j == 0 else (dt if j == 3 else 0.5 * dt)
            x = a + (step * ka[j - 1] if j else 0.0)
            v = r + (step * kr[j - 1] if j else 0.0)
            t = i * dt + step
            f = force[min(2 * i + (0 if j == 0 else (2 if j == 3 else 1)), len(force) - 1)]
            ka[j] = v
            kr[j] = (f - 2 * damping * w0 * v - quadratic * v * abs(v)
                     - w0 * w0 * x * (1 + cubic * x * x + parametric * np.cos(wp * t)))
        out[0, i], out[1, i], out[2, i] = a, r, kr[0]
        a += dt / 6 * (ka[0] + 2 * ka[1] + 2 * ka[2] + ka[3])
        r += dt / 6 * (kr[0] + 2 * kr[1] + 2 * kr[2] + kr[3])
    return out


def swing(force: FloatArray, period: float, damping: float, quadratic: float = 0.0,
          cubic: float = 0.0, parametric: float = 0.0, first: float = 0.0,
          parametric_period: float = 0.0) -> FloatArray:
    """Return a roll driven by a moment over inertia, (T,), about a natural period, s."""
    fine = np.interp(np.arange(2 * len(force)) * DT / 2, time(), force)
    return np.asarray(_swing(fine, 2 * math.pi / period, damping, quadratic, cubic, parametric,
                             4 * math.pi / (parametric_period or period), first, DT))


def plain(roll: FloatArray, heave: FloatArray, rate: object = 0.0, force: object = 0.0) -> Record:
    """Put a record together."""
    nothing = np.zeros(roll.shape[1])
    return Record(roll, np.asarray(heave), nothing + rate, nothing + force)


def _integrated(rate: FloatArray, acceleration: FloatArray) -> FloatArray:
    middle = 0.5 * (rate[1:] + rate[:-1]) + DT / 12 * (acceleration[:-1] - acceleration[1:])
    return np.stack([np.concatenate([[0.0], np.cumsum(middle) * DT]), rate, acceleration])


def smooth_steps(at: FloatArray, size: FloatArray, rise: float) -> FloatArray:
    """Sum steps that rise as a logistic function, with derivatives, (3, T)."""
    out, t = np.zeros((3, round(LENGTH / DT))), time()
    for begin, height in zip(at, size):
        u = 1 / (1 + np.exp(-np.clip((t - begin) / rise, -50, 50)))
        out += height * np.stack([u, u * (1 - u) / rise,
                                  u * (1 - u) * (1 - 2 * u) / rise**2])
    return out


def narrow(period: float) -> Callable[[np.random.Generator], Record]:
    """Return what makes a narrow band of 2 deg."""
    return lambda r: plain(band(period, 2 * DEG, r), band(period, 0.5, r)[0])


def linear(peak: float, slope: float = 5.0) -> Callable[[np.random.Generator], Record]:
    """Return what makes a sea of 3 deg."""
    return lambda r: plain(sea(peak, 3 * DEG, r, slope), sea(peak, 0.7, r, slope)[0])


def _driven(**how: float) -> Callable[[np.random.Generator], Record]:
    def make(r: np.random.Generator) -> Record:
        push = sea(9.0, 0.06, r)
        return plain(swing(push[0] * (2 * math.pi / 9)**2, **how), sea(9.0, 0.6, r)[0])
    return make


def _mooring(r: np.random.Generator) -> Record:
    return plain(band(100.0, 3 * DEG, r, 0.2) + sea(9.0, 0.6 * DEG, r),
                 band(100.0, 0.02, r, 0.2)[0] + sea(9.0, 0.3, r)[0])


def _turning(r: np.random.Generator) -> Record:
    # encounter frequencies that wander: phases that are not those of a sum of waves
    t, heading = time(), 2 * math.pi * time() / 90.0
    roll = np.zeros((3, len(t)))
    heave = np.zeros(len(t))
    for w in 2 * math.pi / 9 * r.normal(1.0, 0.12, 40):
        turn = w + w * w * 3.0 / 9.81 * np.cos(heading + r.normal(0, 0.4))
        phase = np.cumsum(turn) * DT + r.uniform(0, 6.3)
        roll[0] += 0.6 * DEG * np.cos(phase) * np.sin(heading)
        heave += 0.08 * np.cos(phase)
    roll[1] = np.gradient(roll[0], DT)
    roll[2] = np.gradient(roll[1], DT)
    return plain(roll, heave)


def _heel(r: np.random.Generator) -> Record:
    lean = smooth_steps(np.array([60.0, 105.0]), np.array([12.0, -9.0]) * DEG, 5.0)
    return plain(sea(8.0, 1.0 * DEG, r) + lean, sea(8.0, 0.4, r)[0])


def _barge(r: np.random.Generator) -> Record:
    push = np.zeros(round(LENGTH / DT))
    for begin in np.cumsum(r.uniform(4, 16, 14)):
        push[round(begin / DT):] += r.normal(0, 0.5 * DEG)
    w0 = 2 * math.pi / 7
    return plain(swing(push * w0 * w0, 7.0, 0.06) + sea(5.0, 0.05 * DEG, r),
                 sea(5.0, 0.05, r)[0])


def _crossed(r: np.random.Generator) -> Record:
    return plain(sea(12.0, 2 * DEG, r, 9.0) + sea(3.0, 0.6 * DEG, r),
                 sea(12.0, 0.6, r, 9.0)[0] + sea(3.0, 0.4, r)[0])


def _slamming(r: np.random.Generator) -> Record:
    t, base = time(), sea(8.0, 2 * DEG, r)
    heave, rate, acc = sea(8.0, 0.8, r)[0], np.zeros(len(t)), np.zeros(len(t))
    for begin in np.cumsum(r.exponential(7.0, 40)):
        s = np.clip(t - begin, 0, None)
        ring, w = np.exp(-s / 0.5) * (t >= begin), 2 * math.pi * 1.2
        heave += r.uniform(1, 4) * ring * np.sin(w * s)
        size = r.normal(0, 0.03)
        rate += size * ring * np.sin(w * s)
        acc += size * ring * (w * np.cos(w * s) - np.sin(w * s) / 0.5)
    return plain(base + _integrated(rate, acc), heave)


def _usv(r: np.random.Generator) -> Record:
    t = time()
    buzz = 1.0 * DEG * np.sin(2 * math.pi * 17.3 * t) + 0.5 * DEG * np.sin(
        2 * math.pi * 34.6 * t + 1)
    return plain(sea(2.5, 4 * DEG, r), sea(2.5, 1.0, r)[0], buzz, 0.8 * np.sin(
        2 * math.pi * 17.3 * t + 2) + 0.5 * np.sin(2 * math.pi * 34.6 * t))


def _low_passed(noise: FloatArray, corner: float) -> FloatArray:
    from scipy import signal
    b, a = signal.butter(4, corner, fs=1 / DT)
    out = signal.lfilter(b, a, noise)
    return np.asarray(out / out.std())


def _drone(r: np.random.Generator) -> Record:
    count = round(LENGTH / DT)
    acc = _low_passed(r.standard_normal(count), 1.5)
    angle, rate, out = 0.0, 0.0, np.zeros((3, count))
    for i in range(count):
        a = 3.0 * acc[i] - 9.0 * angle - 4.0 * rate
        out[:, i] = angle, rate, a
        angle += DT * (rate + 0.5 * DT * a)
        rate += DT * a
    out[2, 1:] = 0.5 * (out[2, 1:] + out[2, :-1])  # each is from one instant to the next
    t = time()
    return plain(out, 0.8 * _low_passed(r.standard_normal(count), 1.0),
                 0.6 * DEG * np.sin(2 * math.pi * 23.0 * t), 1.0 * np.sin(
                     2 * math.pi * 23.0 * t + 1))


def _truck(r: np.random.Generator) -> Record:
    count = round(LENGTH / DT)
    road = _low_passed(r.standard_normal(count), 3.0)
    roll = swing(2.5 * road, 0.7, 0.25)
    heave = swing(20.0 * _low_passed(r.standard_normal(count), 3.0), 0.65, 0.3)[2]
    return plain(roll, 0.05 * heave, 0.5 * DEG * _low_passed(r.standard_normal(count), 14.0)
                 * np.sin(2 * math.pi * 12 * time()),
                 0.3 * np.sin(2 * math.pi * 25 * time()) * road)


def _growing(r: np.random.Generator) -> Record:
    t, w = time(), 2 * math.pi / 11
    size = 60 * DEG / (1 + np.exp(-(t - 80) / 12))
    base = size * np.sin(w * t)
    rate = np.gradient(base, DT)
    return plain(np.stack([base, rate, np.gradient(rate, DT)]) + sea(9.0, 0.3 * DEG, r),
                 sea(9.0, 0.5, r)[0])


def _decay(r: np.random.Generator) -> Record:
    out = np.zeros((3, round(LENGTH / DT)))
    piece = round(50 / DT)
    for k in range(3):
        out[:, k * piece:(k + 1) * piece] = swing(
            np.zeros(round(LENGTH / DT)), 8.0, 0.03, 0.5, first=12 * DEG)[:, :piece]
    return plain(out, 0.3 * out[0] + sea(8.0, 0.02, r)[0])


def _start_and_stop(r: np.random.Generator) -> Record:
    t = time()
    on = smooth_steps(np.array([45.0, 75.0, 100.0, 120.0]), np.array([1.0, -1.0, 1.0, -1.0]), 0.7)
    move = sea(4.0, 3 * DEG, r)
    roll = np.stack([move[0] * on[0], move[1] * on[0] + move[0] * on[1],
                     move[2] * on[0] + 2 * move[1] * on[1] + move[0] * on[2]])
    return plain(roll, sea(4.0, 0.6, r)[0] * on[0] + 0 * t)


def _harbour(r: np.random.Generator) -> Record:
    on = smooth_steps(np.array([70.0]), np.array([1.0]), 6.0)
    move = sea(9.0, 4 * DEG, r)
    roll = np.stack([move[0] * on[0], move[1] * on[0] + move[0] * on[1],
                     move[2] * on[0] + 2 * move[1] * on[1] + move[0] * on[2]])
    return plain(roll + sea(3.0, 0.05 * DEG, r), sea(9.0, 0.8, r)[0] * on[0] + sea(3.0, .02, r)[0])


MOTIONS: Dict[str, Callable[[np.random.Generator], Record]] = {
    **{f'narrow band {p:g} s': narrow(p) for p in (
        0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0, 6.0, 15.0, 40.0)},
    'swell with ripple': lambda r: plain(
        band(6.0, 2.5 * DEG, r) + band(0.8, 0.3 * DEG, r), band(6.0, 0.5, r)[0]
        + band(0.8, 0.3, r)[0]),
    'swell with a motor': lambda r: plain(
        band(6.0, 2.5 * DEG, r), band(6.0, 0.5, r)[0],
        0.01 * DEG * 62.8 * math.sqrt(2) * np.cos(62.8 * time()), 0.3 * np.sin(62.8 * time())),
    **{f'linear sea {p:g} s': linear(p) for p in (12.0, 9.0, 6.0, 4.0, 2.5)},
    'stiffening roll': _driven(period=9.0, damping=0.06, cubic=8.0),
    'parametric roll': _driven(period=10.0, damping=0.05, cubic=3.0, parametric=0.4),
    'quadratic damping': _driven(period=9.0, damping=0.01, quadratic=1.0),
    'mooring': _mooring, 'turning vessel': _turning, 'slow heel': _heel, 'crane barge': _barge,
    'swell and wind sea': _crossed, 'slamming': _slamming, 'usv with propeller': _usv,
    'drone': _drone, 'truck': _truck, 'roll growing to 60 deg': _growing, 'decay test': _decay,
    'standing still': lambda r: plain(np.zeros((3, round(LENGTH / DT))),
                                      np.zeros(round(LENGTH / DT))),
    'start and stop': _start_and_stop, 'harbour to sea': _harbour}
