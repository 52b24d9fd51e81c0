"""The demo's moving-base run as a recording, for ``robot-dynamics analyze``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Mapping, Sequence

import numpy as np

from robot_dynamics.app.demo.runs import Run
from robot_dynamics.app.graph import DESCRIPTION
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.resources import resource_path
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.motions import paper_sinusoid

REFERENCE_PERIOD = 0.05  # s, between the points of the recorded reference


def record(run: Run, ship: ShipMotion, imu: ImuConfig, duration: float, path: Path) -> Path:
    """
    Write what a recorder on the robot would have: joint states, IMU, reference, description.

    Parameters
    ----------
    run : Run
        Its trace, from the start of the reference on.
    ship : ShipMotion
        What the deck did, time from the epoch of the run.
    imu : ImuConfig
        The sensor on the deck; a delay is not modelled.
    duration : float
        Of the reference, s.
    path : Path
        The recording: ``NAME.mcap``, ``NAME.db3`` or a directory; must not exist.

    Raises
    ------
    BagError
        If the path exists.
    """
    trace = run.trace
    rows = trace.time >= run.epoch
    with RecordingWriter(path) as bag:
        epoch_ns = stamps_ns(run.epoch)
        bag.robot_description(resource_path(DESCRIPTION).read_text(encoding='utf-8'), epoch_ns)
        bag.joint_states(stamps_ns(trace.time[rows]), trace.names, trace.position[rows],
                         None if trace.velocity is None else trace.velocity[rows],
                         None if trace.effort is None else trace.effort[rows])
        time = np.arange(0.0, float(trace.time[-1]) - run.epoch, 1.0 / imu.rate)
        motion = ship.at(time)
        write_imu(bag, imu, stamps_ns(run.epoch + time),
                  [motion[i] for i in range(len(time))], list(ship.pose(time).rotation))
        points = JointTrajectory.from_reference(paper_sinusoid(), duration, REFERENCE_PERIOD)
        bag.trajectory(epoch_ns, points.names, points.times, points.positions, points.velocities,
                       points.accelerations)
    return path


def imu_of_configuration(parameters: Mapping[str, Any]) -> ImuConfig:
    """Return the IMU of the ship's publisher from its parameters, ``imu.rate`` and so on."""
    def value(name: str) -> float:
        return float(parameters.get(f'imu.{name}', 0.0))
    return ImuConfig(
        rate=value('rate') or 100.0, accelerometer_noise=value('accelerometer_noise'),
        orientation_noise=math.radians(value('orientation_noise_deg')),
        gyro_noise=math.radians(value('gyro_noise_deg')))


def write_imu(bag: RecordingWriter, config: ImuConfig, stamps: Sequence[int],
              motions: Sequence[BaseMotion], rotations: Sequence[Any]) -> None:
    """
    Write what a sensor reads.

    Parameters
    ----------
    bag : RecordingWriter
    config : ImuConfig
        The sensor; a delay is not modelled.
    stamps : sequence of T int
        In ns.
    motions : sequence of T BaseMotion
        Of what carries the sensor.
    rotations : sequence of T (3, 3) arrays
        From its axes to the world's.
    """
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


def stamps_ns(time: Any) -> Any:
    """Return times in s as integer nanoseconds."""
    return np.rint(np.asarray(time) * 1e9).astype(np.int64)
