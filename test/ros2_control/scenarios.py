"""What happens with a real controller manager: ``scenarios.py NAME CHECKOUT DIRECTORY``."""

import json
import os
from pathlib import Path
import signal
import sys
import time

from ament_index_python.packages import get_package_prefix, PackageNotFoundError
from lifecycle_msgs.msg import Transition
from manager_rig import JOINTS, MOCK, Rig, TOPIC
import numpy as np
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_loop import SLOW_D, SLOW_P
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

A, B = 'effort_controller', 'joint_trajectory_controller'
SWITCH = '/controller_manager/switch_controller'
PACE = 0.25  # of the clock where tracking is measured: a busy machine keeps up with that
STILL = {'base_motion': 'fixed', 'natural_frequency': [0.0]}
TO_CONTROLLER = [('feedforward/joint_trajectory', f'{B}/joint_trajectory')]


def way_a_events(rig):
    """Forward efforts to an arm that does not move."""
    rig.configuration('ros2_control_effort_forward')
    rig.add(feedforward=STILL, effort_guard={
        'final_action': 'call_service', 'final_delay': 0.3, 'final_service': SWITCH,
        'final_controllers': [A]})
    rig.start_manager('joint_state_broadcaster', A)
    yield 'claimed', rig.controllers()
    rig.start('effort_guard_node')
    rig.start('feedforward_node', autostart=False, robot_description=str(
        rig.repository / 'urdf/pa10.urdf'))
    rig.lead('feedforward', Transition.TRANSITION_CONFIGURE)
    rig.lead('feedforward', Transition.TRANSITION_ACTIVATE)
    rig.until_state('feedforward', 'active')
    yield 'active', rig.settled(2.0)
    yield 'gravity', rig.gravity

    rig.switch(off=[A])
    yield 'deactivated', rig.settled()
    rig.switch(on=[A])
    yield 'reactivated', rig.settled()

    commands = rig.node.create_publisher(Float64MultiArray, 'feedforward/commands', 1)
    rig.until(lambda: commands.get_subscription_count() == 1, 'the guard listens')
    for name, values, said in (('five', [1.0] * 5, 'does not hold 6 numbers'),
                               ('nan', [float('nan')] * 6, 'is not a usable number')):
        message = Float64MultiArray(data=values)
        rig.until(lambda message=message, said=said: commands.publish(message) or
                  said in rig.log('effort_guard_node'), f'the guard tells of {name}')
        yield f'guarded_{name}', rig.settled(0.2)
    yield 'after_wrong_commands', rig.controllers()

    moving = turned(rig)
    yield 'moving', moving
    rig.end('feedforward_node')
    rig.until_inactive(A)
    yield 'after_kill', rig.settled()
    yield 'last_gravity', rig.gravity

    rig.start('feedforward_node', robot_description=str(rig.repository / 'urdf/pa10.urdf'))
    rig.until_state('feedforward', 'active')
    rig.switch(on=[A])
    yield 'after_restart', rig.settled(2.0)

    calls = rig.log('effort_guard_node').count('was called')
    rig.switch(off=[A])
    rig.end('feedforward_node')
    rig.until(lambda: rig.log('effort_guard_node').count('was called') > calls, 'the call')
    yield 'inactive_already', rig.controllers()

    yield 'guard_exit', rig.end('effort_guard_node', signal.SIGINT)
    rig.switch(on=[A])
    raw = rig.node.create_publisher(Float64MultiArray, f'{A}/commands', 1)
    rig.until(lambda: raw.get_subscription_count() == 1, 'the controller listens')
    rig.until(lambda: raw.publish(Float64MultiArray(data=[1.0] * 6)) or
              abs(rig.efforts()[-1] - 1.0).max() < 1e-9, 'efforts of one')
    raw.publish(Float64MultiArray(data=[2.0] * 5))
    rig.until_inactive(A)
    yield 'after_five_unguarded', rig.settled()
    yield 'largest', np.abs(rig.efforts()).max(axis=0)


