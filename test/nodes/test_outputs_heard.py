"""Who counts as hearing the commands: a subscriber of any topic that carries them."""

from types import SimpleNamespace

import pytest
from robot_dynamics.nodes import feedforward_outputs
from robot_dynamics.nodes.feedforward_outputs import FeedforwardOutputs
from sensor_msgs.msg import JointState

COMMANDS = ('~/commands', '~/commands_stamped', '~/joint_trajectory', '~/joint_command')


@pytest.mark.parametrize('topic', [None, *COMMANDS, '~/state', '~/terms/gravity'])
def test_commands_are_heard_by_subscribers_of_any_topic_that_carries_them(monkeypatch, topic):
    # control_msgs is not among the wheels: JointState has the fields that are looked for
    monkeypatch.setattr(feedforward_outputs, 'JointCommand', JointState)

    def publisher(kind, name, qos, **options):
        return SimpleNamespace(get_subscription_count=lambda: int(name == topic))

    outputs = FeedforwardOutputs(publisher, ['a', 'b'], 'base_link')
    assert outputs.has_subscribers() == (topic in COMMANDS)
