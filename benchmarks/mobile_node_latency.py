"""
``feedforward_node`` of the mobile manipulator at 1 kHz beside a node that only echoes.

    python -m benchmarks mobile_node_latency

As :mod:`benchmarks.node_latency`, on a moving deck with the pose reckoned from the wheels.
"""

from __future__ import annotations

from benchmarks.node_latency import compare, RATE

from robot_dynamics.app.graph import NodeProcess
from robot_dynamics.app.scenarios import MobileScenario
from robot_dynamics.core.resources import resource_path
from robot_dynamics.simulation.motions import MOBILE_JOINTS


def main() -> int:
    """Measure and print; 1 if a target is missed."""
    left, right = MOBILE_JOINTS[1], MOBILE_JOINTS[0]
    return compare(NodeProcess('feedforward_node', 'feedforward', {
        'robot_description': str(resource_path(MobileScenario.DESCRIPTION)),
        'joints': list(MOBILE_JOINTS),
        'natural_frequency': [15.0], 'command_period': 1.0 / RATE, 'mobile.left_wheel': left,
        'mobile.right_wheel': right, 'mobile.pose_source': 'wheels'}), MOBILE_JOINTS)
