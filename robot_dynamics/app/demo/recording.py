"""The run of a demo with the right model as a recording, for ``robot-dynamics analyze``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Sequence

import numpy as np

from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.control.reference import JointTrajectory, Reference
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.joint_series import JointSeries

REFERENCE_PERIOD = 0.05  # s, between the points of the recorded reference


def record(path: Path, description: Path, trace: JointSeries, epoch: float, reference: Reference,
           duration: float, imu: ImuConfig, imu_time: FloatArray, motions: Sequence[BaseMotion],
           rotations: Sequence[Any]) -> None:
    """
    Write what a recorder on the robot would have: joint states, IMU, reference, description.

    Parameters
    ----------
    path : Path
        The recording: ``NAME.mcap``, ``NAME.db3`` or a directory; must not exist.
    description : Path
        URDF of the robot.
    trace : JointSeries
        What the robot did; recorded from the epoch on.
    epoch : float
        Start of the reference on the clock of the trace, s.
    duration : float
        Of the reference, s.
    imu : ImuConfig
        The sensor; a delay is not modelled.
    imu_time : (T,) array
        Of its samples, from the epoch, s.
    motions : sequence of T BaseMotion
        Of what carries the sensor.
    rotations : sequence of T (3, 3) arrays
        From its axes to the world's.

    Raises
    ------
    BagError
        If the path exists.
    """
    rows = trace.time >= epoch
    with RecordingWriter(path) as bag:
        epoch_ns = int(_stamps_ns(epoch))
        bag.robot_description(description.read_text(encoding='utf-8'), epoch_ns)
        bag.joint_states(_stamps_ns(trace.time[rows]), trace.names, trace.position[rows],
                         None if trace.velocity is None else trace.velocity[rows],
                         None if trace.effort is None else trace.effort[rows])
        _write_imu(bag, imu, _stamps_ns(epoch + imu_time), motions, rotations)
        points = JointTrajectory.from_reference(reference, duration, REFERENCE_PERIOD)
        bag.trajectory(epoch_ns, points.names, points.times, points.positions, points.velocities,
                       points.accelerations)


def _write_imu(bag: RecordingWriter, config: ImuConfig, stamps: Sequence[int],
               motions: Sequence[BaseMotion], rotations: Sequence[Any]) -> None:
    """Write what a sensor reads; see :func:`record`."""
    sensor = ImuModel(config)
    taken = (sensor.measure(int(stamp), motion, rotation)
             for stamp, motion, rotation in zip(stamps, motions, rotations))
    samples = [sample for sample in taken if sample is not None]
    reports = samples[0].has_orientation
    bag.imu([sample.stamp_ns for sample in samples],
            np.array([sample.angular_velocity for sample in samples]),
            np.array([sample.linear_acceleration for sample in samples]),
            np.array([sample.orientation_xyzw for sample in samples]) if reports else None,
            frame_id=sensor.frame_id)


def _stamps_ns(time: Any) -> Any:
    """Return times in s as integer nanoseconds."""
    return np.rint(np.asarray(time) * 1e9).astype(np.int64)
