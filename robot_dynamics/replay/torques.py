"""The torques of aligned samples: by both methods, by cause, with and without base motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Iterator, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.samples import AnyBase
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.platform_motion import deck_motion
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.replay.alignment import Alignment, Block
from robot_dynamics.replay.driving import Wheels
from robot_dynamics.replay.wheel_path import WheelPath

CAUSES = ('inertia', 'coriolis', 'gravity', 'tilt', 'base_inertial', 'base_coriolis',
          'friction', 'rotor')
"""
The terms of ``InverseDynamics.terms``, with gravity split into that of a level base and *tilt*.

The last three of the first six are what the base causes: moving minus fixed.
"""

LEFT_OUT = ('gravity', 'level_gravity', 'inertia', 'coriolis', 'base_inertial', 'base_coriolis')
"""
What an effort may lack: a term, gravity with the tilt of the base or that on a level base.

The last is what a controller compensates that does not know how its base moves.
"""

METHODS = ('newton_euler', 'lagrange_euler')


@dataclass(frozen=True)
class TorqueBlock:
    """Samples with their torques; rows that could not be computed hold NaN."""

    samples: Block  #: What was recorded
    computed: FloatArray  #: (N, nv), torque of the model on the moving base, N m (N)
    fixed: FloatArray  #: (N, nv), the same on a level base that does not move
    #: (N, nv), parts of ``computed`` by cause, in the order of :data:`CAUSES`
    causes: Dict[str, FloatArray]
    #: (N, 6), force and moment of the arm on the deck, base frame; of a robot that drives below
    #: the middle of its axle, x forward
    wrench: FloatArray


class ReplayTorques:
    """
    The two formulations for one robot.

    Parameters
    ----------
    model : RobotModel
        The robot; its rotor inertia counts where it has one.
    friction : bool
        Add the friction that the description states.
    backend : str
        As in ``InverseDynamics``.
    wheels : Wheels, optional
        Of a robot that drives; the base is then its platform.
    path : WheelPath, optional
        Where it drove: the base is then the deck.
    leave_out : sequence of str
        Causes that the recorded effort does not contain, such as ``gravity``.

    Attributes
    ----------
    difference : float
        Largest difference between the two methods so far, relative above 1 N m.
    """

    def __init__(self, model: RobotModel, friction: bool = False,
                 backend: str = 'numba', wheels: Optional[Wheels] = None,
                 leave_out: Sequence[str] = (), path: Optional[WheelPath] = None) -> None:
        self.model, self.wheels, self.path = model, wheels, path
        self.leave_out = tuple(leave_out)
        for name in self.leave_out:
            if name not in LEFT_OUT:
                raise UnknownNameError('cause to leave out', name, LEFT_OUT)
        self.friction = friction
        self.difference = 0.0
        self._newton, self._lagrange = (
            _dynamics(model, method, friction, backend, wheels) for method in METHODS)

    def warm_up(self, progress: Optional[Callable[[str], None]] = None) -> None:
        """Compile before the clock runs, saying what is compiled."""
        if self._newton.backend != 'numba':
            return
        for dynamics in (self._newton, self._lagrange):
            dynamics.warm_up('batch', progress=progress)
        q, qd, qdd = np.zeros((3, 2, self.model.nv))
        base = self._stand(BaseMotion(np.zeros((2, 3))), np.zeros(2, np.int64), qd, qdd)
        for kernel in (self._newton.terms, self._newton.base_wrench, self._lagrange.torque):
            kernel(q, qd, qdd, base)

    def of(self, q: FloatArray, qd: FloatArray, qdd: FloatArray, base: Optional[BaseMotion],
           stamp_ns: NDArray[np.int64]) -> FloatArray:
        """Return the torque of some samples, (N, nv), quickly and by one method."""
        stand = self._stand(base, stamp_ns, qd, qdd)
        torque = self._newton.torque(q, qd, qdd, stand)
        if self.leave_out:
            terms = self._newton.terms(q, qd, qdd, stand)
            torque = torque - sum(self._left_out(name, q, terms) for name in self.leave_out)
        return torque

    def interpreted(self) -> ReplayTorques:
        """Return the same without compiled kernels: for few samples of many kinds."""
        return ReplayTorques(self.model, self.friction, 'interpreted', self.wheels,
                             self.leave_out, self.path)

    def _stand(self, base: Optional[BaseMotion], stamp_ns: NDArray[np.int64], qd: FloatArray,
               qdd: FloatArray) -> AnyBase:
        """
        Return what the robot stands on: of one that drives the deck, with its pose on it.

        What the wheels cause is taken from the motion of a platform, so that the base's part of
        the torque is that of the deck alone, and no pose is needed.
        """
        support = self._newton.support
        if base is None or not isinstance(support, RollingPlatform):
            return base
        if self.path is not None:
            return BaseState(base, self.path(stamp_ns))
        return deck_motion(support, base, qd, qdd)

    def _left_out(self, name: str, q: FloatArray, terms: Terms) -> FloatArray:
        if name == 'level_gravity':
            return self._newton.torque(q, 0 * q, 0 * q)
        term: FloatArray = getattr(terms, name)
        return term

    def regressor(self, q: FloatArray, qd: FloatArray, qdd: FloatArray,
                  base: Optional[BaseMotion] = None) -> FloatArray:
        """Return ``InverseDynamics.regressor``, (N, nv, 10 bodies); not of a robot that drives."""
        return self._newton.regressor(q, qd, qdd, base)

    def evaluate(self, block: Block) -> TorqueBlock:
        """Compute everything for one block."""
        count, nv = block.position.shape
        known = np.flatnonzero(np.isfinite(block.acceleration).all(axis=1))
        q, qd, qdd = (values[known] for values in (
            block.position, block.velocity, block.acceleration))
        base: AnyBase = None  # level and still: of a robot that drives the ground
        if block.base_known:
            base = self._stand(block.base[known] if block.base.is_series else block.base,
                               block.stamp_ns[known], qd, qdd)
        terms = self._newton.terms(q, qd, qdd, base)
        causes = terms.as_dict()
        if not self.friction:
            causes.pop('friction')
        if not self.model.rotor_inertia.any():
            causes.pop('rotor')
        total = terms.total
        other = self._lagrange.torque(q, qd, qdd, base)
        if len(known):
            scale = np.maximum(1.0, np.abs(total))
            self.difference = max(self.difference, float((np.abs(other - total) / scale).max()))
        fixed = self._newton.torque(q, qd, qdd) if block.base_known else total
        # the gravity of a tilted base is that of a level one and what the tilt adds
        causes['tilt'] = total - fixed - terms.base_inertial - terms.base_coriolis
        causes['gravity'] = terms.gravity - causes['tilt']
        for name in self.leave_out:
            gone = self._left_out(name, q, terms)
            total, other = total - gone, other - gone
            level = causes.pop(name.replace('level_', ''), 0.0)
            fixed = fixed - (0.0 if name.startswith('base') else level)
            if name == 'gravity':
                causes.pop('tilt')
        causes = {name: causes[name] for name in CAUSES if name in causes}
        wrench = self._newton.base_wrench(q, qd, qdd, base)

        def spread(values: FloatArray) -> FloatArray:
            if len(known) == count:
                return values
            out = np.full((count, values.shape[1]), np.nan)
            out[known] = values
            return out
        return TorqueBlock(block, spread(total), spread(fixed),
                           {name: spread(value) for name, value in causes.items()},
                           spread(wrench))

    def blocks(self, alignment: Alignment) -> Iterator[TorqueBlock]:
        """Yield the torques of a whole recording."""
        for block in alignment.blocks():
            yield self.evaluate(block)


def _dynamics(model: RobotModel, method: str, friction: bool, backend: str,
              wheels: Optional[Wheels]) -> InverseDynamics:
    return InverseDynamics(
        model, method, friction, bool(model.rotor_inertia.any()), backend,
        FixedMount() if wheels is None else DifferentialDrive.from_model(model, *wheels))


def tilt(base: BaseMotion) -> Tuple[FloatArray, FloatArray]:
    """
    Return roll and pitch of the base (rad), (N,) each, from where gravity points.

    Positive pitch is bow down (REP-103).
    """
    up = -base.gravity.reshape(-1, 3)
    return (np.arctan2(up[:, 1], up[:, 2]),
            np.arctan2(-up[:, 0], np.hypot(up[:, 1], up[:, 2])))
