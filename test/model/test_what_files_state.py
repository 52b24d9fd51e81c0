"""What files state beyond URDF 1.0, and what in them is read, named or doubted, never dropped."""

import numpy as np
from numpy.testing import assert_allclose
import pytest
from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.core.errors import ModelError
from urdf_snippets import joint, link, robot, two_joints

ARM = (link('base'), link('arm'), joint('j', 'base', 'arm'))
BODY = '<mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
DRAKE = ('<transmission name="t"><joint name="{joint}"/><actuator name="m">{actuator}</actuator>'
         '</transmission>')
ROTOR = '<drake:rotor_inertia value="3e-4"/>'


def warnings(*parts):
    return [str(note) for note in RobotModel.from_urdf(robot(*parts)).notes
            if note.severity == 'warning']


def remarks(*parts):
    return [str(note) for note in RobotModel.from_urdf(robot(*parts)).notes
            if note.severity == 'info']


# ---- orientations of URDF 1.1 ----

@pytest.mark.parametrize('quat, rpy', [
    ('0.7071067811865476 0 0 0.7071067811865476', '1.5707963267948966 0 0'),
    ('0 0 0 1', '0 0 0'), ('0.1 -0.2 0.3 0.927361849549570', None)])
def test_a_quaternion_turns_as_its_angles_do(quat, rpy):
    from robot_dynamics.motion.rotations import rpy_from_quat
    rpy = rpy or ' '.join(map(repr, rpy_from_quat([float(w) for w in quat.split()]).tolist()))
    turned = two_joints().replace('rpy="0 0 0"', f'quat_xyzw="{quat}"')
    same = two_joints().replace('rpy="0 0 0"', f'rpy="{rpy}"')
    state = np.random.default_rng(0).uniform(-1, 1, (3, 2))
    torques = [InverseDynamics(RobotModel.from_urdf(text), backend='interpreted').torque(*state)
               for text in (turned, same)]
    assert_allclose(*torques, rtol=1e-12)
    if quat != '0 0 0 1':
        level = InverseDynamics(RobotModel.from_urdf(two_joints()), backend='interpreted')
        assert np.abs(torques[0] - level.torque(*state)).max() > 0.1


def test_a_shoulder_on_a_quaternion_carries_its_arm():
    """5 kg at 0.3 m and 3 kg at 0.8 m on an axis that lies level: 38.246 N m."""
    text = robot(
        link('deck', 0), link('upper', 5, '0.3 0 0'), link('fore', 3, '0.2 0 0'),
        joint('shoulder', 'deck', 'upper').replace(
            'rpy="0 0 0"', 'quat_xyzw="0.7071067811865476 0 0 0.7071067811865476"'),
        joint('elbow', 'upper', 'fore', xyz='0.6 0 0'))
    torque = InverseDynamics(RobotModel.from_urdf(text), backend='interpreted').torque(
        [0, 0], [0, 0], [0, 0])
    assert_allclose(torque, [9.80665 * (5 * 0.3 + 3 * 0.8), 9.80665 * 3 * 0.2], rtol=1e-12)


@pytest.mark.parametrize('quat, told', [
    ('0 0 0 0', 'has length 0; give a unit quaternion'), ('0 0 1', 'holds 3 numbers'),
    ('0 0 0 x', 'is not a number'), ('0 0 0 1" rpy="0 0 0', 'stands beside rpy')])
def test_a_quaternion_that_is_none_is_refused(quat, told):
    with pytest.raises(ModelError, match=told):
        RobotModel.from_urdf(robot(*ARM).replace('rpy="0 0 0"', f'quat_xyzw="{quat}"'))


def test_a_quaternion_of_another_length_is_scaled_with_a_warning():
    parts = [part.replace('rpy="0 0 0"', 'quat_xyzw="2 0 0 2"') for part in ARM]
    assert any('has length 2.82843: scaled to one' in text for text in warnings(*parts))


# ---- limits of URDF 1.2 ----

