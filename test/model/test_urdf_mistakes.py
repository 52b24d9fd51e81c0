"""Structural mistakes: each one is an error that names the element and the fix."""

import pytest
from robot_dynamics import RobotDynamicsError, RobotModel
from robot_dynamics.core.errors import ModelError
from urdf_snippets import BOX, joint, link, robot, two_joints

ARM = (link('base'), link('arm'))
J = joint('j', 'base', 'arm')

MISTAKES = {
    'no link': (robot(), 'has no <link>'),
    'two roots': (robot(*ARM, link('lost'), J), "2 root links: 'base', 'lost'.*connect"),
    'cycle with a root': (
        robot(link('r'), link('a'), link('b'), joint('j', 'a', 'b'), joint('k', 'b', 'a')),
        "joint '[jk]': closes a cycle of links: .*a URDF is a tree"),
    'cycle without a root': (
        robot(link('a'), link('b'), joint('j', 'a', 'b'), joint('k', 'b', 'a')),
        "joint '[jk]': closes a cycle"),
    'own parent': (robot(link('r'), link('a'), joint('j', 'a', 'a')), "joint 'j': closes a cycle"),
    'unknown parent': (robot(*ARM, joint('j', 'bass', 'arm')),
                       "joint 'j': its parent: unknown link 'bass'; known: base"),
    'unknown child': (robot(*ARM, joint('j', 'base', 'army')),
                      "joint 'j': its child: unknown link 'army'; known: arm"),
    'two parents': (robot(*ARM, link('c'), J, joint('k', 'base', 'c'), joint('l', 'c', 'arm')),
                    "link 'arm': is the child of both joint 'j' and joint 'l'"),
    'zero axis': (robot(*ARM, joint('j', 'base', 'arm', axis='0 0 0')),
                  "joint 'j': its axis is zero; give a direction"),
    'vanishing axis': (robot(*ARM, joint('j', 'base', 'arm', axis='0 1e-12 0')), 'axis is zero'),
    'zero axis of a coupled joint without motion': (
        robot(*ARM, link('c'), J, joint('k', 'base', 'c', axis='0 0 0',
                                        extra='<mimic joint="j" multiplier="0"/>')),
        "joint 'k': its axis is zero"),
    'link twice': (robot(*ARM, link('arm'), J), "link 'arm': is defined twice.*rename"),
    'joint twice': (robot(*ARM, link('c'), J, joint('j', 'arm', 'c')),
                    "joint 'j': is defined twice"),
    'link without name': (robot('<link/>'), 'link in line 1: has no name'),
    'joint without name': (robot(*ARM, '<joint name=" " type="fixed"/>'), 'has no name'),
    'joint without type': (robot(*ARM, J.replace('type="revolute"', '')),
                           "joint 'j': <joint type> in line .* is missing"),
    'unknown type': (robot(*ARM, joint('j', 'base', 'arm', 'hinge')),
                     "joint 'j': has the unknown type 'hinge'; use one of revolute"),
    'no parent': (robot(*ARM, J.replace('<parent link="base"/>', '')), "'j': .*no <parent>"),
    'no child': (robot(*ARM, J.replace('<child link="arm"/>', '')), "'j': .*no <child>"),
    'two parents in one joint': (robot(*ARM, J.replace('<child', '<parent link="base"/><child')),
                                 "joint 'j': has two <parent>"),
    'parent without link': (robot(*ARM, J.replace('<parent link="base"/>', '<parent/>')),
                            "joint 'j': <parent link> .*is missing"),
    'word in xyz': (robot(*ARM, joint('j', 'base', 'arm', xyz='0 zero 0')),
                    "joint 'j': <origin xyz> in line 3: 'zero' is not a number"),
    'comma in rpy': (robot(*ARM, joint('j', 'base', 'arm', rpy='0,0,1')), 'not a number'),
    'underscore': (robot(link('base', mass='1_0')), "link 'base': <mass value>.*'1_0'"),
    'unit': (robot(link('base', mass='1kg')), "'1kg' is not a number"),
    'two numbers for three': (robot(*ARM, joint('j', 'base', 'arm', xyz='0 0')),
                              "joint 'j': <origin xyz> .*2 numbers.*give 3 numbers"),
    'four numbers': (robot(*ARM, joint('j', 'base', 'arm', axis='0 0 1 0')), 'give 3 numbers'),
    'two masses': (robot(link('base', mass='1 2')), 'holds 2 numbers.*give 1 number$'),
    'empty number': (robot(link('base', mass=' ')), 'holds 0 numbers'),
    'nan': (robot(link('base', mass='nan')), "link 'base': .*nan is not finite"),
    'infinity': (robot(link('base', com='0 -inf 0')), '-inf is not finite'),
    'overflow': (robot(link('base', mass='1e999')), '1e999 is not finite'),
    'nan limit': (robot(*ARM, joint('j', 'base', 'arm', limit='lower="NaN"')), 'not finite'),
    'limits exchanged': (robot(*ARM, joint('j', 'base', 'arm', limit='lower="2" upper="1"')),
                         "joint 'j': its lower limit 2 is above its upper limit 1; exchange"),
    'negative effort': (robot(*ARM, J.replace('effort="40"', 'effort="-1"')),
                        "joint 'j': its effort limit -1 is negative"),
    'inertial without mass': (robot(f'<link name="base"><inertial>{BOX}</inertial></link>'),
                              "link 'base': <inertial> has no <mass>"),
    'inertia incomplete': (robot(link('base', inertia='<inertia ixx="1" iyy="1" izz="1"/>')),
                           "link 'base': <inertia ixy> .* is missing"),
    'two inertials': (robot('<link name="base"><inertial><mass value="1"/></inertial>'
                            '<inertial><mass value="1"/></inertial></link>'),
                      "link 'base': has two <inertial>"),
    'origin overflows': (
        robot(*ARM, link('c'), joint('j', 'base', 'arm', xyz='1e308 0 0', kind='fixed'),
              joint('k', 'arm', 'c', xyz='1e308 0 0')), "joint 'k': its place .* overflows"),
    'mass overflows': (
        robot(link('base', '1e308'), link('arm', '1e308'), joint('j', 'base', 'arm', 'fixed')),
        "link 'base': its merged mass or inertia overflows"),
    'masses cancel': (
        robot(link('base', 1.0), link('arm', -1.0), joint('j', 'base', 'arm', 'fixed', '1 0 0')),
        "link 'base': its masses cancel"),
    'mimic of nothing': (two_joints('', '<mimic joint="shuolder"/>'),
                         "joint 'elbow': <mimic>: unknown joint 'shuolder'; known: shoulder"),
    'mimic of itself': (two_joints('', '<mimic joint="elbow"/>'),
                        "joint 'elbow': <mimic> forms a cycle: elbow -> elbow"),
    'mimic cycle': (two_joints('<mimic joint="elbow"/>', '<mimic joint="shoulder"/>'),
                    'forms a cycle: .* -> .* -> '),
    'mimic of the base': (
        robot(link('w', 0), *ARM, joint('f', 'w', 'base', 'floating'),
              joint('j', 'base', 'arm', extra='<mimic joint="f"/>')),
        "joint 'j': <mimic>: joint 'f' is floating"),
}


