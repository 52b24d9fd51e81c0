"""Two real recordings; the figures of an independent inverse dynamics are matched or beaten."""

from __future__ import annotations

from pathlib import Path

import pytest

from robot_dynamics.core.errors import BagError
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions


@pytest.fixture
def panda(shared_bags: Path) -> Path:
    """Give the directory with the Panda's recording."""
    return shared_bags / 'panda_unisa'


def test_the_panda_without_its_hand_is_explained_at_least_as_well_as_by_others(panda: Path
                                                                               ) -> None:
    result = analyze_bag(panda / 'panda_exciting_trajectory.db3',
                         panda / 'panda_example-robot-data.urdf',
                         ReplayOptions(without_links=('panda_hand',)))
    assert result.samples == 727
    for name, residual, measured in (('panda_joint2', 0.72, 18.0), ('panda_joint3', 0.53, 12.5),
                                     ('panda_joint4', 0.90, 14.6)):
        joint = result.joint(name)
        assert joint.residual_rms <= residual
        assert joint.measured_rms == pytest.approx(measured, rel=0.02)
    assert result.joint('panda_joint2').explained > 0.999
    codes = {finding.code for finding in result.findings}
    assert {'joint-names', 'imu-none'} <= codes
    assert 'stamps-zero' not in codes and 'gaps' not in codes


def test_the_hand_that_was_not_there_shows_in_the_residual(panda: Path) -> None:
    result = analyze_bag(panda / 'panda_exciting_trajectory.db3',
                         panda / 'panda_example-robot-data.urdf')
    assert result.joint('panda_joint4').residual_rms > 1.5
    assert any(f.code == 'joints-missing' and 'finger' in f.text for f in result.findings)


def test_the_modular_robot_asks_for_a_topic_and_then_computes_from_its_own_description(
        shared_bags: Path) -> None:
    bag = shared_bags / 'moonbot' / '1_leg_crawl_RvizSim'
    with pytest.raises(BagError, match='--joint-topic'):
        analyze_bag(bag)
    result = analyze_bag(bag, options=ReplayOptions(joint_topic='/joint_states'))
    codes = {finding.code for finding in result.findings}
    assert {'robot-from-bag', 'effort-absent', 'velocity-absent'} <= codes
    assert not result.compared
    assert max(joint.computed_rms for joint in result.joints) > 1
