"""
Roll and pitch from gyro and accelerometer, for sensors that report no orientation.

The gyro carries the direction of up from sample to sample; the accelerometer corrects it over
half a minute, which is long against waves, so that the ship's accelerations average out instead of
tilting the estimate.  The same correction, integrated, finds the gyro's bias.  Where an
orientation was reported until now, its tilt and what it told of the bias are the beginning.
"""

from __future__ import annotations

import math
from typing import Optional, Sequence

_TIME_CONSTANT = 30.0  # s
_LASTING = math.radians(0.15)  # standard deviation of the tilt that remains
_ASKEW = 0.05          # rad by which the force of a ship leans from up at least, until seen
_AVERAGING = 1.2       # s over which a ship's acceleration keeps its direction
_BEGIN_BIAS = 15.0     # s; before, waves would be taken for a bias


class TiltFromForce:
    """
    A complementary filter for the direction of up, in the frame of the vectors given.

    Attributes
    ----------
    up : tuple of 3 float
        Unit vector.
    """

    def __init__(self) -> None:
        self.up = (0.0, 0.0, 1.0)
        self._bias = (0.0, 0.0, 0.0)
        self._age = 0.0
        self._leaning = 0.0  # mean square of the sine between force and up
        self._error = (0.0, 0.0, 0.0)  # of the last up
        self._w: Optional[Sequence[float]] = None  # the last angular velocity, as measured

    @property
    def doubt(self) -> float:
        """Standard deviation of roll and pitch, rad: the first force may lean by degrees."""
        first = max(_ASKEW, math.sqrt(self._leaning))
        return math.hypot(_LASTING, first * min(1.0, _AVERAGING / max(self._age, 1e-3)))

    def begin(self, roll: float, pitch: float, bias: Sequence[float]) -> None:
        """Go on from angles, rad, and biases of their rates, rad/s, that a report has told."""
        sa, ca, sb, cb = math.sin(roll), math.cos(roll), math.sin(pitch), math.cos(pitch)
        self.up = (-sb, sa * cb, ca * cb)
        self._bias = (bias[0], ca * bias[1], -sa * bias[1])
        self._w, self._error = None, (0.0, 0.0, 0.0)
        self._age = _TIME_CONSTANT

    def update(self, dt: float, w: Sequence[float], force: Sequence[float]
               ) -> tuple[float, float]:
        """
        Take a sample and return roll and pitch in rad.

        Parameters
        ----------
        dt : float
            Since the last sample, s.
        w, force : sequence of 3 float
            Angular velocity, rad/s, and specific force, m/s^2.
        """
        length = math.sqrt(sum(f * f for f in force))
        fx, fy, fz = (f / length for f in force) if length > 1.0 else self.up
        if self._age == 0.0 and self._w is None:
            self.up = (fx, fy, fz)
        ux, uy, uz = self.up
        ex, ey, ez = self._error
        gain = 1.0 / min(_TIME_CONSTANT, max(self._age, 0.5))
        self._leaning += min(1.0, dt * gain) * (ex * ex + ey * ey + ez * ez - self._leaning)
        slow = 0.25 * gain * gain if self._age > _BEGIN_BIAS else 0.0  # critically damped
        bx, by, bz = self._bias
        # the mean of two angular velocities: with the last alone the tilt would lag by half a step
        vx, vy, vz = w if self._w is None else self._w
        self._w = w
        rx, ry, rz = (0.5 * (vx + w[0]) - bx + gain * ex, 0.5 * (vy + w[1]) - by + gain * ey,
                      0.5 * (vz + w[2]) - bz + gain * ez)
        self._bias = (bx - slow * dt * ex, by - slow * dt * ey, bz - slow * dt * ez)
        # a direction fixed in the world turns by -w in the body: up' = up x w
        angle = dt * math.sqrt(rx * rx + ry * ry + rz * rz)
        if angle > 0.0:
            c, s = math.cos(angle), math.sin(angle) * dt / angle
            k = (1 - c) * (dt / angle)**2 * (ux * rx + uy * ry + uz * rz)
            ux, uy, uz = (c * ux + s * (uy * rz - uz * ry) + k * rx,
                          c * uy + s * (uz * rx - ux * rz) + k * ry,
                          c * uz + s * (ux * ry - uy * rx) + k * rz)
            norm = math.sqrt(ux * ux + uy * uy + uz * uz)
            ux, uy, uz = ux / norm, uy / norm, uz / norm
        self.up = (ux, uy, uz)
        # the error rotates up towards the force: f x up, small
        self._error = fy * uz - fz * uy, fz * ux - fx * uz, fx * uy - fy * ux
        self._age += dt
        return math.atan2(uy, uz), -math.asin(max(-1.0, min(1.0, ux)))