def turned(rig):
    """Move the desired position away, slowly; returns the effort on the way."""
    publisher = rig.node.create_publisher(JointTrajectory, 'reference', 1)
    rig.until(lambda: publisher.get_subscription_count() == 1, 'the feedforward listens')
    start = rig.positions[-1][1]
    points = []
    for seconds, way in ((1, 0.0), (9, 1.0)):
        point = JointTrajectoryPoint(
            positions=(start + way * np.array([0.0, 0.6, 0.6, 0.0, 0.3, 0.0])).tolist(),
            velocities=[0.0] * 6)
        point.time_from_start.sec = seconds
        points.append(point)
    publisher.publish(JointTrajectory(joint_names=JOINTS, points=points))
    before = rig.efforts()[-1]
    rig.until(lambda: abs(rig.efforts()[-1] - before).max() > 3.0, 'efforts of a motion')
    return rig.efforts()[-1]


def way_a_held(rig):
    """Start the controller manager last, and again while the guard holds the arm."""
    rig.configuration('ros2_control_effort_forward')
    rig.add(feedforward=STILL)
    rig.start('effort_guard_node')
    rig.start('feedforward_node', robot_description=str(rig.repository / 'urdf/pa10.urdf'))
    rig.start_manager('joint_state_broadcaster', A)
    rig.until_state('feedforward', 'active')
    yield 'active', rig.settled(2.0)
    rig.end('feedforward_node')
    held = rig.settled(5.0)
    yield 'held', held
    for name, number in (('interrupted', signal.SIGINT), ('killed', signal.SIGKILL)):
        rig.end('controller_manager', number)
        since = time.time()
        rig.start_manager('joint_state_broadcaster', A)
        rig.until(lambda since=since: len(rig.efforts(since)) and abs(
            rig.efforts(since)[-1] - held).max() < 0.01, f'held by the one after the {name}')
        yield name, rig.settled()
        yield f'controllers_{name}', rig.controllers()
    yield 'largest', np.abs(rig.efforts()).max(axis=0)


def way_a_simulated_time(rig):
    """Let the manager and the nodes live by a clock that runs at half speed, and stops."""
    rig.configuration('ros2_control_effort_forward')
    rig.add(feedforward=STILL)
    rig.simulate_time(0.5)
    rig.start_manager('joint_state_broadcaster', A)
    rig.start('effort_guard_node')
    rig.start('feedforward_node', robot_description=str(rig.repository / 'urdf/pa10.urdf'))
    rig.until_state('feedforward', 'active')
    yield 'active', rig.settled(2.0)
    yield 'gravity', rig.gravity
    yield 'offset', abs(rig.positions[-1][0] - time.time())
    rig.clock_speed = 0.0
    rig.until(lambda: rig.states['feedforward'] != 'active', 'the feedforward falls back')
    rig.clock_speed = 0.5
    rig.until_state('feedforward', 'active')
    yield 'again', rig.settled(2.0)
    yield 'largest', np.abs(rig.efforts()).max(axis=0)


def way_b_events(rig):
    """Send trajectories with efforts to a controller of an arm that does not move."""
    rig.configuration('ros2_control_effort_trajectory')
    rig.add(feedforward=STILL)
    rig.start_manager('joint_state_broadcaster', B)
    start = {'remap': TO_CONTROLLER, 'robot_description': str(
        rig.repository / 'urdf/pa10.urdf')}
    rig.start('feedforward_node', **start)
    rig.until_state('feedforward', 'active')
    yield 'active', rig.settled(2.0)
    yield 'gravity', rig.gravity
    rig.switch(off=[B])
    rig.until_state('feedforward', 'waiting')
    yield 'deactivated', rig.settled()
    rig.switch(on=[B])
    rig.until_state('feedforward', 'active')
    yield 'reactivated', rig.settled()
    rig.end('feedforward_node')
    yield 'after_kill', rig.settled(2.0)
    yield 'controllers', rig.controllers()
    since = rig.now()
    rig.start('feedforward_node', **start)
    rig.until_state('feedforward', 'active')
    yield 'after_restart', rig.settled()
    yield 'restart_steps', np.abs(np.diff(rig.efforts(since), axis=0)).max(axis=0)
    yield 'exit', rig.end('feedforward_node', signal.SIGINT)
    yield 'after_interrupt', rig.settled(1.0)
    yield 'largest', np.abs(rig.efforts()).max(axis=0)


def way_a_tracking(rig):
    """Follow the reference on the moving ship, through guard and controller."""
    rig.configuration('ros2_control_effort_forward')
    rig.add(controller_manager={'enforce_command_limits': True})  # the reference keeps to them
    yield from tracking(rig, A, lambda: rig.start('effort_guard_node'), True,
                        actuation_delay=0.007)


