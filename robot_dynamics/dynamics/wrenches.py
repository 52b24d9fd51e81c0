"""What external wrenches add to torques and to the wrench on the deck."""

from __future__ import annotations

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_mapping, FloatArray
from robot_dynamics.dynamics.formulation import Formulation
from robot_dynamics.dynamics.loads import checked_wrench, ExternalWrenches
from robot_dynamics.dynamics.samples import Samples


def add_wrenches(formulation: Formulation, samples: Samples, wrenches: ExternalWrenches,
                 tau: FloatArray, deck: FloatArray) -> None:
    """
    Add the share of external wrenches, in place.

    Parameters
    ----------
    formulation : Formulation
        Kernels of the robot.
    samples : Samples
        Checked motion; its first array is q.
    wrenches : mapping
        Force and moment by link.
    tau : ndarray, (nv,) or (T, nv)
        Joint torques: less J^T of each wrench, because the environment carries that share.
    deck : ndarray, (6,) or (T, 6)
        Wrench on the ground: plus each wrench, moved to where the robot stands.

    Raises
    ------
    UnknownNameError
        If there is no such link.
    InputError
        If a wrench has the wrong shape or number of samples, or there is no mapping.
    """
    by_link = as_mapping('external_wrenches', wrenches, 'link names to force and moment')
    for link, value in by_link.items():
        frame = formulation.standing.frame(link)
        array, base_axes = checked_wrench(link, value)
        if base_axes and not samples.placed:
            raise InputError('pose', f'is missing, but the wrench on {link!r} is in axes of the '
                                     "deck; give BaseState(motion, pose), or the frame 'link'")
        if array.ndim == 2 and (samples.number is None or len(array) not in (
                1, samples.number)):
            raise InputError(f'external_wrenches[{link!r}]', f'has {len(array)} samples where '
                             f'the motion has {samples.number or 1}')
        if samples.number is not None:
            array = np.atleast_2d(array)
        kernel = formulation.external(frame.body, frame.R_BL, frame.p_BL, base_axes)
        shares = samples.empty(formulation.model.nv), samples.empty(6)
        place = (samples.base,) if formulation.support.pose_size else ()
        samples.run(kernel, (samples.arrays[0], *place, array), shares)
        tau += shares[0]
        deck += shares[1]
