"""
Checks of measured joint values against what the description allows, and against one another.

They have the shape of :class:`~robot_dynamics.core.checks.Check`.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from robot_dynamics.control import joint_kernel
from robot_dynamics.core.checks import Finding
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.kernel_cache import compiled_entries
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.model.robot_model import RobotModel

# what a check of the kernel says, and the unit of what it compares, where the joint turns
TEXTS = {
    'position_range': ('the position of joint {joint} is {value:.6g} {unit}, beyond {bound:.6g} '
                       '{unit}', 'rad'),
    'position_change': ('the position of joint {joint} steps by {value:.6g} {unit} from the last '
                        'plausible one, more than {bound:.6g} {unit}', 'rad'),
    'velocity_range': ('the velocity of joint {joint} is {value:.6g} {unit}, beyond {bound:.6g} '
                       '{unit}', 'rad/s'),
    'position_frozen': ('the position of joint {joint} has not changed for {seconds:.2f} s at a '
                        'reported {velocity:.3g} {unit}/s', 'rad'),
    'velocity_agreement': ('joint {joint} has gone {value:.3g} {unit} further than its reported '
                           'velocity of {velocity:.3g} {unit}/s leads, more than {bound:.3g} '
                           '{unit}', 'rad'),
    'state_frozen': ('joint states have repeated themselves, efforts and all, for {seconds:.2f} '
                     's, in which the command to joint {joint} changed by {value:.3g} {unit}',
                     'Nm')}
BOUNDS = {'lower': -np.inf, 'upper': np.inf, 'speed': np.inf, 'step': np.inf, 'fastest': np.inf,
          'drift': np.inf}
_NONE: FloatArray = np.zeros(0)


@dataclasses.dataclass(frozen=True)
class JointChecksConfig(Configuration):
    """Which measured joint positions and velocities are plausible."""

    position_margin: float = parameter(
        0.1, 'how far a measured position may lie beyond the limits of the description',
        'rad or m', 0.0, 1e6, live=False)
    velocity_drift: float = parameter(
        3e-3, 'how far a joint may go, at once or within some 0.02 s, beside a quarter more than '
        'its reported velocity says', 'rad or m', 1e-5, 1e6, live=False)
    position_step: float = parameter(
        0.05, 'how far a measured position may lie from the last one, beside what the velocity '
        'allows', 'rad or m', 1e-3, 1e6, live=False)
    velocity_factor: float = parameter(
        2.0, 'that velocity, and the largest plausible one that is reported, as a multiple of the '
        'velocity limit', '', 0.1, 1e6, live=False)


class JointPositions(NamedTuple):
    """What the checks of joint states look at."""

    stamp_ns: int
    position: FloatArray  #: (n,), rad or m
    velocity: Optional[FloatArray] = None  #: (n,), rad/s or m/s, where it is reported
    effort: Optional[FloatArray] = None  #: (n,), Nm or N, where it is measured


class JointChecks:
    """
    All checks of joint states (:mod:`.joint_kernel`): the first that finds something counts.

    Parameters
    ----------
    names, units : sequence of str
        Of the joints, in the order of the arrays.
    commanded : sequence of str
        Those that are commanded, in command order.
    **bounds : float or (n,) array
        Those of :data:`BOUNDS`; what is not given bounds nothing.

    Attributes
    ----------
    corrects : bool
        Whether there is any correction of the last velocities.
    """

    signal = 'joint_states'

    def __init__(self, names: Sequence[str], units: Sequence[str], commanded: Sequence[str] = (),
                 **bounds: Any) -> None:
        self._names, self._units, self._commanded = tuple(names), tuple(units), tuple(commanded)
        self._fresh = np.zeros(len(self._names), joint_kernel.JOINT)
        self._fresh['stood_q'] = np.nan
        for name, value in {**BOUNDS, **bounds}.items():
            self._fresh[name] = value
        self._joints, self._state = self._fresh.copy(), np.zeros(1, joint_kernel.STATE)
        self._command = self._limit = _NONE
        self.corrects = False
        compiled()

    def reset(self) -> None:
        """Forget earlier joint states, and keep how noisy they are and how long they repeat."""
        joints, state = self._fresh.copy(), np.zeros_like(self._state)
        joints['noise'] = self._joints['noise']
        for name in ('repeats', 'longest_repeat'):
            state[name] = self._state[name]
        self._joints, self._state = joints, state

    @property
    def correction(self) -> FloatArray:
        """What to add to the reported velocities, (n,), rad/s or m/s."""
        return self._joints['correction']

    @property
    def instead(self) -> Optional[FloatArray]:
        """Velocities of the positions, (n,), where the reported ones were found wrong, or None."""
        return self._joints['slope'] if self._state['instead'][0] else None

    def on_command(self, effort: Optional[FloatArray], effort_limit: FloatArray) -> None:
        """Take note of what is sent, (n,), Nm, in command order; it must not change later."""
        self._command, self._limit = _NONE if effort is None else effort, effort_limit

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint that is furthest beyond a bound."""
        return self.judge(*sample)

    def judge(self, stamp_ns: int, q: FloatArray, v: Optional[FloatArray],
              tau: Optional[FloatArray]) -> Optional[Finding]:
        """Examine the fields of a sample."""
        number = compiled()(
            self._joints, self._state, stamp_ns, q, _NONE if v is None else v,
            _NONE if tau is None else tau, self._command, self._limit)
        self.corrects = number == joint_kernel.CORRECTED
        if number < 0:
            return None
        state, check = self._state[0], joint_kernel.CHECKS[number]
        i, value, bound = int(state['joint']), float(state['value']), float(state['bound'])
        text, unit = TEXTS[check]
        names, signal = (self._commanded, 'effort') if unit == 'Nm' else (
            self._names, check.split('_')[0])
        unit = unit.replace('rad', self._units[i])
        return Finding(check, signal, text.format(
            joint=names[i], value=value, bound=bound, unit=unit,
            velocity=0.0 if v is None else v[i],
            seconds=1e-9 * int(state['lasting_ns'])), value, bound, unit)


