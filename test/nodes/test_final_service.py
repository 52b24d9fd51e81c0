"""What the final action asks of a service, and how it reads the answer."""

from types import SimpleNamespace

import pytest
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.nodes import final_service
from robot_dynamics.nodes.final_service import FinalService, outcome, switch_request


class Manager:
    """Stands for a node, and for the message package of ros2_control."""

    Request = SimpleNamespace

    def __init__(self):
        self.kind, self.sent, self.lines = None, [], []

    def create_client(self, kind, name):
        self.kind = kind
        return self

    def service_is_ready(self):
        return True

    def call_async(self, request):
        self.sent.append(request)
        return SimpleNamespace(add_done_callback=lambda done: done(
            SimpleNamespace(result=lambda: SimpleNamespace(ok=True))))

    def get_logger(self):
        return SimpleNamespace(warning=self.lines.append, error=self.lines.append)


def test_named_controllers_are_deactivated_as_far_as_they_are_active():
    request = switch_request(SimpleNamespace(), ('arm', 'gripper'))
    assert request.deactivate_controllers == ['arm', 'gripper'] and request.strictness == 1


def test_the_call_goes_to_the_controller_manager_where_controllers_are_named(monkeypatch):
    monkeypatch.setattr(final_service, 'SwitchController', Manager)
    node = Manager()
    FinalService(node, 'switch', True, ['arm']).call()
    assert node.kind is Manager
    assert [request.deactivate_controllers for request in node.sent] == [['arm']]
    assert 'was called' in node.lines[0]


def test_without_ros2_control_named_controllers_are_refused(monkeypatch):
    monkeypatch.setattr(final_service, 'SwitchController', None)
    with pytest.raises(ConfigurationError, match='controller_manager_msgs'):
        FinalService(Manager(), 'switch', True, ['arm'])


@pytest.mark.parametrize('response, expected', [
    (None, (False, 'no answer')),
    (SimpleNamespace(success=True, message='brakes set'), (True, 'brakes set')),
    (SimpleNamespace(success=False, message='no power'), (False, 'no power')),
    (SimpleNamespace(ok=True), (True, '')), (SimpleNamespace(ok=False), (False, ''))])
def test_answers_of_both_kinds_are_read(response, expected):
    assert outcome(response) == expected
