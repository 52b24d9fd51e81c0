"""A description that is read, changed and written again is the same description."""

import pytest
from robot_dynamics import RobotModel
from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.model.pruning import pruned
from robot_dynamics.model.source import Document
from urdf_snippets import joint, link

HEAD = ('<?xml version="1.0"{encoding}?>\n<!-- who made it -->\n<robot name="b\u00e4r" '
        'xmlns:drake="http://drake.mit.edu"  xmlns:xacro="http://x">\n')
KEPT = (link('base') + '<!-- > </link> -->\n' + link('upper') + joint('j', 'base', 'upper')
        + "<drake:note a='1'><![CDATA[<link name=\"hand\"/>]]></drake:note>&#xe9;\n")
GONE = (link('hand'), joint('k', 'upper', 'hand').replace('</joint>', '</joint >'),
        '<link name="tip"/>', joint('weld', 'hand', 'tip', 'fixed'))


def description(encoding, parts=GONE):
    return HEAD.format(encoding=encoding) + KEPT + ' ; '.join(parts) + '\n</robot>\n'


@pytest.mark.parametrize('encoding', ['', 'utf-8', 'latin-1', 'utf-16'])
def test_without_a_link_all_else_stays_as_it_is_written(encoding):
    declared = f' encoding="{encoding}"' if encoding else ''
    data = description(declared).encode(encoding or 'utf-8')
    text = pruned(Document.read(data), ['hand'])
    assert text == description('', ('',) * len(GONE))
    again = pruned(Document.read(text), [])
    assert again == text
    assert RobotModel.from_urdf(text).joint_names == ('j',)


@pytest.mark.parametrize('encoding', ['', 'utf-8', 'latin-1', 'utf-16'])
def test_the_text_of_a_document_is_the_document_without_its_encoding(encoding):
    declared = f' encoding="{encoding}"' if encoding else ''
    document = Document.read(description(declared).encode(encoding or 'utf-8'))
    assert document.text == description('')
    assert Document.read(document.text).text == document.text


def test_a_link_that_does_not_exist_is_named():
    with pytest.raises(UnknownNameError, match="unknown link 'hnd'; known: hand"):
        pruned(Document.read(description('')), ['hnd'])
