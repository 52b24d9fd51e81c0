"""The feedforwards of the demos, apart from what runs them: launch files only read them."""

import dataclasses

from robot_dynamics.control.feedforward_config import FeedforwardConfig

# the mean of the jitter, so that the torque is computed for when it acts; the simulated drives
# have no rotors, so that the feedback is scaled by the links alone
DEMO_FEEDFORWARD = FeedforwardConfig(
    natural_frequency=(15.0,), damping_ratio=(1.0,), feedback_inertia_ratio=1e6,
    actuation_delay=0.002)
# for simulated drives that have rotors and friction
DEMO_DRIVES = dataclasses.replace(
    DEMO_FEEDFORWARD, friction=True, rotor_inertia=True,
    feedback_inertia_ratio=FeedforwardConfig().feedback_inertia_ratio)