@pytest.mark.parametrize('text, message', MISTAKES.values(), ids=MISTAKES.keys())
def test_a_structural_mistake_names_the_element_and_the_fix(text, message):
    with pytest.raises(ModelError, match=message) as caught:
        RobotModel.from_urdf(text)
    assert caught.value.element
    assert caught.value.fix
    assert '\n' not in str(caught.value)


VALID = two_joints(
    '<dynamics damping="1" friction="2"/>',
    '<dynamics damping="1" friction="2"/><mimic joint="shoulder" multiplier="2" offset="1"/>')
BAD_NUMBERS = ('', 'abc', '1 2', '1 2 3 4', 'nan', '1e999', '1,5', '0x10', '${a}', '1_0', '--1',
               '\N{FULLWIDTH DIGIT ONE}', 'True', 'None', '1e', '.')
NUMERIC = ('xyz', 'rpy', 'value', 'ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz', 'lower', 'upper',
           'velocity', 'effort', 'damping', 'friction', 'multiplier', 'offset')


@pytest.mark.parametrize('bad', BAD_NUMBERS)
@pytest.mark.parametrize('attribute', NUMERIC)
def test_no_bad_number_is_taken_anywhere(attribute, bad):
    pieces = VALID.split(f' {attribute}="')
    for place in range(1, len(pieces)):
        rest = pieces[place].split('"', 1)[1]
        text = f' {attribute}="'.join(pieces[:place] + [f'{bad}"{rest}'] + pieces[place + 1:])
        with pytest.raises(ModelError):
            RobotModel.from_urdf(text)


def _elements(text):
    """Split a text at its tags, so that single ones can be removed, repeated or renamed."""
    parts = text.replace('<', '\0<').replace('>', '>\0').split('\0')
    return [part for part in parts if part]


@pytest.mark.parametrize('change', ['remove', 'repeat', 'rename', 'swap with next', 'truncate'])
def test_a_damaged_tag_loads_or_is_refused_but_never_crashes(change):
    parts = _elements(VALID)
    refused = 0
    for index, part in enumerate(parts):
        changed = list(parts)
        if change == 'remove':
            del changed[index]
        elif change == 'repeat':
            changed.insert(index, part)
        elif change == 'rename':
            changed[index] = part.replace('<', '<x_').replace('<x_/', '</x_')
        elif change == 'swap with next':
            changed[index:index + 2] = reversed(changed[index:index + 2])
        else:
            changed = changed[:index]
        try:
            RobotModel.from_urdf(''.join(changed))
        except RobotDynamicsError as error:
            refused += 1
            assert '\n' not in str(error)
    assert refused  # the changes do reach the reader


def test_the_valid_text_that_is_damaged_above_is_valid():
    assert RobotModel.from_urdf(VALID).joint_names == ('shoulder',)
