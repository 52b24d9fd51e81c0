"""The coupled run of the mobile manipulator as a recording, for ``robot-dynamics analyze``."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import numpy as np

from robot_dynamics.app.demo.mobile_outcome import configured_imu, demo_drive, driven_path
from robot_dynamics.app.demo.mobile_runs import MobileOptions, MobileRun
from robot_dynamics.app.demo.recorded import REFERENCE_PERIOD, stamps_ns, write_imu
from robot_dynamics.app.mobile_graph import DESCRIPTION
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.supports.platform_motion import platform_motion
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.mobile_motions import table_3_motion


def record_mobile(run: MobileRun, options: MobileOptions, ship: Optional[ShipMotion],
                  path: Path) -> Path:
    """
    Write what a recorder on the robot would have; its IMU is on the platform.

    Parameters
    ----------
    run : MobileRun
        Its trace, from the start of the reference on.
    options : MobileOptions
        Of the demo.
    ship : ShipMotion or None
        What the deck did, time from the epoch of the run; None is level ground.
    path : Path
        The recording; must not exist.

    Raises
    ------
    BagError
        If the path exists.
    """
    support, reference = demo_drive(), table_3_motion(options.duration)
    trace = run.trace.select(reference.names)
    rows = trace.time >= run.epoch
    time, q = trace.time[rows], trace.position[rows]
    assert trace.velocity is not None and trace.effort is not None
    qd, effort = trace.velocity[rows], trace.effort[rows]
    qdd = np.gradient(qd, time, axis=0)
    path_driven = driven_path(support, q)
    imu = configured_imu()
    step = max(1, round(1.0 / (imu.rate * float(np.median(np.diff(time))))))
    motions, rotations = [], []
    for k in range(0, len(time), step):
        deck, R_WD = _deck(ship, float(time[k] - run.epoch))
        motions.append(platform_motion(
            support, BaseState(deck, path_driven[k]), qd[k], qdd[k]))
        R_DO = matrix_from_rpy([0.0, 0.0, path_driven[k, 2]])
        rotations.append(R_WD @ R_DO @ support.R_BO.T)
    with RecordingWriter(path) as bag:
        epoch_ns = int(stamps_ns(run.epoch))
        bag.robot_description(resource_path(DESCRIPTION).read_text(encoding='utf-8'), epoch_ns)
        bag.joint_states(stamps_ns(time), trace.names, q, qd, effort)
        write_imu(bag, imu, stamps_ns(time[::step]), motions, rotations)
        points = JointTrajectory.from_reference(reference, options.duration, REFERENCE_PERIOD)
        bag.trajectory(epoch_ns, points.names, points.times, points.positions, points.velocities,
                       points.accelerations)
    return path


def _deck(ship: Optional[ShipMotion], time: float) -> tuple[BaseMotion, np.ndarray]:
    if ship is None:
        return BaseMotion(), np.eye(3)
    return ship.at(time), np.asarray(ship.pose(time).rotation)
