"""
The computed torques as a recording of their own, to be shown next to the original.

Named JointState messages on the original stamps: PlotJuggler, Foxglove and Rerun plot them by
joint name.
"""

from __future__ import annotations

from pathlib import Path
import shutil
import tempfile
from typing import Any, Callable, Dict, Optional, Sequence

import numpy as np

from robot_dynamics.bags.encoding import Encoder
from robot_dynamics.bags.layout import JOINT_STATE
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.replay.result import ReplayResult
from robot_dynamics.replay.torques import TorqueBlock

PREFIX = '/replay'
_WRENCH = ('force.x', 'force.y', 'force.z', 'moment.x', 'moment.y', 'moment.z')


def write_replay_bag(result: ReplayResult, path: Path,
                     progress: Optional[Callable[[float], None]] = None) -> Path:
    """
    Write ``replay.mcap``.

    Topics ``/replay/computed``, ``/replay/fixed_base``, ``/replay/residual`` and
    ``/replay/cause/NAME`` carry efforts by joint; ``/replay/deck_wrench`` the wrench on the deck
    with its components as names.  Samples that were left out are not written.
    """
    from rosbags.rosbag2 import StoragePlugin, Writer
    encoder = Encoder()
    present = [result.joint_names.index(joint.name) for joint in result.joints]
    names = [joint.name for joint in result.joints]
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix='.replay_') as scratch:
        folder = Path(scratch) / 'replay'
        with Writer(folder, version=8, storage_plugin=StoragePlugin.MCAP) as bag:
            connections: Dict[str, Any] = {}
            done = 0
            for block in result.blocks():
                rows = np.flatnonzero(block.samples.valid)
                stamps = block.samples.stamp_ns[rows]
                for topic, values in _topics(block, present).items():
                    if topic not in connections:
                        connections[topic] = bag.add_connection(
                            f'{PREFIX}/{topic}', JOINT_STATE, typestore=encoder.typestore)
                    if not len(rows):
                        continue
                    labels = _WRENCH if topic == 'deck_wrench' else names
                    for stamp, raw in zip(stamps.tolist(), encoder.joint_states(
                            stamps, labels, effort=values[rows])):
                        bag.write(connections[topic], stamp + result.recorder_offset_ns, raw)
                done += len(block.samples.valid)
                if progress is not None:
                    progress(done / max(result.samples, 1))
        shutil.move(str(next(folder.glob('*.mcap'))), str(path))
    return path


def _topics(block: TorqueBlock, joints: Sequence[int]) -> Dict[str, FloatArray]:
    topics = {'computed': block.computed, 'fixed_base': block.fixed,
              'residual': block.samples.effort - block.computed,
              **{f'cause/{name}': value for name, value in block.causes.items()}}
    named = {topic: values[:, list(joints)] for topic, values in topics.items()}
    named['deck_wrench'] = block.wrench
    return named