def test_limits_of_acceleration_and_jerk_are_kept_and_survive_writing():
    limit = 'lower="-1" upper="1" acceleration="5" deceleration="6" jerk="70"'
    model = RobotModel.from_urdf(robot(link('base'), link('arm'),
                                       joint('j', 'base', 'arm', limit=limit)))
    for kept in (model, RobotModel.from_urdf(model.to_urdf())):
        assert (kept.joints[0].acceleration, kept.joints[0].deceleration) == (5, 6)
        assert kept.joints[0].jerk == kept.summary()['joints'][0]['jerk'] == 70
    assert not [note for note in model.notes if 'not known' in note.text]


@pytest.mark.parametrize('limit, told', [
    ('jerk="-1"', 'its jerk limit -1 is negative'), ('acceleration="x"', 'is not a number')])
def test_a_wrong_limit_of_acceleration_or_jerk_is_refused(limit, told):
    with pytest.raises(ModelError, match=told):
        RobotModel.from_urdf(robot(link('base'), link('arm'),
                                   joint('j', 'base', 'arm', limit=limit)))


# ---- unknown is not harmless ----

@pytest.mark.parametrize('old, new, told', [
    ('<origin xyz="0.1 0.2 0.3"', '<orgin xyz="0.1 0.2 0.3"', '<orgin> of <inertial>'),
    ('<origin xyz="0.1', '<origin XYZ="0.1', "attribute 'XYZ' of <origin>"),
    ('<mass', '<pose>0.3 0 0 0 0 0</pose><mass', '<pose> of <inertial>'),
    ('<axis xyz="0 0 1"/>', '<Axis xyz="0 1 0"/>', '<Axis> of <joint>'),
    ('<axis xyz="0 0 1"/>', '<axes xyz="0 1 0"/>', '<axes> of <joint>'),
    ('<inertial>', '<intertial/><inertial>', '<intertial> of <link>'),
    ('<robot name="test">', f'<robot name="test"><inertial>{BODY}</inertial>',
     '<inertial> of <robot>'),
    ('<mass value', '<mass unit="g" value', "attribute 'unit' of <mass>"),
    ('velocity="3" effort="40"', 'velocity="3" Effort="40"', "attribute 'Effort' of <limit>"),
    ('<axis', '<origin2/><axis', '<origin2> of <joint>'),
    ('<axis', '<spring stiffness="3"/><axis', '<spring> of <joint>'),
    ('<link name="arm"', '<link name="arm" mass="3"', "attribute 'mass' of <link>"),
    ('type="revolute"', 'type="revolute" axis="0 1 0"', "attribute 'axis' of <joint>"),
    ('type="revolute"', 'type="revolute" gear_ratio="9"', "attribute 'gear_ratio' of <joint>"),
    ('effort="40"', 'torque="40"', "attribute 'torque' of <limit>"),
    ('velocity="3"', 'max_speed="3"', "attribute 'max_speed' of <limit>"),
    ('lower="-2" upper="2"', 'min="-2" upper="2"', "attribute 'min' of <limit>"),
    ('<axis', '<dynamics damping="1" mu_coulomb="3"/><axis', "'mu_coulomb' of <dynamics>"),
    ('<axis', '<dynamics viscous="3"/><axis', "attribute 'viscous' of <dynamics>"),
    ('<link name="arm"><inertial>', '<link name="arm"><inertial>0.3 0 0',
     "the text '0.3 0 0' of <inertial>"),
    ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 1">0 1 0</axis>', "the text '0 1 0' of <axis>"),
    ('<inertial>', '<visual><mass value="3"/></visual><inertial>', '<mass> of <visual>'),
    ('rpy="0 0 0"/><axis', 'rpy="0 90 0"/><axis', 'in deg it would be 1.571'),
    ('<link name="arm"><inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 0"',
     '<link name="arm"><inertial><origin xyz="0 0 0" rpy="0 0 -180"', 'would be -3.142'),
    ('lower="-2" upper="2"', 'lower="-170" upper="90"', 'in deg they would be -2.967 and 1.571'),
    ('xyz="0 0 0" rpy="0 0 0"/><axis', 'xyz="0 0 330" rpy="0 0 0"/><axis',
     'in mm it would be 0.33 m')])
def test_what_is_unknown_where_dynamics_is_told_is_a_warning(old, new, told):
    text = robot(*ARM)
    assert old in text
    notes = RobotModel.from_urdf(text.replace(old, new)).notes
    found, = [note for note in notes if told in note.text]
    assert found.severity == 'warning'


