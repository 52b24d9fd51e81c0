"""What a node says of a robot description that it cannot use."""

import pytest
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.nodes.description import model_from_parameter

PA10 = resource_path('urdf/pa10.urdf').read_text()


@pytest.mark.parametrize('choice, says', [
    (ModelChoice(tip_link='link9'), "unknown link 'link9'"),
    (ModelChoice(base_link='link2', tip_link='link1'), "^model.tip_link: 'link1' does not hang"),
    (ModelChoice(xacro_arguments=('a:=1',)), 'takes no model.xacro_arguments'),
    (ModelChoice(held_joints=('joint1=99',)), r'model.held_joints joint1: is 99'),
    (ModelChoice(rotors=('joint1',)), "^model.rotors: 'joint1' is not of the form")])
def test_an_error_names_parameters_as_the_node_has_them(choice, says):
    with pytest.raises(ConfigurationError, match=says):
        model_from_parameter(PA10, choice=choice)
