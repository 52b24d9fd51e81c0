"""Arms that differ from their description, at work on a ship, for the benchmark."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Tuple

import numpy as np

from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.imu.sensor_model import ImuModel
from robot_dynamics.model.identified import Identified, IdentifiedJoint
from robot_dynamics.model.robot_model import Inertial, RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.closed_loop import ClosedLoop, DEMO_IMU, run_closed_loop
from robot_dynamics.simulation.demo_feedforward import DEMO_DRIVES
from robot_dynamics.simulation.motions import DEMO_TIME_SCALE, paper_sinusoid, Work
from robot_dynamics.simulation.simulated_robot import SimulatedRobotConfig

URDF = resource_path('urdf/pa10.urdf')
ROTORS = (0.75, 0.75, 0.2125, 0.00575, 0.00575, 0.00575)  # kg m^2, config/ship_pa10.yaml
PLACE = (10.0, 0.0, 0.0)  # m from the ship's centre
RATE = 500.0  # Hz, at which the feedforward commands
ENCODER = 1e-5  # rad
TORQUE_NOISE = 0.01
STRIBECK_SPEED = 0.1  # rad/s
PAYLOAD = 3.0  # kg


def described() -> RobotModel:
    """Return the arm as its description has it."""
    return RobotModel.from_urdf(URDF)


def true_arm(seed: int, breakaway: float = 0.0) -> RobotModel:
    """
    Draw an arm.

    Masses 5 to 15 % more than described, centres of mass about 1 cm off, friction 10 to 50 %
    more, rotors within 10 % of the data sheet's, torque offsets of 1 % of the limits, and 3 kg at
    the tool of which nobody said anything (further out the paper's motion would ask more of joint
    5 than its limit, whatever the model).
    """
    rng, model = np.random.default_rng(seed), described()
    bodies = {}
    for body in model.bodies:
        factor = rng.uniform(1.05, 1.15)
        bodies[body.name] = Inertial(
            factor * body.inertial.mass, body.inertial.com + rng.normal(0, 0.006, 3),
            factor * body.inertial.inertia + 1e-4 * np.eye(3))
    joints = {}
    for joint, rotor in zip(model.joints, ROTORS):
        viscous, coulomb = (value * rng.uniform(1.1, 1.5)
                            for value in (joint.damping, joint.friction))
        joints[joint.name] = IdentifiedJoint(
            rotor * rng.uniform(0.9, 1.1), viscous, coulomb, breakaway * coulomb, STRIBECK_SPEED,
            0.0, 0.01 * joint.effort * rng.choice([-1.0, 1.0]))
    load = Inertial(PAYLOAD, np.zeros(3), 0.008 * np.eye(3))
    return Identified(model.name, bodies, joints, ('tool0', load)).apply(model)


def sea(seed: int) -> ShipMotion:
    """Return sea state 5."""
    return ShipMotion.irregular(5, seed=seed)


def work(seed: int, duration: float, speed: float = 0.3) -> Tuple[Any, Any, Any, Any]:
    """Return time and motion from point to point at a share of the joints' speeds, (T, 6) each."""
    model = described()
    low, high = np.maximum(0.8 * model.lower, -1.8), np.minimum(0.8 * model.upper, 1.8)
    t = np.arange(int(duration * RATE)) / RATE
    sample = Work(model.joint_names, low, high, speed * model.velocity_limit, duration,
                  seed).sample(t)
    return t, sample.position, sample.velocity, sample.acceleration


def record(path: Path, arm: RobotModel, ship: ShipMotion, motion: Any, seed: int) -> Path:
    """Write what encoders, torque sensors and the IMU of an arm at work report."""
    t, q, qd, qdd = motion
    rng = np.random.default_rng(seed)
    base = ship.at(t, point=PLACE)
    effort = torque(arm, q, qd, qdd, base)
    effort = effort * (1.0 + TORQUE_NOISE * rng.standard_normal(effort.shape))
    stamps = 1_000_000_000 + np.rint(t * 1e9).astype(np.int64)
    sensor = ImuModel(dataclasses.replace(DEMO_IMU, seed=seed + 1))
    every = int(RATE / DEMO_IMU.rate) or 1
    samples = [sensor.measure_ship(int(stamps[k]), ship, float(t[k]), PLACE)
               for k in range(0, len(t), every)]
    with RecordingWriter(path) as bag:
        bag.joint_states(stamps, arm.joint_names, np.round(q / ENCODER) * ENCODER,
                         np.full_like(q, np.nan), effort)
        bag.imu([s.stamp_ns for s in samples], [s.angular_velocity for s in samples],
                [s.linear_acceleration for s in samples], [s.orientation_xyzw for s in samples])
    return path


def torque(arm: RobotModel, q: Any, qd: Any, qdd: Any, base: BaseMotion) -> Any:
    """Return the torque of an arm with all its losses, (T, 6), N m."""
    return InverseDynamics(arm, friction=True, backend='interpreted').torque(q, qd, qdd, base)


def faster_motion(seed: int) -> Tuple[Any, Any, Any, BaseMotion]:
    """Return the paper's motion, up to four times as fast as the work, on another sea."""
    t = np.arange(0.0, 20.0, 0.02)
    sample = paper_sinusoid().sample(t)
    return (sample.position, sample.velocity, sample.acceleration,
            sea(seed + 100).at(t, point=PLACE))


def other_work(seed: int) -> Tuple[Any, Any, Any, BaseMotion]:
    """Return other work on another sea."""
    t, q, qd, qdd = work(seed + 200, 20.0)
    return q, qd, qdd, sea(seed + 200).at(t, point=PLACE)


def tracking(arm: RobotModel, believed: RobotModel, ship: ShipMotion, base_motion: str,
             time_scale: float = DEMO_TIME_SCALE) -> float:
    """
    Return the RMS error of a motion when a model is believed, mrad.

    By default the motion is the demo's; with ``time_scale`` 1 it is the paper's, which is as much
    faster and asks for more than the velocity limits of the arm.
    """
    duration = 1.5 + 8.0 * time_scale
    loop = ClosedLoop(
        dataclasses.replace(DEMO_DRIVES, base_motion=base_motion),
        SimulatedRobotConfig(friction=True, rotor_inertia=True, base_point=PLACE),
        reference_start=1.5, duration=duration)
    result = run_closed_loop(arm, ship, loop, paper_sinusoid(time_scale=time_scale),
                             believed=believed)
    return 1e3 * float(np.sqrt(np.mean(result.error_rms(2.5, duration - 0.1)**2)))
