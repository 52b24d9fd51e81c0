"""
Whether recordings can teach at all: what moved, and whether the effort is a torque of this arm.

Along each joint the measured effort is laid against its description: a share of gravity, a share
of everything else, friction and an offset.  An effort without gravity, of the other sign, or in
another unit shows in the share of gravity, which friction cannot take over; where nothing is
lifted, the sign shows in friction, which takes power and gives none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, INFO, SEVERE, WARNING
from robot_dynamics.core.errors import IdentificationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.identification.equations import Equations
from robot_dynamics.identification.layout import Layout, numbers_of
from robot_dynamics.identification.regressor_rows import RegressorRows


STANDING = 0.01
"""RMS speed below which a joint stood still, rad/s or m/s."""

_FEWEST = 10.0  # independent equations of a joint
_SATURATED = 0.2  # share of samples
_SCALE = 0.02  # of a load that is known: scales that agree no worse fit
_GRAVITY = 0.01  # gravity's variation over that of the effort, from which on it tells anything
_BRAKES = 0.02  # correlation of friction with velocity, in parts of the effort: it takes power
_DRIVES = 0.1  # the same of friction that gives power
_SWING = 3.0  # described gravity over effort, both as they vary: more is not in Nm
_NEW = 12.0  # a second: how often an arm's motion tells something new


@dataclass(frozen=True)
class GravityShare:
    """How much of the described gravity a joint's effort shows."""

    value: float  #: The share
    error: float  #: Its standard error
    swing: float  #: How far the described gravity varies, over how far the effort does
    #: What friction takes, as a correlation with the velocity: -1 to 1, positive where the sign is
    #: right
    power: float
    #: Its standard error, large where friction cannot be told from inertia
    power_error: float = 0.0

    @property
    def is_clear(self) -> bool:
        """Whether it tells anything."""
        return self.error < 0.15 * max(1.0, abs(self.value)) and bool(np.isfinite(self.value))


def refuse(findings: Findings, force: bool, code: str, element: str, text: str) -> None:
    """Raise, or where the user insists note it as severe."""
    if not force:
        raise IdentificationError(f'{element}: {text} (--force goes on all the same)')
    findings.add(SEVERE, code, element, text)


def check_motion(rows: RegressorRows, names: Sequence[str], findings: Findings, force: bool
                 ) -> NDArray[np.bool_]:
    """Refuse an arm that stood still; return which joints moved."""
    samples = max(rows.samples, 1)
    moved: NDArray[np.bool_] = np.sqrt(rows.speed_squared / samples) > STANDING
    if not rows.measured.any():
        raise IdentificationError('effort: no joint has a measured effort, so there is nothing to '
                                  'learn from')
    for joint, share in enumerate((rows.saturated / samples).tolist()):
        if share > _SATURATED:
            refuse(findings, force, 'effort-saturated', names[joint],
                   f'at its effort limit in {100 * share:.0f} % of the samples; record a slower '
                   'motion; if it was slow, the effort is not in N m')
        elif share > 0:
            findings.add(WARNING, 'effort-saturated', names[joint],
                         f'at its effort limit in {100 * share:.2g} % of the samples, which were '
                         'left out')
    if not moved[rows.measured].any():
        refuse(findings, force, 'stood-still', 'recording',
               'the arm stood still; record a motion of every joint (robot-dynamics excite '
               'designs one)')
    for joint in numbers_of(rows.measured & ~moved):
        findings.add(WARNING, 'joint-still', names[joint],
                     'never moved: its friction and rotor stay as described')
    for joint in numbers_of(~rows.measured):
        findings.add(WARNING, 'joint-unmeasured', names[joint],
                     'has no measured effort: what only it feels stays as described')
    return moved


def gravity_shares(layout: Layout, equations: Equations, measured: NDArray[np.bool_]
                   ) -> List[GravityShare]:
    """Return the share of described gravity in each joint's effort."""
    columns, described = equations.columns, layout.described
    shares = []
    for joint in range(layout.model.nv):
        R = equations.triangle(joint)
        gravity, torque = R[:, columns.gravity], R[:, columns.torque]
        rigid = R[:, :columns.inertial] @ described[:columns.inertial]
        count = equations.count
        losses = [R[:, columns.velocity]] + [
            R[:, columns.index(term)] for term in ('coulomb', 'offset')
            if (term, 0.0) in columns.terms]
        spread = float(np.linalg.norm(_without(gravity, losses[-1:])))
        if not measured[joint]:
            shares.append(GravityShare(np.nan, np.inf, 0.0, 0.0, np.inf))
            continue
        lifts = spread > _GRAVITY * np.linalg.norm(torque)
        rest = rigid - gravity
        if np.linalg.norm(rest) < 1e-6 * np.linalg.norm(gravity):
            rest = np.zeros_like(rest)
        A = np.column_stack([gravity if lifts else np.zeros_like(gravity), rest, *losses])
        scale = np.maximum(np.linalg.norm(A, axis=0), 1e-12)
        beta = np.linalg.lstsq(A / scale, torque, rcond=1e-9)[0]
        left = np.sum((torque - A / scale @ beta)**2) / max(count - A.shape[1], 1)
        inverse = np.linalg.pinv((A / scale).T @ (A / scale), rcond=1e-12)
        varying = max(float(np.linalg.norm(_without(torque, losses[-1:]))), 1e-300)
        velocity = losses[0]
        friction = slice(2, 2 + len(losses[:-1]))
        taken = velocity @ (A / scale)[:, friction] / max(
            float(np.linalg.norm(velocity) * varying), 1e-300)
        # residuals repeat themselves: about one in six counts
        covariance = 6.0 * left * inverse
        error = float(np.sqrt(covariance[0, 0]) / scale[0]) if lifts else np.inf
        shares.append(GravityShare(
            float(beta[0] / scale[0]), error, spread / varying,
            float(taken @ beta[friction]),
            float(np.sqrt(taken @ covariance[friction, friction] @ taken))))
    return shares


