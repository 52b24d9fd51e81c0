"""Who counts as hearing the commands: a subscriber of any topic that carries them."""

from types import SimpleNamespace

import pytest
from robot_dynamics.nodes.feedforward_outputs import FeedforwardOutputs

COMMANDS = ('~/commands', '~/commands_stamped', '~/joint_trajectory', '~/arm_commands')


@pytest.mark.parametrize('topic', [None, *COMMANDS, '~/state', '~/terms/gravity'])
def test_commands_are_heard_by_subscribers_of_any_topic_that_carries_them(topic):
    def publisher(kind, name, qos, **options):
        return SimpleNamespace(get_subscription_count=lambda: int(name == topic))

    outputs = FeedforwardOutputs(publisher, ['a', 'b'], 'base_link', {'~/arm_commands': ['b']})
    assert outputs.has_subscribers() == (topic in COMMANDS)
