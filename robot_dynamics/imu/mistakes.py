"""What may be wrong with an IMU, and a finding that suspects some of it."""

from __future__ import annotations

from dataclasses import dataclass
import enum

from robot_dynamics.core.checks import Finding


class Mistake(str, enum.Enum):
    """What a check may suspect."""

    GRAVITY_REMOVED = 'gravity_removed'      # linear acceleration instead of specific force
    GRAVITY_TWICE = 'gravity_twice'          # gravity added to the specific force
    UNITS_OF_G = 'units_of_g'                # force in g instead of m/s^2
    FORCE_SCALE = 'force_scale'              # force of no known unit
    NED_AS_FLU = 'ned_as_flu'                # FRD axes in a frame that says FLU
    FLU_AS_NED = 'flu_as_ned'                # and the reverse
    FORCE_SIGN = 'force_sign'                # gravity instead of specific force
    UPSIDE_DOWN = 'upside_down'              # mounting upside down, and not told
    MOUNTING = 'mounting'                    # mounting askew, and not told
    ORIENTATION_WORLD = 'orientation_world'  # orientation in a world with z down
    ORIENTATION_SIGN = 'orientation_sign'    # tilt about an axis of the wrong sign
    ORIENTATION_FROZEN = 'orientation_frozen'  # orientation that does not change
    RATE_SIGN = 'rate_sign'                  # rate about an axis of the wrong sign
    RATE_UNIT = 'rate_unit'                  # deg/s instead of rad/s
    RATE_DEAD = 'rate_dead'                  # rate of zero throughout


@dataclass(frozen=True)
class Suspicion(Finding):
    """A finding with its likely cause."""

    #: The likeliest first; the samples cannot tell those listed together apart
    mistakes: tuple[Mistake, ...] = ()
