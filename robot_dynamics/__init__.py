"""
Inverse dynamics of robots whose base moves, and ROS 2 nodes that feed it forward.

The names below are the public interface.  They load on first use, so that importing the
package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import Any, TYPE_CHECKING

if TYPE_CHECKING:
    from robot_dynamics.core.errors import RobotDynamicsError
    from robot_dynamics.dynamics.forward import ForwardDynamics
    from robot_dynamics.dynamics.inverse import InverseDynamics
    from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
    from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
    from robot_dynamics.dynamics.supports.omnidirectional import Omnidirectional
    from robot_dynamics.model.robot_model import RobotModel
    from robot_dynamics.motion.base_motion import BaseMotion, BaseMotionSeries
    from robot_dynamics.motion.base_state import BaseState
    from robot_dynamics.ship.ship_motion import ShipMotion

__version__ = '0.1.0'

_HOMES = {
    'BaseMotion': 'motion.base_motion',
    'BaseMotionSeries': 'motion.base_motion',
    'BaseState': 'motion.base_state',
    'DifferentialDrive': 'dynamics.supports.differential_drive',
    'FixedMount': 'dynamics.supports.fixed_mount',
    'ForwardDynamics': 'dynamics.forward',
    'InverseDynamics': 'dynamics.inverse',
    'Omnidirectional': 'dynamics.supports.omnidirectional',
    'RobotDynamicsError': 'core.errors',
    'RobotModel': 'model.robot_model',
    'ShipMotion': 'ship.ship_motion',
}

__all__ = [
    'BaseMotion', 'BaseMotionSeries', 'BaseState', 'DifferentialDrive', 'FixedMount',
    'ForwardDynamics', 'InverseDynamics', 'Omnidirectional', 'RobotDynamicsError', 'RobotModel',
    'ShipMotion', '__version__']


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    value = getattr(importlib.import_module(f'{__name__}.{_HOMES[name]}'), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_HOMES))
