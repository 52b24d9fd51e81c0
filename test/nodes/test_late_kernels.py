"""A cycle never waits for the compiler."""

import json
import os
from pathlib import Path
import subprocess
import sys

import pytest
from robot_dynamics.estimation.estimators import ESTIMATORS

URDF = """
<robot name="two">
  <link name="base_link"/>
  <link name="upper"><inertial><origin xyz="0 0 0.2"/><mass value="2"/>
    <inertia ixx="0.03" iyy="0.03" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="a" type="revolute"><parent link="base_link"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="2"/></joint>
  <joint name="b" type="revolute"><parent link="upper"/><child link="tip"/>
    <origin xyz="0 0 0.4"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="2"/></joint>
</robot>
"""


@pytest.mark.slow
@pytest.mark.parametrize('what, estimator', [
    *(('arm', estimator) for estimator in ESTIMATORS), ('wheels', 'savitzky_golay'),
    ('simulated', ''), ('simulated_wheels', '')])
def test_no_kernel_is_compiled_after_the_node_is_configured(what, estimator, tmp_path, repository):
    (tmp_path / 'two.urdf').write_text(URDF)
    urdf, tip = (repository / 'urdf/mobile_manipulator.urdf', 'link3') if what.endswith(
        'wheels') else (tmp_path / 'two.urdf', 'tip')
    ran = subprocess.run(
        [sys.executable, str(Path(__file__).with_name('late_kernels.py')), what, estimator,
         str(urdf), tip], capture_output=True, text=True,
        env={**os.environ, 'NUMBA_CACHE_DIR': str(tmp_path / 'numba')})
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == []
