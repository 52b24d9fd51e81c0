"""Drives a feedforward through time: joint states, IMU samples and faults, without a robot."""

import copy
import dataclasses

import numpy as np

from robot_dynamics import BaseMotion, ShipMotion
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.watchdog import WatchdogConfig
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.sensor_model import ImuModel

MS = 1_000_000
START = 1_000_000_000
PERIOD = 2 * MS
SHIP = ShipMotion.regular()
POSTURE = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])
# changes of the effort from one command to the next, as shares of the effort limit
RATE_LIMIT = 10.0 * 0.002 + 1e-9  # 10 limits a second for 2 ms
GENTLE = 0.01                     # what a ramp of a second makes at most


class Rig:
    """
    A core with an arm that stands still in one posture on the paper's ship.

    ``joint_states`` and ``imu`` switch the inputs off; every command is kept in ``commands``
    and every event in ``events``.
    """

    def __init__(self, model, dynamics, ship=SHIP, posture=POSTURE, start_ns=START, settling=0.0,
                 **config):
        self.model = model
        watchdog = dataclasses.replace(
            config.pop('watchdog', WatchdogConfig()), base_settling=settling)
        self.config = FeedforwardConfig(watchdog=watchdog, **config)
        self.core = FeedforwardCore(
            self.config, dynamics, SavitzkyGolayEstimator())
        self.ship = ship
        self.posture = np.array(posture)
        self.velocity = np.zeros(len(self.posture))
        self.effort = np.zeros(model.nv)
        self.names = list(model.joint_names)
        self.now = start_ns
        self.epoch = start_ns
        self.sensor = ImuModel()
        self.joint_states = True
        self.imu = True
        self.commands = []
        self.events = []

    def sample(self, stamp_ns):
        """Return an IMU sample."""
        return self.sensor.measure_ship(stamp_ns, self.ship, (stamp_ns - self.epoch) * 1e-9)

    def base(self, stamp_ns):
        """Return the true base motion."""
        return self.ship.at((stamp_ns - self.epoch) * 1e-9)

    def feed(self):
        """Give the core what is due now."""
        now, core = self.now, self.core
        if self.imu and (now - self.epoch) % (10 * MS) == 0:
            core.on_base_sample(self.sample(now), now)
        if self.joint_states:
            core.on_joint_state(
                now, now, self.names, self.posture, self.velocity, self.effort)

    def step(self):
        """Go on by one period; returns the command."""
        self.feed()
        command = self.core.command(self.now)
        self.events += self.core.drain_events()
        if command is not None:
            self.commands.append(command)
        self.now += PERIOD
        return command

    def run(self, seconds):
        """Go on for a time; returns the last command."""
        command = None
        for _ in range(int(round(seconds / 0.002))):
            command = self.step()
        return command

    def copied(self):
        """Return a rig that goes on from here by itself, sharing what no run changes."""
        shared = (self.model, self.core.dynamics, self.config, self.ship,
                  *self.commands, *self.events)
        return copy.deepcopy(self, {id(one): one for one in shared})

    def kinds(self):
        """Return the kinds of all events so far."""
        return [event.kind for event in self.events]

    def states(self):
        """Return the states of the commands, each once, in order."""
        states = []
        for command in self.commands:
            if not states or states[-1] != command.state:
                states.append(command.state)
        return states

    def largest_step(self):
        """Return the largest change of effort between two commands, as a share of the limit."""
        efforts = np.array([command.effort for command in self.commands])
        return float((np.abs(np.diff(efforts, axis=0)) / self.model.effort_limit).max())


def held_gravity(rig, dynamics, stamp_ns):
    """Return the torque that holds gravity in the rig's posture on the ship at a stamp."""
    zero = np.zeros(rig.model.nv)
    return dynamics.torque(
        rig.posture, zero, zero, BaseMotion(gravity=rig.base(stamp_ns).gravity))
