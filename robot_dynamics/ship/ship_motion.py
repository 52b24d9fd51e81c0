"""
How a ship moves: a pure function of its configuration and of time.

Publisher, simulated robot and reference build the same ship from the same parameters, so that no
message has to carry its truth.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Any, Mapping, Optional, Protocol, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.gate import as_array, as_scalar, as_vector, FloatArray
from robot_dynamics.motion import attitude, rotations
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.ship import irregular_motion, irregular_parameters, regular_motion, rigid_deck
from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.ramp import apply_ramp, apply_ramp_series
from robot_dynamics.ship.rao import Hull
from robot_dynamics.ship.recorded_motion import RecordedMotion
from robot_dynamics.ship.regular_motion import PAPER_PITCH, PAPER_ROLL, SinusoidsLike
from robot_dynamics.ship.spectra import wave_spectrum

ParameterValue = Union[bool, int, float, str, Sequence[float]]

ORIGIN = (0.0, 0.0, 0.0)


class SixDegreesOfFreedom(Protocol):
    """Anything that gives six degrees of freedom with two exact derivatives."""

    def evaluate(self, t: float) -> list[float]:
        """Return 6 values, 6 rates, 6 accelerations at one time in s."""

    def evaluate_series(self, t: FloatArray) -> FloatArray:
        """Do so at many times, (T,) -> (T, 18)."""


@dataclass(frozen=True, eq=False)
class DeckPose:
    """Pose of a deck point in the world (z up), one instant or a series of T."""

    position: FloatArray  #: (3,) or (T, 3), in m, world axes
    rotation: FloatArray  #: (3, 3) or (T, 3, 3), R_WB, deck to world
    rpy: FloatArray  #: (3,) or (T, 3), roll, pitch, yaw in rad
    #: (3,) or (T, 3), of the point, in world axes, m/s and m/s^2
    linear_velocity: FloatArray
    linear_acceleration: FloatArray
    #: (3,) or (T, 3), in deck axes, rad/s and rad/s^2
    angular_velocity: FloatArray
    angular_acceleration: FloatArray

    @property
    def quat_xyzw(self) -> FloatArray:
        """The rotation as quaternion (x, y, z, w), (4,) or (T, 4)."""
        return rotations.quat_from_matrix(self.rotation)


class ShipMotion:
    """
    Six degrees of freedom of a ship over time, at any point of its deck.

    Build one with :meth:`regular`, :meth:`irregular` or :meth:`recorded`, or of parameters with
    :func:`robot_dynamics.ship.ship_config.ship_from_parameters`.

    Parameters
    ----------
    source : SixDegreesOfFreedom
        Surge, sway, heave of the rotation centre and roll, pitch, yaw.
    ramp_in : float
        The motion grows smoothly from rest over this time from t = 0, s; 0 for none.
    gravity_magnitude : float, m/s^2
    parameters : mapping, optional
        What :meth:`to_parameters` returns.
    """

    def __init__(self, source: SixDegreesOfFreedom, ramp_in: float = 0.0,
                 gravity_magnitude: float = STANDARD_GRAVITY,
                 parameters: Optional[Mapping[str, ParameterValue]] = None) -> None:
        self.source = source
        self.ramp_in = as_scalar('ramp_in', ramp_in, 0.0, unit='s')
        self.gravity_magnitude = as_scalar('gravity_magnitude', gravity_magnitude, 0.0)
        self._parameters = dict(parameters or {})

    @classmethod
    def regular(cls, *, roll: SinusoidsLike = PAPER_ROLL, pitch: SinusoidsLike = PAPER_PITCH,
                yaw: SinusoidsLike = None, surge: SinusoidsLike = None,
                sway: SinusoidsLike = None, heave: SinusoidsLike = None, ramp_in: float = 0.0,
                gravity_magnitude: float = STANDARD_GRAVITY) -> ShipMotion:
        """
        Sinusoids: without arguments those of Table 3 of Sadraei & Moghaddam.

        Parameters
        ----------
        roll, pitch, yaw, surge, sway, heave : Sinusoid, sequence of Sinusoid, or None
            Each (amplitude in rad or m, period in s, phase in rad); several are added; None is
            no motion.  x(t) = amplitude sin(2 pi t / period + phase).
        ramp_in, gravity_magnitude : float
            See the class.
        """
        chosen = {'surge': surge, 'sway': sway, 'heave': heave,
                  'roll': roll, 'pitch': pitch, 'yaw': yaw}
        sinusoids = {name: regular_motion.as_sinusoids(name, value)
                     for name, value in chosen.items()}
        parameters = {'mode': 'regular', **regular_motion.to_parameters(sinusoids),
                      'ramp_in': float(ramp_in), 'gravity_magnitude': float(gravity_magnitude)}
        return cls(regular_motion.harmonics(sinusoids), ramp_in, gravity_magnitude, parameters)

    @classmethod
    def irregular(cls, sea_state: Optional[int] = None, *,
                  significant_wave_height: Optional[float] = None,
                  peak_period: Optional[float] = None,
                  zero_crossing_period: Optional[float] = None,
                  spectrum: str = 'bretschneider', gamma: float = 3.3,
                  wave_direction: float = math.pi / 2, heading: float = 0.0,
                  ship_speed: float = 0.0, spreading: Optional[float] = None,
                  hull: Union[None, str, Hull] = None, components: int = 120, seed: int = 0,
                  ramp_in: float = 0.0, gravity_magnitude: float = STANDARD_GRAVITY
                  ) -> ShipMotion:
        """
        Return a ship in an irregular sea.

        Parameters
        ----------
        sea_state, significant_wave_height, peak_period, zero_crossing_period, spectrum, gamma
            The sea; see :func:`robot_dynamics.ship.spectra.wave_spectrum`.
        wave_direction, heading : float
            Where the waves travel to and the bow points to, counter-clockwise from the world's x
            axis, rad: equal in a following sea, pi apart in a head sea.
        ship_speed, spreading, components, seed
            See :class:`robot_dynamics.ship.irregular_motion.Seaway`.
        hull : Hull, str or None
            A :class:`~robot_dynamics.ship.hull.ClosedFormHull`, a table of response operators,
            'supply_vessel', the path of a table, or None: a closed form of 65 m.
        ramp_in, gravity_magnitude : float
            See the class.
        """
        waves = wave_spectrum(sea_state, significant_wave_height, peak_period,
                              zero_crossing_period, spectrum, gamma)
        sea = irregular_motion.Seaway(waves, wave_direction, heading, ship_speed, spreading,
                                      components, seed)
        table = hull if isinstance(hull, str) else ''
        return cls.in_seaway(sea, irregular_parameters.hull_named(hull)
                             if isinstance(hull, str) else hull or ClosedFormHull(),
                             ramp_in, gravity_magnitude, table)

    @classmethod
    def in_seaway(cls, sea: irregular_motion.Seaway, hull: Hull, ramp_in: float = 0.0,
                  gravity_magnitude: float = STANDARD_GRAVITY, table: str = '') -> ShipMotion:
        """Do as :meth:`irregular` with the sea and the hull as objects."""
        flat = irregular_parameters.to_parameters(sea, hull, table)
        return cls(irregular_motion.harmonics(sea, hull), ramp_in, gravity_magnitude,
                   {'mode': 'irregular', **flat, 'ramp_in': float(ramp_in),
                    'gravity_magnitude': float(gravity_magnitude)} if flat else None)

    @classmethod
    def recorded(cls, file: str, playback_rate: float = 1.0, cutoff: float = 0.0,
                 fade: float = 0.0, ramp_in: float = 0.0,
                 gravity_magnitude: float = STANDARD_GRAVITY) -> ShipMotion:
        """
        Replay a recorded motion, smoothly resampled.

        Parameters
        ----------
        file : str
            CSV with ``time`` in s and some of ``surge, sway, heave`` (m), ``roll, pitch, yaw``
            (rad) or ``roll_deg`` and so on.
        playback_rate : float
            2 replays twice as fast.
        cutoff : float
            Of a zero-phase low-pass filter over the samples, Hz; 0 for none.
        fade : float
            Time in which it grows from rest at its beginning and comes to rest at its end, s.
        ramp_in, gravity_magnitude : float
            See the class.
        """
        source = RecordedMotion.from_csv(file, playback_rate, cutoff, fade)
        return cls(source, ramp_in, gravity_magnitude, {
            'mode': 'recorded', 'file': str(file), 'playback_rate': float(playback_rate),
            'cutoff': float(cutoff), 'fade': float(fade), 'ramp_in': float(ramp_in),
            'gravity_magnitude': float(gravity_magnitude)})

    def to_parameters(self) -> dict[str, ParameterValue]:
        """Return the flat parameters of which ``ship_from_parameters`` builds this ship."""
        return dict(self._parameters)

    def at(self, t: ArrayLike, point: ArrayLike = ORIGIN) -> BaseMotion:
        """
        Return the base motion at a point of the deck.

        Parameters
        ----------
        t : array_like, () or (T,)
            Time since the epoch, s.
        point : array_like, (3,)
            From the rotation centre, deck axes, m.
        """
        if isinstance(t, float) and point is ORIGIN and math.isfinite(t):  # the shortest way
            return BaseMotion.from_packed(self.packed_at(t, point))
        times = as_array('t', t, () if np.ndim(t) == 0 else (None,), 's')
        place = as_vector('point', point, 3, 'm')
        if times.ndim == 0:
            return BaseMotion.from_packed(self.packed_at(float(times), place.tolist()))
        values = self.degrees_of_freedom(times)
        return BaseMotion.from_packed(
            rigid_deck.base_motion_series(values, place, self.gravity_magnitude))

    def packed_at(self, t: float, point: Any = ORIGIN) -> FloatArray:
        """Return ``at(t, point).packed``, (12,), for loops that count microseconds."""
        return rigid_deck.base_motion_at(self._numbers(t), point, self.gravity_magnitude)

    def rotation_at(self, t: float) -> FloatArray:
        """Return ``pose(t).rotation``, (3, 3), at one time in s, for such loops."""
        return rotations.matrix_from_rpy(self._numbers(t)[3:6])

    def _numbers(self, t: float) -> list[float]:
        numbers = self.source.evaluate(t)
        return apply_ramp(numbers, t, self.ramp_in) if t < self.ramp_in else numbers

    def degrees_of_freedom(self, t: FloatArray) -> FloatArray:
        """
        Return surge, sway, heave, roll, pitch, yaw, their rates and accelerations.

        Parameters
        ----------
        t : ndarray, (T,), s

        Returns
        -------
        ndarray, (T, 18)
            In m, rad and per s, s^2.
        """
        return apply_ramp_series(self.source.evaluate_series(t), t, self.ramp_in)

    def pose(self, t: ArrayLike, point: ArrayLike = ORIGIN) -> DeckPose:
        """Return pose, velocities and accelerations of a deck point; arguments as :meth:`at`."""
        place = as_vector('point', point, 3, 'm')
        scalar = np.ndim(t) == 0
        x = self.degrees_of_freedom(as_vector('t', np.atleast_1d(t), None, 's'))
        rpy = x[:, 3:6]
        R = rotations.matrix_from_rpy(rpy)
        w, wd = attitude.angular_motion_from_rpy(rpy, x[:, 9:12], x[:, 15:18])
        velocity = rotations.cross(w, place)
        acceleration = rotations.cross(wd, place) + rotations.cross(w, velocity)
        columns = (x[:, 0:3] + R @ place, R, rpy, x[:, 6:9] + rotations.rotate(R, velocity),
                   x[:, 12:15] + rotations.rotate(R, acceleration), w, wd)
        return DeckPose(*(column[0] if scalar else column for column in columns))