@pytest.mark.parametrize('old, new', [
    ('effort="40"', 'effort="40" command_effort="30" current="4" gear_velocity="9"'),
    ('<axis', '<safety_controller k_velocity="1"/><axis'),
    ('<axis', '<dynamics damping="1" D="1" K="7000"/><axis'),
    ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 1">0 0  1</axis>'),
    ('rpy="0 0 0"/><axis', 'rpy="0 6.2832 0"/><axis'),
    ('lower="-2" upper="2"', 'lower="-7" upper="7"'),
    ('<joint', '<!-- a comment --> <joint'),
    ('<inertial>', '<contact><lateral_friction value="1"/></contact><inertial>'),
    ('<robot name="test">', '<robot name="test" version="1.0"><vendor/><mujoco/><gazebo/>'),
    ('<inertial>', '<drake:proximity_properties/><inertial>')])
def test_what_tools_add_beside_dynamics_is_no_warning(old, new):
    text = robot(*ARM)
    assert old in text
    notes = RobotModel.from_urdf(text.replace(old, new)).notes
    assert not [note for note in notes if note.severity == 'warning']


def test_a_fixed_joint_with_a_malformed_axis_loads_with_a_remark():
    weld = joint('weld', 'arm', 'plate', 'fixed').replace('<axis xyz', '<axis xzy')
    parts = (*ARM, link('plate'), weld)
    assert warnings(*parts) == []
    assert any("joint 'weld': is fixed, so its <axis> is not used, though it is wrong" in text
               for text in remarks(*parts))
    with pytest.raises(ModelError, match='<axis xyz> in line'):
        RobotModel.from_urdf(robot(*ARM, link('plate'), weld.replace('fixed', 'revolute')))


# ---- loops ----

@pytest.mark.parametrize('loop', [
    '<gazebo><joint name="bar" type="revolute"><parent>arm</parent><child>base</child></joint>'
    '</gazebo>',
    '<loop_joint name="bar" type="revolute"><link1 link="arm"/><link2 link="base"/></loop_joint>',
    '<drake:linear_bushing_rpy name="bar"><drake:bushing_frameA name="arm"/>'
    '<drake:bushing_frameB name="base"/></drake:linear_bushing_rpy>',
    '<loop name="bar"><predecessor link="arm"/><successor link="base"/></loop>',
    '<closed_chain name="bar" link1="arm" link2="base"/>',
    '<mujoco><equality><weld name="bar" body1="arm" body2="base"/></equality></mujoco>',
    '<constraint name="bar" parent="arm" child="base"/>',
    '<drake:ball_constraint name="bar"><drake:ball_constraint_body_A name="arm"/>'
    '<drake:ball_constraint_body_B name="base"/></drake:ball_constraint>'])
def test_a_loop_that_a_file_closes_outside_urdf_is_named(loop):
    found, = warnings(*ARM, loop)
    assert "'bar' ties 'arm' to 'base' outside the tree of URDF" in found


def test_a_plugin_that_names_joints_closes_no_loop():
    assert warnings(*ARM, '<gazebo><plugin name="p"><joint>j</joint><jointName>j</jointName>'
                          '</plugin></gazebo>') == []


# ---- rotors ----

@pytest.mark.parametrize('actuator, reflected', [
    (ROTOR + '<drake:gear_ratio value="100"/>', 3.0), (ROTOR, 3e-4),
    (ROTOR + '<mechanicalReduction>50</mechanicalReduction>', 0.75),
    ('<rotorInertia>3e-4</rotorInertia><mechanical_reduction>50</mechanical_reduction>', 0.75),
    ('<motor_inertia value="3e-4"/>', 3e-4),
    (ROTOR + '<mechanicalReduction>50</mechanicalReduction><drake:gear_ratio value="100"/>', 3.0)])
def test_a_rotor_that_the_file_states_is_felt(actuator, reflected):
    text = robot(*ARM, DRAKE.format(joint='j', actuator=actuator))
    model = RobotModel.from_urdf(text)
    assert_allclose(model.rotor_inertia, [reflected])
    still, moved = (InverseDynamics(RobotModel.from_urdf(t), backend='interpreted').torque(
        [0], [0], [1]) for t in (robot(*ARM), text))
    assert_allclose(moved - still, [reflected], atol=1e-12)
    assert any('from its <transmission>' in note.text for note in model.notes)
    assert_allclose(RobotModel.from_urdf(model.to_urdf()).rotor_inertia, [reflected])


