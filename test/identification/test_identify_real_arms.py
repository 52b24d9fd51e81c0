"""Two real arms: what was not seen is explained, better than by any fit of friction."""

from __future__ import annotations

import json

import pytest
from recording_fixtures import shared_bags

from robot_dynamics.app.cli import main
from robot_dynamics.identification.identify import identify
from robot_dynamics.identification.options import IdentifyOptions
from selections import some

__all__ = ['shared_bags']
pytest.importorskip('clarabel', reason='the solver is an extra')


@pytest.mark.parametrize('folder, friction, most, without', some(1, [
    ('panda_unisa', 'coulomb', 0.035, ('panda_leftfinger', 'panda_rightfinger')),
    ('ur10_unisa', 'full', 0.065, ())]))
def test_a_real_arm_is_explained_where_it_was_not_learned(shared_bags, folder, friction, most,
                                                          without):
    name = folder.split('_')[0]
    options = IdentifyOptions(friction_model=friction).with_replay(without_links=without)
    result = identify(shared_bags / folder / f'{name}_exciting_trajectory.db3',
                      shared_bags / folder / f'{name}_example-robot-data.urdf', options)
    validation = result.validation
    assert validation.relative('identified') <= most
    assert validation.relative('identified') < validation.relative('with_friction')
    assert 0.85 <= validation.coverage() <= 0.99
    assert result.layout.is_consistent(result.fit.theta)


def test_the_command_leaves_a_description_that_pinocchio_loads(shared_bags, tmp_path, capsys):
    folder = shared_bags / 'ur10_unisa'
    urdf = folder / 'ur10_example-robot-data.urdf'
    assert main(['identify', str(folder / 'ur10_exciting_trajectory.db3'), '--robot', str(urdf),
                 '--output', str(tmp_path), '--json']) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary['torque_error']['identified'] < summary['torque_error']['with_friction']
    assert {path.name for path in tmp_path.iterdir()} >= {
        'identified.urdf', 'identified.yaml', 'summary.json', 'report.html'}
    report = (tmp_path / 'report.html').read_text()
    assert '<svg' in report and 'wrist_3_joint' in report and 'http' not in report.split('<svg')[0]
    pinocchio = pytest.importorskip('pinocchio')
    arm = pinocchio.buildModelFromUrdf(str(tmp_path / 'identified.urdf'))
    masses = {arm.names[i]: arm.inertias[i].mass for i in range(1, arm.njoints)}
    assert masses['elbow_joint'] == pytest.approx(
        summary['identified']['bodies']['forearm_link']['mass'], rel=1e-9)
    before, after = (path.read_text().splitlines() for path in (
        urdf, tmp_path / 'identified.urdf'))
    assert len(before) == len(after)
    changed = [a for a, b in zip(before, after) if a != b]
    assert all(any(tag in line for tag in ('<mass', '<inertia', '<origin', '<dynamics'))
               for line in changed)
