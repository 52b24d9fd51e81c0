"""Descriptions as users bring them, on the command line: pipes, stdin, packages, hints."""

import io
import os
import sys

import pytest
from robot_dynamics.app.cli import main
from robot_dynamics.core.resources import resource_path

PA10 = resource_path('urdf/pa10.urdf')


def stdin_of(data):
    return io.TextIOWrapper(io.BytesIO(data))


def test_a_description_comes_through_a_pipe(capsys):
    reading, writing = os.pipe()
    with os.fdopen(writing, 'wb') as stream:
        stream.write(PA10.read_bytes())
    assert main(['torque', f'/dev/fd/{reading}']) == 0
    os.close(reading)
    assert 'joint6' in capsys.readouterr().out


def test_what_comes_from_stdin_is_not_taken_for_a_path(capsys, monkeypatch):
    monkeypatch.setattr(sys, 'stdin', stdin_of(str(PA10).encode()))
    assert main(['check', '-']) == 2
    error = capsys.readouterr().err
    assert 'standard input: is not XML' in error and error.count('\n') == 1


def test_stdin_keeps_its_declared_encoding(capsys, monkeypatch):
    text = '<?xml version="1.0" encoding="latin-1"?>' + PA10.read_text().split('?>')[-1]
    text = text.replace('name="pa10_6ce"', 'name="b\u00e4r"', 1)
    monkeypatch.setattr(sys, 'stdin', stdin_of(text.encode('latin-1')))
    assert main(['check', '-']) == 0
    assert 'b\u00e4r' in capsys.readouterr().out


@pytest.mark.parametrize('words, hint', [
    (['--xacro-arg', 'a:=1'], 'takes no --xacro-arg'),
    (['--held-joints', 'joint1=99'], '--held-joints joint1: is 99'),
    (['--held-joints', 'joint1=x'], "--held-joints: joint1: 'x' is not a number"),
    (['--rotor-inertia', 'joint1'], "--rotor-inertia: 'joint1' is not of the form"),
    (['--base-link', 'link2', '--tip-link', 'link1'], "--tip-link: 'link1' does not hang")])
def test_a_hint_names_options(capsys, words, hint):
    assert main(['torque', 'pa10', *words]) == 2
    assert hint in capsys.readouterr().err


def test_a_package_that_is_nowhere_is_named_with_the_option(capsys, tmp_path):
    pytest.importorskip('xacro')
    file = tmp_path / 'uvms.urdf.xacro'
    file.write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="uvms">'
        '<xacro:arg name="vehicle_name" default="uvms"/>'
        '<xacro:include filename="$(find some_sim)/models/rov/urdf/rov_macro.xacro"/></robot>')
    assert main(['check', str(file)]) == 2
    error = capsys.readouterr().err
    assert "finds no package 'some_sim'" in error and error.endswith('--package-path DIR\n')
    assert 'source the ROS workspace' in error


def test_names_do_not_steer_the_terminal(capsys, tmp_path):
    file = tmp_path / 'arm.urdf'
    file.write_text(PA10.read_text().replace('"joint6"', '"joint6&#10;&#x9b;2J"'))
    assert main(['check', str(file)]) == 0
    out = capsys.readouterr().out
    assert r'joint6\n\x9b2J' in out and '\x9b' not in out