def test_the_armature_of_dynamics_is_felt():
    text = robot(link('base'), link('arm'),
                 joint('j', 'base', 'arm', extra='<dynamics armature="0.2"/>'))
    assert_allclose(RobotModel.from_urdf(text).rotor_inertia, [0.2])
    with pytest.raises(ModelError, match='armature -1 is negative'):
        RobotModel.from_urdf(text.replace('0.2"/>', '-1"/>'))


def test_who_gives_a_rotor_inertia_replaces_that_of_the_file():
    text = robot(*ARM, DRAKE.format(joint='j', actuator=ROTOR))
    assert_allclose(RobotModel.from_urdf(text, rotor_inertia={'j': 0.5}).rotor_inertia, [0.5])


def test_a_rotor_of_a_follower_is_felt_by_its_driver_and_one_of_a_held_joint_by_none():
    text = two_joints('', '<mimic joint="shoulder" multiplier="-3"/>').replace(
        '</robot>', DRAKE.format(joint='elbow', actuator=ROTOR) + '</robot>')
    assert_allclose(RobotModel.from_urdf(text).rotor_inertia, [9 * 3e-4])
    held = two_joints().replace(
        '</robot>', DRAKE.format(joint='elbow', actuator=ROTOR) + '</robot>')
    assert_allclose(RobotModel.from_urdf(held, joints=['shoulder']).rotor_inertia, [0])


def test_a_gear_ratio_without_a_rotor_is_named():
    idle = DRAKE.format(joint='j', actuator='<mechanicalReduction>50</mechanicalReduction>')
    assert any("gear ratios of <transmission> are not used (50 at 'j')" in text
               for text in remarks(*ARM, idle))
    impossible = DRAKE.format(joint='j', actuator=ROTOR.replace('3e-4', '-1'))
    assert any('no such drive exists' in text for text in warnings(*ARM, impossible))


@pytest.mark.parametrize('text, told', [
    (DRAKE.format(joint='other', actuator=ROTOR), "the robot has no joint 'other'"),
    (DRAKE.format(joint='j', actuator=ROTOR).replace('</transmission>', '<joint name="k"/>'
                                                     '</transmission>'), 'is not said'),
    ('<ros2_control><joint name="j"><param name="rotor_inertia">3e-4</param></joint>'
     '</ros2_control>', '<param> in <ros2_control> states a rotor inertia'),
    ('<mujoco><joint armature="0.2"/><joint armature="0.2"/></mujoco>',
     '<joint> in <mujoco> states a rotor inertia, which is not read there (2 times)')])
def test_a_rotor_that_cannot_be_used_is_named(text, told):
    found, = warnings(*ARM, text)
    assert told in found
    assert_allclose(RobotModel.from_urdf(robot(*ARM, text)).rotor_inertia, [0])


# ---- no inertia at all, and limits that are none ----

def test_a_description_without_any_inertial_says_so_first():
    parts = (link('base', 0), link('arm', 0), joint('j', 'base', 'arm'))
    with pytest.raises(ModelError, match='has no <inertial> at all .*ABB, Fanuc, Motoman and '
                                         'MoveIt.*data sheet.*from_dh.*identify'):
        RobotModel.from_urdf(robot(*parts))
    with_rotor = RobotModel.from_urdf(robot(*parts), rotor_inertia={'j': 1.0})
    assert 'has no <inertial> at all' in with_rotor.notes[0].text
    assert with_rotor.notes[0].severity == 'warning'


@pytest.mark.parametrize('effort, usable', [('40', True), ('0', False), ('1e300', False),
                                            ('inf', False), ('1e7', False)])
def test_an_effort_limit_of_zero_or_beyond_any_drive_is_none(effort, usable):
    text = robot(*ARM).replace('effort="40"', f'effort="{effort}"')
    assert RobotModel.from_urdf(text).has_effort_limit.tolist() == [usable]