def way_b_tracking(rig):
    """Follow the reference on the moving ship, with the controller's feedback and rotors."""
    yield from _with_trajectories(rig, True)


def way_b_links_tracking(rig):
    """Do the same with an arm whose drives have no rotors."""
    yield from _with_trajectories(rig, False)


def _with_trajectories(rig, rotors):
    rig.configuration('ros2_control_effort_trajectory')
    rig.add(joint_trajectory_controller={'gains': {
        name: {'p': p, 'd': d} for name, p, d in zip(JOINTS, SLOW_P, SLOW_D)}})
    yield from tracking(rig, B, lambda: None, rotors, remap=TO_CONTROLLER)


def tracking(rig, controller, start_guard, rotors, **parameters):
    """Follow for some seconds, then deactivate and activate in mid-motion, then kill."""
    try:
        get_package_prefix('h2_topic_system')
    except PackageNotFoundError:
        yield 'skip', 'no hardware interface that takes efforts to a simulated robot'
        return
    rig.configuration('ship_pa10')
    rig.add(feedforward={
        'natural_frequency': [6.0 if controller == A else 0.0], 'rotor_inertia': rotors,
        'clock_patience': 30.0},  # a busy machine stops the clock for more than 0.5 s
        simulated_robot={'arm.rotor_inertia': rotors})
    rig.simulate_time(PACE)
    epoch = rig.now()
    urdf = str(rig.repository / 'urdf/pa10.urdf')
    rig.start('ship_motion_publisher', epoch=epoch)
    rig.start('simulated_robot_node', epoch=epoch, robot_description=urdf, remap=[
        ('joint_states', 'sim/joint_states'), (f'{A}/commands', 'sim/effort_commands')])
    rig.start_manager('joint_state_broadcaster', controller)
    start_guard()
    rig.start('reference_trajectory_node', start_after='feedforward/state')
    said, arrivals, firsts = [], [], []

    def on_trajectory(message):
        firsts.append((message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec,
                       np.array(message.points[0].positions)))
        arrivals.append(rig.now())

    rig.node.create_subscription(JointTrajectory, f'{B}/joint_trajectory', on_trajectory, 10)
    rig.node.create_subscription(JointTrajectory, 'reference', said.append, 10)
    true = []
    rig.node.create_subscription(
        JointState, 'sim/joint_states', lambda message: true.append((
            message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec,
            np.array(message.position), message.effort[1])), 100)
    answers = {}  # stamp of the joint state by the effort of joint2 that answers it
    rig.node.create_subscription(
        JointState, 'feedforward/commands_stamped', lambda message: answers.setdefault(
            message.effort[1],
            message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec), 100)
    rig.start('feedforward_node', **parameters)
    rig.until(lambda: 'feedforward' in rig.states, 'the feedforward')
    activated = rig.now()
    rig.until_state('feedforward', 'active')
    rig.until(lambda: said, 'a reference')
    [reference] = said
    times = [point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec
             for point in reference.points]
    begin = reference.header.stamp.sec + 1e-9 * reference.header.stamp.nanosec
    rig.until(lambda: rig.now() > begin + 10.0, 'ten seconds of the motion', 100.0)
    desired = np.array([[*point.positions] for point in reference.points])

    def error_of(states):
        stamps, positions, _ = map(np.array, zip(*states))
        chosen = (stamps > begin + 1.0) & (stamps < begin + 10.0)
        return positions[chosen] - np.array([
            np.interp(stamps[chosen], begin + np.array(times), way) for way in desired.T]).T

    error = error_of(list(true))
    answers = answers or written(rig)
    late = delays(shown(list(true)), answers, begin + 1.0)
    yield 'delay', np.mean(late)
    yield 'delays', np.quantile(late, [0.1, 0.3, 0.5, 0.7, 0.9])
    yield 'heard', np.quantile(
        delays(heard(rig), answers, begin + 1.0), [0.1, 0.3, 0.5, 0.7, 0.9])
    yield 'ship_time', begin - epoch
    yield 'estimating', begin - activated
    yield 'cycles', cycles(rig, list(true), activated, begin + 10.0)
    if arrivals:
        yield 'steps', steps(rig, arrivals, begin + 1.0)
    yield 'rms', np.sqrt((error**2).mean(axis=0))
    yield 'fell_back', rig.log('feedforward_node').count('active -> holding')
    yield 'range', np.ptp(desired, axis=0)
    rig.switch(off=[controller])
    if controller == B:
        rig.until_state('feedforward', 'waiting')
    rig.wait(0.4)
    sent, since = len(arrivals), rig.now()
    rig.switch(on=[controller])
    if controller == B:
        rig.until(lambda: len(arrivals) > sent, 'a trajectory after the activation')
        yield 'gap', firsts[sent][1] - position_at(rig, firsts[sent][0])
    rig.wait(2.0)
    after = rig.efforts(since)
    yield 'reactivated', np.array([np.abs(after).max(axis=0),
                                   np.abs(np.diff(after, axis=0)).max(axis=0)])
    if controller == B:
        yield 'led', np.abs(np.diff(rig.efforts(arrivals[sent] - 0.01), axis=0)).max(axis=0)
    yield 'trips', rig.log('feedforward_node').count('stopped until the trip is cleared')
    rig.end('feedforward_node')
    rig.wait(3.0)
    yield 'controllers', rig.controllers()
    yield 'largest', np.abs(rig.efforts()).max(axis=0)


