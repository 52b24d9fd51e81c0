"""
Write a recording: joint states, IMU samples and the robot's description, without ROS.

What is written is held in memory, sorted by time on closing, and put in place only when it is
complete, so that a reader never meets a half-written file.
"""

from __future__ import annotations

from pathlib import Path
import shutil
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.bags.encoding import Encoder
from robot_dynamics.bags.layout import IMU, JOINT_STATE, TRAJECTORY
from robot_dynamics.core.errors import BagError

FORMATS = ('mcap', 'sqlite3')
COMPRESSIONS = ('none', 'storage', 'message', 'file')

_STRING = 'std_msgs/msg/String'


class RecordingWriter:
    """
    Writes a rosbag2 recording.

    Parameters
    ----------
    path : path-like
        ``NAME.mcap`` or ``NAME.db3`` for a single file; any other name for a directory with
        ``metadata.yaml``.  It must not exist yet.
    storage : str
        ``mcap`` or ``sqlite3``; by default what the name says, else mcap.
    compression : str
        ``none``, ``storage`` (the chunks of an mcap), ``message`` or ``file`` (directories only).

    Examples
    --------
    >>> with RecordingWriter('demo.mcap') as bag:  # doctest: +SKIP
    ...     bag.robot_description(urdf_text)
    ...     bag.joint_states(stamps_ns, names, position, velocity, effort)
    ...     bag.imu(stamps_ns, angular_velocity, specific_force, orientation_xyzw)
    """

    def __init__(self, path: Union[str, Path], storage: Optional[str] = None,
                 compression: str = 'none') -> None:
        self.path = Path(path)
        if storage is None:
            storage = 'sqlite3' if self.path.suffix == '.db3' else 'mcap'
        if storage not in FORMATS or compression not in COMPRESSIONS:
            raise BagError(f'{self.path}: cannot write {storage} with compression {compression}; '
                           f'choose from {", ".join(FORMATS)} and {", ".join(COMPRESSIONS)}')
        if self.path.exists():
            raise BagError(f'{self.path}: exists already; choose another name or remove it')
        self.storage = storage
        self.compression = compression
        self._encoder = Encoder()
        self._types: Dict[str, str] = {}
        self._messages: List[Tuple[int, int, str, bytes]] = []

    def robot_description(self, urdf: str, stamp_ns: int = 0,
                          topic: str = '/robot_description') -> None:
        """Write the robot's URDF as a String message."""
        self.raw(topic, _STRING, [stamp_ns], [self._encoder.text(urdf)])

    def joint_states(self, stamp_ns: ArrayLike, names: Sequence[str],
                     position: Optional[ArrayLike] = None, velocity: Optional[ArrayLike] = None,
                     effort: Optional[ArrayLike] = None, topic: str = '/joint_states',
                     frame_id: str = '', recorder_ns: Optional[ArrayLike] = None) -> None:
        """
        Write joint states; arguments as in ``Encoder.joint_states``.

        ``recorder_ns`` are the times of reception, by default the header stamps.
        """
        raws = self._encoder.joint_states(stamp_ns, names, position, velocity, effort, frame_id)
        self.raw(topic, JOINT_STATE, stamp_ns if recorder_ns is None else recorder_ns, raws)

    def imu(self, stamp_ns: ArrayLike, angular_velocity: ArrayLike,
            linear_acceleration: ArrayLike, orientation_xyzw: Optional[ArrayLike] = None,
            topic: str = '/imu/data', frame_id: str = 'imu_link',
            recorder_ns: Optional[ArrayLike] = None) -> None:
        """Write IMU samples; arguments as in ``Encoder.imu``."""
        raws = self._encoder.imu(stamp_ns, angular_velocity, linear_acceleration,
                                 orientation_xyzw, frame_id)
        self.raw(topic, IMU, stamp_ns if recorder_ns is None else recorder_ns, raws)

    def trajectory(self, stamp_ns: int, names: Sequence[str], times: ArrayLike,
                   positions: ArrayLike, velocities: Optional[ArrayLike] = None,
                   accelerations: Optional[ArrayLike] = None, topic: str = '/reference',
                   recorder_ns: Optional[int] = None) -> None:
        """Write a reference; arguments as in ``Encoder.trajectory``."""
        raw = self._encoder.trajectory(stamp_ns, names, times, positions, velocities,
                                       accelerations)
        self.raw(topic, TRAJECTORY, [stamp_ns if recorder_ns is None else recorder_ns], [raw])

    def raw(self, topic: str, msgtype: str, recorder_ns: ArrayLike,
            raws: Sequence[bytes]) -> None:
        """Write messages that are serialised already."""
        self._types[topic] = msgtype
        stamps = np.atleast_1d(np.asarray(recorder_ns, np.int64)).tolist()
        start = len(self._messages)
        self._messages += [(stamp, start + i, topic, raw)
                           for i, (stamp, raw) in enumerate(zip(stamps, raws))]

    def close(self) -> None:
        """Sort, write and put in place."""
        if not self._messages:
            raise BagError(f'{self.path}: nothing was recorded')
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.path.parent,
                                         prefix='.recording_') as scratch:
            folder = Path(scratch) / self.path.stem
            self._write(folder)
            single = self.path.suffix in ('.mcap', '.db3')
            result = next(folder.glob(f'*{self.path.suffix}')) if single else folder
            shutil.move(str(result), str(self.path))
        self._messages = []

    def _write(self, folder: Path) -> None:
        from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
        plugin = StoragePlugin.MCAP if self.storage == 'mcap' else StoragePlugin.SQLITE3
        writer = Writer(folder, version=8, storage_plugin=plugin)
        writer.set_compression(CompressionMode[self.compression.upper()], CompressionFormat.ZSTD)
        with writer:
            connections: Dict[str, Any] = {
                topic: writer.add_connection(topic, kind, typestore=self._encoder.typestore)
                for topic, kind in self._types.items()}
            for stamp, _, topic, raw in sorted(self._messages, key=lambda item: item[:2]):
                writer.write(connections[topic], stamp, raw)

    def __enter__(self) -> RecordingWriter:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