@functools.lru_cache(maxsize=1)
def compiled() -> Callable[..., int]:
    """Compile the checks (some seconds, once a machine), or take them from the cache."""
    from numba import typeof, types
    read = types.Array(types.float64, 1, 'A', readonly=True)
    [kernel] = compiled_entries(joint_kernel, inspect.getsource(joint_kernel), frozenset(), {
        'examine': (typeof(np.zeros(1, joint_kernel.JOINT)),
                    typeof(np.zeros(1, joint_kernel.STATE)), types.int64, *[read] * 5)})
    return kernel


def joint_units(model: RobotModel, names: Sequence[str]) -> list[str]:
    """Return the units of positions of joints."""
    return ['m' if model.joints[model.index(name)].kind == 'prismatic' else 'rad'
            for name in names]


def joint_checks(model: RobotModel, config: JointChecksConfig,
                 joints: Optional[Sequence[int]] = None, commanded: Sequence[str] = ()
                 ) -> JointChecks:
    """Return the checks of joint states in the order of a model's joints, or of some of them."""
    columns = list(range(model.nv) if joints is None else joints)
    names = [model.joint_names[i] for i in columns]
    speed = np.asarray(model.velocity_limit)[columns]
    fastest = config.velocity_factor * np.where(speed > 0.0, speed, np.inf)
    return JointChecks(
        names, joint_units(model, names), commanded,
        lower=model.lower[columns] - config.position_margin,
        upper=model.upper[columns] + config.position_margin,
        speed=fastest, step=config.position_step, fastest=fastest, drift=config.velocity_drift)


class EffortRangeCheck:
    """
    Efforts lie within the effort limits.

    Parameters
    ----------
    names : sequence of str
        Joints in the order of ``bound``.
    bound : (n,) array, Nm
    what : str
        The efforts that these are, for the text.
    """

    signal = 'effort'

    def __init__(self, names: Sequence[str], bound: FloatArray,
                 what: str = 'measured effort') -> None:
        self._names, self._what = tuple(names), what
        self._bound = bound

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, effort: FloatArray) -> Optional[Finding]:
        """Name the joint that is furthest beyond its limit, of an effort (n,) in Nm."""
        excess = np.abs(effort) - self._bound
        i = int(np.argmax(excess))
        if excess[i] <= 0.0:
            return None
        value, bound = float(effort[i]), float(self._bound[i])
        return Finding(
            'effort_range', self.signal, f'the {self._what} of joint {self._names[i]} is '
            f'{value:.6g} Nm, beyond its limit of {bound:.6g} Nm', value, bound, 'Nm')
