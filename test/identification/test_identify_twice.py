"""An arm that was learned takes a load: the second identification stands on the first."""

from __future__ import annotations

import dataclasses

from arm_cases import ARM, described, motion, moved, torque, truth
import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.robot_model import Inertial, RobotModel
from robot_dynamics.motion.base_motion import BaseMotion

pytest.importorskip('clarabel', reason='the solver is an extra')

# the upper arm is two links, as most are
TWO_LINKS = ARM.replace('</robot>', """
  <link name="cover"><inertial><origin xyz="0.05 0 0"/><mass value="0.5"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial></link>
  <joint name="screws" type="fixed"><parent link="upper"/><child link="cover"/>
    <origin xyz="0 0 0.1"/></joint>
</robot>""")


def record(path, arm):
    """Write the work of an arm on a base that is still."""
    block = moved(arm, fixed=True).block
    with RecordingWriter(path) as bag:
        bag.joint_states(block.stamp_ns + 1_000_000_000, described().joint_names, block.position,
                         block.velocity, block.effort)
    return str(path)


@pytest.fixture(scope='module')
def learned(tmp_path_factory):
    """Learn an arm, then a load on it; return the truth and where all that is."""
    folder = tmp_path_factory.mktemp('twice')
    description = folder / 'two.urdf'
    description.write_text(TWO_LINKS)
    arm = truth(offset=0.5, stribeck=0.3)
    first = folder / 'first'
    assert main(['identify', record(folder / 'bare.mcap', arm), '--robot', str(description),
                 '--friction-model', 'stribeck', '--no-report', '--output', str(first)]) == 0
    carrying = dataclasses.replace(
        arm, payload=('tool', Inertial(1.5, np.array([0.02, -0.03, 0.1]), 0.004 * np.eye(3))))
    bag = record(folder / 'carrying.mcap', carrying)
    for name, robot in (('second', description), ('again', first / 'identified.urdf')):
        assert main(['identify', bag, '--robot', str(robot), '--identified',
                     str(first / 'identified.yaml'), '--payload', 'tool', '--only', 'payload',
                     '--no-report', '--output', str(folder / name)]) == 0
    return carrying, folder


@pytest.mark.parametrize('robot, learning', [
    ('two.urdf', 'second'), ('second/identified.urdf', 'second'), ('two.urdf', 'again'),
    ('again/identified.urdf', 'again')])
def test_what_was_learned_first_is_in_what_is_learned_second(learned, robot, learning):
    carrying, folder = learned
    found = Identified.read(folder / learning / 'identified.yaml')
    assert found.payload[1].mass == pytest.approx(1.5, rel=0.03)
    model = found.apply(RobotModel.from_urdf(folder / robot))
    q, qd, qdd = motion(np.arange(0.0, 10.0, 0.1), 2, seed=5)
    true = torque(carrying, described(), q, qd, qdd, BaseMotion(np.zeros((len(q), 3))))
    told = InverseDynamics(model, friction=True, backend='interpreted').torque(q, qd, qdd)
    assert np.sqrt(np.mean((told - true)**2)) < 0.01 * np.sqrt(np.mean(true**2))


def test_the_description_written_second_has_the_bodies_of_the_first(learned):
    _, folder = learned
    first, second = (RobotModel.from_urdf(folder / name / 'identified.urdf').bodies[0].inertial
                     for name in ('first', 'second'))
    assert second.mass == pytest.approx(first.mass, rel=1e-6)
    assert np.allclose(second.inertia, first.inertia, rtol=1e-6, atol=1e-9)
