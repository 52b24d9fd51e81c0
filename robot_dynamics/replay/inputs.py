"""From a file to the streams of a robot: a bag with its topics, or a log with its columns."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional, Union

from robot_dynamics.bags.discovery import (
    choose_imu_topic, choose_joint_topic, find_robot_description)
from robot_dynamics.bags.findings import Findings, INFO, SEVERE, WARNING
from robot_dynamics.bags.log_file import is_log, read_log
from robot_dynamics.bags.mapping import JointMapping, map_joints
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.recorded_streams import read_streams, RecordedStreams
from robot_dynamics.core.errors import BagError
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.driving import on_wheels, report_wheels
from robot_dynamics.replay.options import ReplayOptions
from robot_dynamics.replay.reference_topic import read_reference, RecordedReference
from robot_dynamics.replay.robot import load_robot, RobotSource


@dataclass(frozen=True)
class Inputs:
    """What an analysis works on."""

    model: RobotModel  #: The robot
    streams: RecordedStreams  #: Joint states and IMU samples
    #: Where they come from; empty: no IMU
    joint_topic: str
    imu_topic: str
    guessed: bool = False  #: Whether names of joints were matched by a rule
    #: Where accelerations come from instead of differentiation
    reference: Optional[RecordedReference] = None
    close: Callable[[], None] = lambda: None  #: Closes the file; the streams stay


def open_inputs(path: Union[str, Path], robot: Optional[RobotSource], options: ReplayOptions,
                findings: Findings, stack: ExitStack, lap: Callable[[str], None],
                progress: Callable[[float], None]) -> Inputs:
    """
    Read a recording.

    Parameters
    ----------
    path : path-like
        A bag, or a log: CSV, Parquet, NPZ.
    robot : RobotModel, path, str or None
        None: the description in the bag.
    options : ReplayOptions
        Choices.
    findings : Findings
        Where to note what was seen.
    stack : ExitStack
        Closes what is opened here.
    lap : callable
        Called with the name of each stage that is done.
    progress : callable
        Called with the share that is read.

    Raises
    ------
    BagError
        If it cannot be read, or lacks what is needed.
    """
    if is_log(path):
        return _open_log(Path(path), robot, options, findings, stack, lap)
    if options.columns or options.rate is not None:
        raise BagError(f'{path}: is a bag; --columns and --rate are for logs (CSV, Parquet, NPZ)')
    recording = stack.enter_context(Recording(path, findings))
    model = _robot(recording, robot, options, findings)
    topic = choose_joint_topic(recording, model.joint_names, options.joint_topic,
                               options.joint_map)
    _report_mapping(model, topic.mapping, topic.topic, options, findings)
    imu_topic = choose_imu_topic(recording, findings, options.imu_topic)
    lap('open')
    streams = read_streams(recording, model, topic, imu_topic, findings, progress)
    stack.callback(streams.close)
    lap('read')
    reference = None if options.reference_topic is None else read_reference(
        recording, options.reference_topic, model.joint_names, topic.mapping.to_model, findings)
    return Inputs(model, streams, topic.topic, imu_topic or '',
                  bool(topic.mapping.rule), reference, recording.close)


def _open_log(path: Path, robot: Optional[RobotSource], options: ReplayOptions,
              findings: Findings, stack: ExitStack, lap: Callable[[str], None]) -> Inputs:
    log = read_log(path, options.columns, options.rate, findings)
    if robot is None:
        raise BagError(f'{path}: a log carries no robot description; give a URDF with --robot')
    model = _model(robot, options, findings)
    mapping = map_joints(model.joint_names, log.joint_names, options.joint_map)
    if not mapping.to_model:
        raise BagError(f'{path}: no recorded joint name ({", ".join(log.joint_names[:6])}) '
                       f'matches those of the model ({", ".join(model.joint_names[:6])}); use '
                       '--joint-map recorded=model,...')
    _report_mapping(model, mapping, path.name, options, findings)
    lap('open')
    streams = log.streams(model, mapping)
    stack.callback(streams.close)
    for source in streams.joints:
        source.report(findings)
    if options.imu_topic == 'none':
        streams.imu = None
        findings.add(INFO, 'imu-none', path.name,
                     'base motion switched off: a fixed, level base was assumed')
    elif streams.imu is None:
        findings.add(SEVERE, 'imu-none', path.name, 'NO BASE MOTION: there are no columns of an '
                     'IMU, so every figure assumes a base that is level and does not move')
    lap('read')
    return Inputs(model, streams, path.name, '' if streams.imu is None else path.name,
                  bool(mapping.rule))


def _report_mapping(model: RobotModel, mapping: JointMapping, where: str, options: ReplayOptions,
                    findings: Findings) -> None:
    mapping.report(where, findings)
    report_wheels(model, options.wheels, tuple(mapping.to_model.values()), where, findings,
                  options.imu_on)


def _robot(recording: Recording, robot: Optional[RobotSource], options: ReplayOptions,
           findings: Findings) -> RobotModel:
    """Take the given robot, or the one that the recording carries."""
    if robot is None:
        robot = find_robot_description(recording, options.description_topic)
        if robot is None:
            raise BagError(f'{recording.path}: carries no robot_description; give a URDF with '
                           '--robot')
        findings.add(INFO, 'robot-from-bag', recording.path.name,
                     'the robot is the one of its own robot_description topic')
    return _model(robot, options, findings)


def _model(robot: RobotSource, options: ReplayOptions, findings: Findings) -> RobotModel:
    """Load the robot as the options say; note what is suspicious about its description."""
    model = load_robot(robot, options.without_links, options.base_link, options.tip_link,
                       options.held_joints)
    for element in dict.fromkeys(note.element for note in model.notes):
        texts = [note.text for note in model.notes
                 if note.element == element and note.severity == 'warning']
        if texts:
            findings.add(WARNING, 'description', element, '; '.join(texts))
    if options.identified:
        model = Identified.read(options.identified).apply(model)
    if options.wheels is not None:
        model = on_wheels(model, options.wheels)
    return model.with_rotor_inertia(options.rotor_inertia or {})
