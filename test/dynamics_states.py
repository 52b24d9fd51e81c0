"""Random motions of arm and base, and how results are compared."""

import numpy as np

from robot_dynamics import BaseMotion


def random_state(rng, nv, samples=None):
    """Return q, qd, qdd, each (nv,) or (samples, nv)."""
    shape = (nv,) if samples is None else (samples, nv)
    return [rng.uniform(-scale, scale, shape) for scale in (2.5, 2.0, 4.0)]


def random_base(rng, samples=None):
    """Return a base that turns and accelerates in every direction."""
    shape = (3,) if samples is None else (samples, 3)
    return BaseMotion(*(rng.normal(0.0, scale, shape) for scale in (1.0, 2.0, 3.0, 6.0)))


def relative_error(value, reference):
    """Largest difference, relative where the reference exceeds 1."""
    value, reference = np.asarray(value), np.asarray(reference)
    return float(np.max(np.abs(value - reference) / np.maximum(1.0, np.abs(reference)),
                        initial=0.0))
