"""Find the topics that the analysis needs, or say clearly what there is to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from robot_dynamics.bags.decoding import Decoder, without_interfaces
from robot_dynamics.bags.findings import Findings, INFO, SEVERE
from robot_dynamics.bags.layout import IMU, JOINT_STATE
from robot_dynamics.bags.mapping import JointMapping, map_joints
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.storage import Topic
from robot_dynamics.core.errors import BagError

STRING = 'std_msgs/msg/String'
_SURVEY = 256


@dataclass(frozen=True)
class JointTopic:
    """A topic with joint states and how its names map to the model."""

    topic: str
    mapping: JointMapping
    count: int


def joint_names_on(recording: Recording, topic: str) -> Tuple[List[str], int]:
    """
    Return the names in the first messages of a topic, and how many had none at all.

    Several publishers may share a topic, each with a part of the joints; all are collected.
    """
    decoder = Decoder(JOINT_STATE, recording.is_ros1, recording.deserialize)
    raws = [raw for _, _, raw in islice(recording.messages([topic]), _SURVEY)]
    names: Dict[str, None] = {}
    nameless = 0
    for batch in map(without_interfaces, decoder.decode(raws)):
        names.update(dict.fromkeys(batch.names))
        nameless += 0 if batch.names else len(batch.order)
    return list(names), nameless


def choose_joint_topic(recording: Recording, joints: Sequence[str],
                       topic: Optional[str] = None,
                       joint_map: Optional[Mapping[str, str]] = None) -> JointTopic:
    """
    Choose the JointState topic whose names fit the model.

    Raises
    ------
    BagError
        If there is none, several fit equally well, or the named one does not exist.
    """
    channels = recording.topics_of_type(JOINT_STATE)
    if not channels:
        silent = recording.silent_topics(JOINT_STATE)
        if silent:
            raise BagError(f'{recording.path}: {", ".join(silent)} was recorded with 0 messages: '
                           'nobody published, or its quality of service did not fit')
        raise BagError(f'{recording.path}: has no {JOINT_STATE} messages; it has '
                       f'{_types(recording)}')
    if topic is not None:
        channels = [_named(channels, topic, JOINT_STATE, recording)]
    fitting: List[JointTopic] = []
    seen = []
    nameless_topics = []
    for channel in channels:
        names, nameless = joint_names_on(recording, channel.topic)
        if not names and nameless:
            nameless_topics.append(channel.topic)
            continue
        mapping = map_joints(joints, names, joint_map)
        seen.append(f'{channel.topic} ({", ".join(names[:4])}{", ..." if len(names) > 4 else ""})')
        if mapping.to_model:
            fitting.append(JointTopic(channel.topic, mapping, channel.count))
    if not fitting and nameless_topics:
        raise BagError(f'{nameless_topics[0]}: its messages carry no joint names, so nothing says '
                       'which value belongs to which joint; record a topic with names')
    if not fitting:
        raise BagError(f'{recording.path}: no recorded joint name matches those of the model '
                       f'({", ".join(joints[:4])}, ...); recorded: {"; ".join(seen)}; '
                       'use --joint-map recorded=model,...')
    most = max(len(item.mapping.to_model) for item in fitting)
    best = [item for item in fitting if len(item.mapping.to_model) == most]
    if len(best) > 1:
        listing = ', '.join(f'{item.topic} ({item.count} messages)' for item in best)
        raise BagError(f'{recording.path}: several topics have the joints of this robot: '
                       f'{listing}; choose one with --joint-topic')
    return best[0]


def choose_imu_topic(recording: Recording, findings: Findings,
                     topic: Optional[str] = None) -> Optional[str]:
    """
    Choose the IMU topic; None where there is none, which is noted as severe.

    Raises
    ------
    BagError
        If there are several and none is named, or the named one does not exist.
    """
    if topic == 'none':
        findings.add(INFO, 'imu-none', recording.path.name,
                     'base motion switched off: a fixed, level base was assumed')
        return None
    channels = recording.topics_of_type(IMU)
    if topic is not None:
        return _named(channels, topic, IMU, recording).topic
    if not channels:
        silent = recording.silent_topics(IMU)
        seen = f'{", ".join(silent)} has 0 messages' if silent else 'there is no IMU topic'
        findings.add(SEVERE, 'imu-none', recording.path.name,
                     f'NO BASE MOTION: {seen}, so every figure assumes a base that is level and '
                     'does not move')
        return None
    if len(channels) > 1:
        listing = ', '.join(f'{c.topic} ({c.count} messages)' for c in channels)
        raise BagError(f'{recording.path}: several IMU topics: {listing}; choose the one on the '
                       'base of the arm with --imu-topic, or none with --imu-topic none')
    return channels[0].topic


def find_robot_description(recording: Recording, topic: Optional[str] = None) -> Optional[str]:
    """Return the URDF that the recording itself carries, or None."""
    channels = [c for c in recording.topics_of_type(STRING)
                if (c.topic == topic if topic else c.topic.endswith('robot_description'))]
    if len(channels) > 1:
        listing = ', '.join(c.topic for c in channels)
        raise BagError(f'{recording.path}: several robot descriptions: {listing}; choose with '
                       '--description-topic, or give --robot')
    for channel in channels:
        for _, _, raw in recording.messages([channel.topic]):
            text: str = recording.deserialize(raw, STRING).data
            return text
    return None


def _named(channels: Sequence[Topic], topic: str, msgtype: str,
           recording: Recording) -> Topic:
    for channel in channels:
        if channel.topic == topic:
            return channel
    if topic in recording.silent_topics(msgtype):
        raise BagError(f'{recording.path}: {topic} was recorded with 0 messages')
    listing = ', '.join(c.topic for c in channels) or 'none'
    raise BagError(f'{recording.path}: no topic {topic!r} with {msgtype} messages; there is: '
                   f'{listing}')


def _types(recording: Recording) -> str:
    kinds = sorted({c.msgtype for c in recording.channels if c.count})
    return ', '.join(kinds[:6]) + (', ...' if len(kinds) > 6 else '') if kinds else 'no messages'