def check_efforts(shares: Sequence[GravityShare], names: Sequence[str], findings: Findings,
                  force: bool, loaded: bool = False) -> None:
    """
    Refuse efforts that are no torques of the described arm.

    Parameters
    ----------
    loaded : bool
        Whether it may carry more than is described.
    """
    reversed_joints = [
        names[j] for j, share in enumerate(shares)
        if share.power + 2.0 * share.power_error < -_DRIVES or (
            share.is_clear and share.value < -0.3 and share.power < _BRAKES)]
    if reversed_joints:
        refuse(findings, force, 'effort-sign', ', '.join(reversed_joints),
               'its effort runs against the weight that it lifts, or its friction drives it: the '
               'sign is reversed')
    clear = [j for j, share in enumerate(shares) if share.is_clear]
    if not clear:
        findings.add(INFO, 'effort-unchecked', 'effort', 'no joint lifts enough to tell whether '
                     'the efforts are torques with gravity in them')
        return
    values = np.array([shares[j].value for j in clear])
    weight = float(np.median([abs(shares[j].value) * shares[j].swing for j in clear]))
    if np.median(np.abs(values)) < 0.3 and (weight < 0.4 or np.median(values) < 0.0):
        refuse(findings, force, 'effort-no-gravity', 'effort',
               f'shows {100 * np.median(values):.0f} % of the weight that the joints lift: '
               'gravity has been taken out of it; record the whole torque')
    elif not 0.5 < np.median(values) < (10.0 if loaded else 2.0):
        refuse(findings, force, 'effort-scale', 'effort',
               f'is {np.median(values):.3g} times what the weight of the arm asks for: probably a '
               'motor current or a torque before the gearbox (scale it to N m at the joints), or '
               'without a part of gravity')
    else:
        for joint in clear:
            if shares[joint].swing > _SWING:
                refuse(findings, force, 'effort-scale', names[joint],
                       f'its weight alone would vary {shares[joint].swing:.2g} times as far as '
                       'its effort does: probably a motor current, a torque before the gearbox, '
                       'or one without gravity; scale it to N m at the joint')


def check_effective(effective: FloatArray, count: int, seconds: float,
                    measured: NDArray[np.bool_], moved: NDArray[np.bool_], numbers: int,
                    names: Sequence[str], findings: Findings, force: bool) -> None:
    """
    Refuse recordings that are too short to tell anything: fewer equations than numbers.

    Parameters
    ----------
    effective : (nv,) array
        How many equations of a joint are independent.
    count : int
        How many there are.
    seconds : float
        That they were recorded in.
    measured, moved : (nv,) array of bool
    numbers : int
        That are to be found.
    """
    effective = np.minimum(effective, _NEW * seconds)
    total = float(np.sum(effective[measured]))
    doubt = ''
    if count > 2.0 * max(_FEWEST, numbers / max(measured.sum(), 1)):  # enough, if independent
        doubt = (f'; as it gives {count} in all, the model rather misses something: is the effort '
                 'of every joint in N m, of the right sign, is there a load (--payload), other '
                 'friction (--friction-model), or something kept (--keep, --only) that is not as '
                 'described?')
    if total < numbers:
        refuse(findings, force, 'too-short', 'recording',
               f'gives {total:.0f} independent equations for {numbers} numbers; record longer'
               + doubt)
    for joint in numbers_of(measured & moved):
        if effective[joint] < _FEWEST:
            refuse(findings, force, 'too-short', names[joint],
                   f'the recording gives only {effective[joint]:.0f} independent equations; '
                   f'record longer (at least {_FEWEST:.0f} are needed, some hundred are good)'
                   + doubt)


def check_scale(theta: FloatArray, covariance: FloatArray, place: int, known: Optional[float],
                findings: Findings, force: bool) -> None:
    """
    Refuse efforts in which a load that is known weighs something else.

    Parameters
    ----------
    theta, covariance : (size,), (size, size) array
        What was found.
    place : int
        Of the load's mass in it.
    known : float or None
        What the load weighs, kg.
    """
    if known is None:
        findings.add(INFO, 'torque-scale', 'effort', 'the scale of the efforts cannot be told '
                     'from motion alone: where all are 10 % too large, so are the masses; a load '
                     'that is known tells (--payload LINK --payload-mass KG)')
        return
    found, error = float(theta[place]), float(np.sqrt(covariance[place, place]))
    told = (f'the load of {known:.3g} kg is found with {found:.3g} kg, known to '
            f'{2 * error:.2g} kg (two standard deviations)')
    if abs(found - known) > max(3.0 * error, _SCALE * known):
        refuse(findings, force, 'torque-scale', 'effort',
               f'{told}: its scale does not fit; multiply it by about {known / found:.3g}'
               if found > 0.0 else f'{told}: it is not that of an arm with this load')
    findings.add(INFO, 'torque-scale', 'effort', f'{told}: that is what its scale is known to')


def _without(values: FloatArray, basis: List[FloatArray]) -> FloatArray:
    for part in basis:
        square = float(part @ part)
        if square > 0:
            values = values - part * (part @ values) / square
    return values
