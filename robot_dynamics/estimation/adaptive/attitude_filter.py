"""
Roll and pitch from reported angles and from rates: a Kalman filter of each angle and its bias.

The gyro carries the angle from sample to sample, a report corrects it; how much a report counts
follows from how far reports have been off.  So orientations that come seldom, are repeated or
noisy do not disturb the angle, and their noise is averaged over seconds.

Compiled as it stands here (see ``compiling``).  ``axes`` holds a row for each angle, whose fields
are named below; what is not known is NaN.
"""
# mypy: ignore-errors
# flake8: noqa: D103

import math

import numpy as np

from robot_dynamics.estimation.adaptive.motion_signals import signals

# rad, rad/s, and their variances; the bias also smoothed, and the noise of the rate as a deviation
ANGLE, BIAS, STEADY_BIAS, VARIANCE, BIAS_VARIANCE, COVARIANCE, NOISE = range(7)
# variance and count of reports, how far the last one was off, the time since, the report itself
REPORT_NOISE, REPORTS, OFF, SINCE, REPORT = range(7, 12)
# the last rate, how long it has not been measured, reports that were not believed, whether begun
RATE, UNMEASURED, DOUBTED, BEGUN = range(12, 16)
# reports in a row at one interval, and that; means: square of what noise adds to the slope of
# reports, of what lies between it and the gyro, with itself, with the one before and the one
# before that; the last five reports, three times what lay between; whether they were truer once
EVEN, INTERVAL, SLOPE_NOISE, APART, ANGLES, BETWEEN, EXACT, FIELDS = 16, 17, 18, 19, 22, 27, 30, 31

DRIFT = 2e-5        # rad/sqrt(s) of the integrated rate at least: what axes and rounding add
WALK = 2e-5         # rad/s/sqrt(s) by which a bias wanders
MISSING = 0.06      # s; a rate that is missing for less goes on as it was
FIRST = 1e-3        # rad; standard deviation of the first reports
FIRST_BIAS = 0.02   # rad/s
LEAST_NOISE = 1e-6  # rad, of a report
STEADYING = 2.0     # s; so slowly a bias enters the rates, where jumps would be noise
MEMORY = 10.0       # s, of the noise of reports
OUTLIER, LEAST = 10.0, 0.03   # standard deviations and rad; such a report is not believed
BELIEVED = 5        # such reports in a row are believed after all
RATE_NOISE = 1e-3   # rad/s, of the gyro until it is known
TRUEST = 12         # reports, after which they may be found truer than the gyro
WHITE = 0.3         # correlation at most of what is white; twice that, once reports were chosen
NOISIEST = 0.02     # rad/s; what is further from the gyro is not its noise
SLOPED = 31.2 / 70  # what noise adds to the square of their slope, over that of fourth differences
TURN = 2 * math.pi


def fresh_axes():
    axes = np.zeros((2, FIELDS))
    axes[:, (VARIANCE, REPORT_NOISE)] = FIRST**2
    axes[:, BIAS_VARIANCE], axes[:, NOISE] = FIRST_BIAS**2, RATE_NOISE
    axes[:, (RATE, REPORT)] = math.nan
    return axes


def begin_at(f, angle):
    f[ANGLE], f[VARIANCE], f[COVARIANCE], f[BEGUN] = angle, FIRST**2, 0.0, 1.0


def follow(f, dt, rate, reported):
    """Move an angle on by a rate, and correct it by a report."""
    f[SINCE] += dt
    f[UNMEASURED] = f[UNMEASURED] + dt if math.isnan(rate) else 0.0
    before = f[RATE]
    if math.isnan(rate) and f[UNMEASURED] < MISSING:
        rate = before
    f[RATE] = rate
    if math.isnan(rate):
        if not math.isnan(reported):
            begin_at(f, reported)
        return
    if math.isnan(before):
        before = rate
    f[ANGLE] += dt * (0.5 * (before + rate) - f[BIAS])
    f[VARIANCE] += ((f[NOISE] * dt)**2 + DRIFT**2 * dt - 2 * dt * f[COVARIANCE]
                    + dt * dt * f[BIAS_VARIANCE])
    f[COVARIANCE] -= dt * f[BIAS_VARIANCE]
    f[BIAS_VARIANCE] += WALK**2 * dt
    f[STEADY_BIAS] += min(1.0, dt / STEADYING) * (f[BIAS] - f[STEADY_BIAS])
    if not math.isnan(reported):
        if f[BEGUN]:
            correct(f, reported - f[ANGLE])
        else:
            begin_at(f, reported)


