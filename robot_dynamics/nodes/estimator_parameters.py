"""Where the sensor of the base sits, and how its stream becomes base motion, as parameters."""

from __future__ import annotations

import dataclasses
from typing import Collection, Optional

from numpy.typing import ArrayLike
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, group, parameter
from robot_dynamics.estimation.estimators import ADAPTIVE, make_estimator, warm_up_estimator
from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.imu.imu_gate import ImuCheck, ImuGate
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.plausibility import ImuChecksConfig, plausibility_checks
from robot_dynamics.imu.sample_checks import FrameCheck, OrientationCheck
from robot_dynamics.imu.sensor_self_test import SensorSelfTest
from robot_dynamics.motion.rotations import matrix_from_rpy

AXES = {'by_frame': None, 'flu': False, 'ned': True}


@dataclasses.dataclass(frozen=True)
class EstimatorConfig(Configuration):
    """The sensor and the estimator."""

    window: float = parameter(
        0.0, 'time that savitzky_golay looks back: longer is smoother, follows less; 0: its own',
        's', 0.0, 30.0, live=False)
    axes: str = parameter(
        'by_frame', 'axes of the messages: FLU in a world with z up, FRD in a NED world, or the '
        'latter if the frame ends in _ned', choices=tuple(AXES), live=False)
    self_test: bool = parameter(
        True, 'refuse a sensor whose first samples show a wrong sign, frame or unit', live=False)
    mounting_rpy: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'roll, pitch, yaw of the sensor on the platform', 'rad', -7.0, 7.0,
        live=False)
    mounting_xyz: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'place of the sensor in platform axes', 'm', -1e3, 1e3, live=False)
    link: str = parameter(
        '', 'link of the description on which the sensor sits, fixed to the arm base; instead of '
        'mounting_rpy and mounting_xyz', live=False)
    frame_id: str = parameter(
        '', 'frame that the messages must name; empty: that of link, or that of the first message',
        live=False)
    checks: ImuChecksConfig = group(ImuChecksConfig)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ('mounting_rpy', 'mounting_xyz'):
            if len(getattr(self, name)) != 3:
                raise ConfigurationError(f'imu.{name}: expected 3 values')
            if self.link and any(getattr(self, name)):
                raise ConfigurationError(f'imu.link: gives the pose that {name} gives as well; '
                                         'set one of the two')

    def gate(self, gravity: float, mounting: Optional[ImuMounting] = None,
             elsewhere: Collection[str] = (), up: Optional[ArrayLike] = (0.0, 0.0, 1.0),
             orientation_required: bool = True) -> ImuGate:
        """
        Return the gate that samples pass on their way to the estimator.

        Parameters
        ----------
        gravity : float, m/s^2
        mounting : ImuMounting, optional
            Instead of that of the parameters; what it leaves open of the axes, they say.
        elsewhere : collection of str
            Frames that messages must not name: links in another place than the mounting.
        up : array_like, (3,), or None
            Direction of up in base axes while the platform is level; None where only the sensor
            tells.
        orientation_required : bool
            Whether samples without orientation are refused.
        """
        place = mounting or self.mounting()
        if place.ned is None:
            place = ImuMounting(place.R_BI, place.p_BI, AXES[self.axes])
        checks: list[ImuCheck] = [FrameCheck(self.frame_id or self.link, elsewhere)]
        if orientation_required:
            checks.append(OrientationCheck())
        return ImuGate(place, checks, (
            [SensorSelfTest(place.ned, gravity, up)] if self.self_test else []),
            plausibility_checks(gravity, self.checks))

    def estimator(self, gravity: float, mounting: Optional[ImuMounting], kind: str = ADAPTIVE
                  ) -> BaseMotionSource:
        """
        Return a new estimator that was warmed up.

        Parameters
        ----------
        gravity : float, m/s^2
        mounting : ImuMounting or None
            What is left of it behind the gate.
        kind : str
            One of :data:`~robot_dynamics.estimation.estimators.ESTIMATORS`.
        """
        warm_up_estimator(kind)
        return make_estimator(kind, mounting, gravity, self.window, self_maintaining=False)

    def mounting(self) -> ImuMounting:
        """Return where the sensor sits."""
        return ImuMounting(
            matrix_from_rpy(self.mounting_rpy), self.mounting_xyz, AXES[self.axes])