def steps(rig, arrivals, since):
    """Return the effort steps per cycle in the 30 ms after trajectories: RMS, max."""
    when, efforts = map(np.array, zip(*[row for row in rig.interface if row[0] > since]))
    before = np.searchsorted(arrivals, when[1:])
    early = when[1:] - np.take(arrivals, np.maximum(before - 1, 0)) < 0.03
    cycles_taken = np.rint(np.diff(when) / 0.005).clip(1)
    size = (np.abs(np.diff(efforts, axis=0)) / cycles_taken[:, np.newaxis])[early]
    return np.array([np.sqrt((size**2).mean(axis=0)), size.max(axis=0)])


def written(rig):
    """Return the stamp of the manager's cycle in which each effort of joint2 was written."""
    stamps = np.array([stamp for stamp, _ in list(rig.positions)])
    return {float(effort[1]): stamps[np.searchsorted(stamps, when, 'right') - 1]
            for when, effort in reversed(list(rig.interface))}


def shown(true):
    """Return when the arm's own state first shows each effort of joint2: at its next tick."""
    stamps = {}
    for stamp, _, effort in true:
        stamps.setdefault(effort, stamp)
    return stamps


def heard(rig):
    """Return when each effort of joint2 was sent to the arm, where it acts 1 to 3 ms later."""
    times = {}
    for when, effort in list(rig.interface):
        times.setdefault(float(effort[1]), when)
    return times


def delays(seen, answers, since):
    """Return the times from joint states until their answers are seen somewhere, s."""
    return [seen[effort] - stamp for effort, stamp in answers.items()
            if stamp > since and effort in seen]


def cycles(rig, true, since, until):
    """Return when the manager's states of a time were measured, and its cycles, (T, 2), s."""
    measured = {float(position[1]): stamp for stamp, position, _ in true}
    stamps, known = np.array([
        (stamp, measured.get(float(position[1]), np.nan))
        for stamp, position in list(rig.positions) if since < stamp < until]).T
    ages = stamps - known
    told = (ages > 0.0) & (ages < 0.1)  # of an arm at rest many are alike
    ages = np.interp(stamps, stamps[told], ages[told])
    return np.array([np.maximum.accumulate(stamps - ages), stamps]).T - since


def position_at(rig, when):
    """Return where the arm was, as the manager told it until then, (n,), rad."""
    return next(position for stamp, position in reversed(list(rig.positions)) if stamp <= when)


def main():
    """Run one and write what it has seen."""
    name, repository, directory = sys.argv[1:]
    seen = {}
    plugin = TOPIC if name.endswith('tracking') else MOCK
    with Rig(repository, directory, plugin) as rig:
        for key, value in globals()[name](rig):
            seen[key] = value.tolist() if isinstance(value, np.ndarray) else value
            print(f'{time.time():.3f} {key}: {seen[key]}', flush=True)
    (Path(directory) / 'seen.json').write_text(json.dumps(seen))
    sys.stdout.flush()
    os._exit(0)  # a thread of rclpy that is still there would abort the process


if __name__ == '__main__':
    main()
