"""What this room needs of the objects that it is given."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Protocol

from numpy.typing import ArrayLike

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.loads import ExternalWrench, ExternalWrenches
from robot_dynamics.dynamics.samples import AnyBase
from robot_dynamics.dynamics.supports.protocol import Support
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.model.robot_model import RobotModel

Wrenches = Mapping[str, ExternalWrench]


class RobotDynamics(Protocol):
    """
    Inverse dynamics of the whole robot.

    :class:`~robot_dynamics.dynamics.inverse.InverseDynamics` is one.  A shallow copy must be
    independent of its original as far as payloads go.
    """

    @property
    def model(self) -> RobotModel:
        """Robot whose torques these are, with the joints in their order."""

    @property
    def support(self) -> Support:
        """What the robot stands on."""

    @property
    def method(self) -> str:
        """Formulation."""

    @property
    def friction(self) -> bool:
        """Whether friction is part of the torque."""

    @property
    def rotor_inertia(self) -> FloatArray:
        """Reflected rotor inertia in use, (nv,)."""

    def torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: AnyBase = None,
               external_wrenches: Optional[ExternalWrenches] = None,
               out: Optional[FloatArray] = None) -> FloatArray:
        """Torque for a motion, (nv,)."""

    def terms(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: AnyBase = None) -> Terms:
        """Torque by cause."""

    def base_wrench(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: AnyBase = None,
                    external_wrenches: Optional[ExternalWrenches] = None) -> FloatArray:
        """Wrench of the robot on what carries it, (6,)."""

    def mass_matrix(self, q: ArrayLike) -> FloatArray:
        """Mass matrix, (nv, nv)."""

    def regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, base: AnyBase = None
                  ) -> FloatArray:
        """Torque as a linear function of the bodies' parameters, (nv, 10 bodies)."""

    def friction_torque(self, qd: ArrayLike) -> FloatArray:
        """Friction of the model, (nv,)."""

    def external_torque(self, q: ArrayLike, external_wrenches: ExternalWrenches,
                        base: AnyBase = None) -> FloatArray:
        """Torque that wrenches of the environment add, (nv,)."""

    def set_payload(self, link: str, mass: float, com: ArrayLike = (0.0, 0.0, 0.0),
                    inertia: ArrayLike = ((0.0,) * 3,) * 3) -> None:
        """Attach a load to a link."""

    def clear_payload(self) -> None:
        """Remove the load."""

    def prepare_payload(self, link: str, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile what a load on a link needs."""

    def is_prepared_for(self, link: str) -> bool:
        """Whether a load on a link needs no compiling."""

    def warm_up(self, *kernels: str, progress: Optional[Callable[[str], Any]] = None) -> None:
        """Compile ahead of time."""