def correct(f, error):
    noise = f[REPORT_NOISE]
    if abs(error) > max(LEAST, OUTLIER * math.sqrt(noise + f[VARIANCE])):
        f[DOUBTED] += 1
        if f[DOUBTED] <= BELIEVED:
            return
        begin_at(f, f[ANGLE] + error)
        error = 0.0
    f[DOUBTED] = 0
    # white noise of reports: half of what follows differ by, whatever the bias does
    change = error - f[OFF]
    if f[REPORTS] > 1:
        share = max(min(1.0, f[SINCE] / MEMORY), 1.0 / (f[REPORTS] + 5))
        noise = max(noise + share * (0.5 * change * change - noise), LEAST_NOISE**2)
        f[REPORT_NOISE] = noise
    f[REPORTS] += 1
    f[SINCE] = 0.0
    total = f[VARIANCE] + noise
    gain, bias_gain = f[VARIANCE] / total, f[COVARIANCE] / total
    f[ANGLE] += gain * error
    f[BIAS] += bias_gain * error
    f[BIAS_VARIANCE] -= bias_gain * f[COVARIANCE]
    f[COVARIANCE] *= 1.0 - gain
    f[VARIANCE] *= 1.0 - gain
    f[OFF] = error - gain * error


def truest(f, dt, rate, reported):
    """
    Return the rate, by the gyro or as the slope of reports that are truer than it.

    As a simulator's: their slope is a third as noisy, and what lies between is white, the gyro's.
    """
    f[EVEN] = f[EVEN] + 1 if abs(dt - f[INTERVAL]) < 0.01 * dt and not math.isnan(
        rate + reported) else 0
    f[INTERVAL] = dt
    for k in range(EXACT - 1, ANGLES, -1):
        f[k] = f[k - 1]
    f[ANGLES] = reported
    a, b, c, d, e = f[ANGLES], f[ANGLES + 1], f[ANGLES + 2], f[ANGLES + 3], f[ANGLES + 4]
    slope = (25 * a - 48 * b + 36 * c - 16 * d + 3 * e) / (12 * max(dt, 1e-9))
    f[BETWEEN] = max(-NOISIEST, min(NOISIEST, rate - f[BIAS] - slope))
    n = f[EVEN] - 8
    if n < 0:
        return rate
    share = max(dt / MEMORY, 1.0 / (n + 1))
    f[SLOPE_NOISE] += share * (((a - 4 * b + 6 * c - 4 * d + e) / dt)**2 * SLOPED - f[SLOPE_NOISE])
    for k in range(3):
        f[APART + k] += share * (f[BETWEEN] * f[BETWEEN + k] - f[APART + k])
    if n < TRUEST or f[SLOPE_NOISE] > 0.1 * f[APART] or (
            max(abs(f[APART + 1]), abs(f[APART + 2])) > WHITE * (1.0 + f[EXACT]) * f[APART]):
        return rate
    f[ANGLE], f[EXACT] = reported, 1.0
    return slope + f[STEADY_BIAS]


def observe(axes, dt, wx, wy, wz, fx, fy, fz, roll, pitch, certain, gravity):
    """
    Take a sample: angular velocity, specific force, roll and pitch; the latter may be certain.

    Returns roll and pitch now, as reported, the six signals, and whether both reports were truer.
    """
    roll += TURN * np.rint((axes[0, ANGLE] - roll) / TURN)  # a base may hang upside down
    now, then = roll, pitch
    if certain:
        begin_at(axes[0], roll)
        begin_at(axes[1], pitch)
    else:
        if roll == axes[0, REPORT] and pitch == axes[1, REPORT] and not math.isnan(wx):
            now = then = math.nan  # repeated by the driver: nothing new
        elif not math.isnan(roll):
            axes[0, REPORT], axes[1, REPORT] = roll, pitch
        rates = signals(axes[0, ANGLE], axes[1, ANGLE], wx, wy, wz, fx, fy, fz, gravity)
        follow(axes[0], dt, rates[0], now)
        follow(axes[1], dt, rates[1], then)
    a, b, c, ahead, left, up = signals(
        axes[0, ANGLE], axes[1, ANGLE], wx, wy, wz, fx, fy, fz, gravity)
    if not certain:
        a = truest(axes[0], dt, a, now) - axes[0, STEADY_BIAS]
        b = truest(axes[1], dt, b, then) - axes[1, STEADY_BIAS]
    return (axes[0, ANGLE], axes[1, ANGLE], roll, pitch, a, b, c, ahead, left, up,
            min(axes[0, EXACT], axes[1, EXACT]))
