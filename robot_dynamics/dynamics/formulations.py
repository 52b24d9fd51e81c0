"""
The kernels of one robot are traced and loaded once in a process, whoever asks for them.

A feedforward, a simulated robot and an analysis of the same robot share them; so does a node
that is configured again.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

import numpy as np

from robot_dynamics.dynamics.formulation import Formulation, JointLosses
from robot_dynamics.dynamics.supports.protocol import Support
from robot_dynamics.model.robot_model import RobotModel

MOST = 16  # robots; then all are forgotten
_known: Dict[Any, Formulation] = {}


def formulation(model: RobotModel, support: Support, method: str, losses: JointLosses,
                backend: str) -> Formulation:
    """
    Return the kernels of a robot; its equals get the same.

    Parameters
    ----------
    model, support, method, losses, backend
        As for :class:`Formulation`.

    Raises
    ------
    ConfigurationError
        If method or backend does not exist.
    """
    key = (model.name, model.fingerprint, _content(support), method, _content(losses), backend)
    found = _known.get(key)
    if found is None:
        found = Formulation(model, support, method, losses, backend)
        if len(_known) >= MOST:
            _known.clear()
        _known[key] = found
    return found


def _content(value: Any) -> Any:
    """Return what is equal and hashes equally for equal data, or for the same other object."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if dataclasses.is_dataclass(value):
        return type(value), tuple(
            _content(getattr(value, field.name)) for field in dataclasses.fields(value))
    return value
