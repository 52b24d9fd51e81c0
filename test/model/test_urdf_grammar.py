"""
A grammar of mistakes over random robots.

What is harmless changes nothing, and what is wrong is refused in one line or loads as a robot
whose torques both formulations agree on.
"""

import re
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest
from random_trees import random_urdf

from robot_dynamics import InverseDynamics, RobotDynamicsError, RobotModel

SETTINGS = settings(deadline=None, derandomize=True)
WORDS = ('', ' ', 'base', 'link00', 'joint00', 'nothing', 'ж', '\t', '0', 'nan', '-1', '1e308',
         '-1e-320', '1 2 3', '0 0 0', 'true', '${x}', '$(arg x)', 'a' * 5000)
TAGS = ('link', 'joint', 'inertial', 'inertia', 'mass', 'origin', 'axis', 'limit', 'mimic',
        'dynamics', 'parent', 'child', 'robot', 'spring', 'xacro-if', 'gazebo', 'transmission')


def tree(seed, joints=3):
    return ElementTree.fromstring(random_urdf(np.random.default_rng(seed), joints, mimics=1))


def text_of(root):
    return ElementTree.tostring(root, encoding='unicode')


def pick(draw, items):
    return items[draw(st.integers(0, len(items) - 1))]


# ---- what is wrong, or may be ----

def set_attribute(draw, root):
    """Write something else into an attribute."""
    element = pick(draw, [e for e in root.iter() if e.attrib])
    element.set(pick(draw, sorted(element.attrib)), draw(st.sampled_from(WORDS)))


def drop_attribute(draw, root):
    element = pick(draw, [e for e in root.iter() if e.attrib])
    del element.attrib[pick(draw, sorted(element.attrib))]


def copy_attribute(draw, root):
    """Take an attribute of another element of the same tag: a reference that is misplaced."""
    one = pick(draw, [e for e in root.iter() if e.attrib])
    other = pick(draw, list(root.iter(one.tag)))
    key = pick(draw, sorted(one.attrib))
    if key in other.attrib:
        one.set(key, other.get(key))


def rename_element(draw, root):
    pick(draw, list(root.iter())).tag = draw(st.sampled_from(TAGS))


def move_element(draw, root):
    """Take an element out, and put it elsewhere or nowhere."""
    parent = pick(draw, [e for e in root.iter() if len(e)])
    child = pick(draw, list(parent))
    parent.remove(child)
    inside = set(child.iter())
    target = pick(draw, [e for e in root.iter() if e not in inside])
    if draw(st.booleans()):
        target.append(child)


def repeat_element(draw, root):
    parent = pick(draw, [e for e in root.iter() if len(e)])
    parent.append(pick(draw, list(parent)))


def swap_joint_ends(draw, root):
    joint = pick(draw, root.findall('joint') or [root])
    ends = joint.find('parent'), joint.find('child')
    if None not in ends:
        ends[0].attrib, ends[1].attrib = dict(ends[1].attrib), dict(ends[0].attrib)


def change_type(draw, root):
    joint = pick(draw, root.findall('joint') or [root])
    joint.set('type', draw(st.sampled_from(
        ('fixed', 'revolute', 'prismatic', 'continuous', 'floating', 'planar', 'ball', ''))))


MISTAKES = (set_attribute, drop_attribute, copy_attribute, rename_element, move_element,
            repeat_element, swap_joint_ends, change_type)


@pytest.mark.slow
@settings(SETTINGS, max_examples=120)
@given(st.data())
def test_mistakes_are_refused_in_one_line_or_give_a_robot_with_one_answer(data):
    root = tree(data.draw(st.integers(0, 30)))
    for _ in range(data.draw(st.integers(1, 3))):
        data.draw(st.sampled_from(MISTAKES))(data.draw, root)
    try:
        model = RobotModel.from_urdf(text_of(root))
    except RobotDynamicsError as error:
        assert str(error) and '\n' not in str(error) and len(str(error)) < 2000
        return
    state = np.random.default_rng(1).uniform(-1, 1, (3, model.nv))
    try:
        torques = [InverseDynamics(model, method, backend='interpreted').torque(*state)
                   for method in ('newton_euler', 'lagrange_euler')]
    except RobotDynamicsError as error:  # numbers so large that torques overflow
        assert '\n' not in str(error)
        return
    scale = max(1.0, float(np.abs(torques[0]).max(initial=0.0)))
    if scale < 1e200:
        assert np.isfinite(torques).all()
        assert np.abs(torques[0] - torques[1]).max(initial=0.0) < 1e-9 * scale


# ---- what is harmless ----

def shuffle_links(draw, root):
    """Move the links behind the joints: references go by name."""
    for link in root.findall('link'):
        root.remove(link)
        root.append(link)


def shuffle_children(draw, root):
    """Turn the order inside a joint or link round."""
    for element in root:
        element[:] = reversed(list(element))


def respell_numbers(draw, root):
    """Write numbers with exponents, signs and blanks."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if re.fullmatch(r'[-+0-9.eE ]+', value):
                element.set(key, '  '.join(f'{float(word):+.17e}' for word in value.split()) + ' ')


def add_strangers(draw, root):
    """Add what other tools put into a description."""
    for element in list(root.iter()):
        if draw(st.booleans()):
            element.set('vendor_note', 'mass="9"')
        if element.tag in ('link', 'joint', 'robot', 'inertial'):
            stranger = ElementTree.SubElement(element, draw(st.sampled_from(
                ('gazebo', 'vendor', 'sensor'))))
            ElementTree.SubElement(stranger, 'mass', value='1e9')
            ElementTree.SubElement(stranger, 'axis', xyz='no numbers')
            stranger.append(ElementTree.Comment(' <mass value="3"/> '))


def add_visuals(draw, root):
    for link in root.iter('link'):
        visual = ElementTree.SubElement(link, 'visual')
        ElementTree.SubElement(visual, 'origin', xyz='9 9 9', rpy='x')


HARMLESS = (shuffle_links, shuffle_children, respell_numbers, add_strangers, add_visuals)


@pytest.mark.slow
@settings(SETTINGS, max_examples=40)
@given(st.data())
def test_what_is_harmless_changes_no_number(data):
    seed = data.draw(st.integers(0, 30))
    root, before = tree(seed), RobotModel.from_urdf(text_of(tree(seed)))
    for change in data.draw(st.lists(st.sampled_from(HARMLESS), min_size=1, max_size=3)):
        change(data.draw, root)
    after = RobotModel.from_urdf(text_of(root))
    assert after.joint_names == before.joint_names
    state = np.random.default_rng(1).uniform(-1, 1, (3, before.nv))
    torques = [InverseDynamics(model, friction=True, backend='interpreted').torque(*state)
               for model in (before, after)]
    assert np.array_equal(*torques)
