"""What the final action asks of a service, and how it reads the answer."""

from types import SimpleNamespace

import pytest
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.nodes import final_service
from robot_dynamics.nodes.final_service import FinalService, outcome, switch_request


class Manager:
    """Stands for a node, and for the message package of ros2_control."""

    Request = SimpleNamespace

    def __init__(self, ready=True, answers=True):
        self.kind, self.sent, self.lines = None, [], []
        self.ready, self.answers = ready, answers
        self.waiting = []

    def create_client(self, kind, name):
        self.kind = kind
        return self

    def destroy_client(self, client):
        self.kind = None

    def service_is_ready(self):
        return self.ready

    def call_async(self, request):
        self.sent.append(request)
        future = SimpleNamespace()
        future.add_done_callback = lambda done: self.on_done(future, done)
        return future

    def on_done(self, future, done):
        self.waiting.append((future, done))
        if self.answers:
            self.answer(-1)

    def answer(self, index, ok=True):
        future, done = self.waiting.pop(index)
        future.result = lambda: SimpleNamespace(ok=ok, message='' if ok else 'not now')
        done(future)

    def remove_pending_request(self, future):
        self.waiting.pop(0)

    def get_logger(self):
        return SimpleNamespace(warning=self.lines.append, error=self.lines.append)


def test_named_controllers_are_deactivated_as_far_as_they_are_active():
    request = switch_request(SimpleNamespace(), ('arm', 'gripper'))
    assert request.deactivate_controllers == ['arm', 'gripper'] and request.strictness == 1


@pytest.fixture
def attended():
    """Return what attends to a final service for a time, as often as the nodes do."""
    now = [0.0]

    def make(node):
        final = FinalService(node, 'brakes', True, clock=lambda: now[0])

        def attend(seconds, wanted=True):
            for _ in range(int(round(seconds / 0.02))):
                final.attend(wanted)
                now[0] += 0.02

        return attend

    return make


def test_a_service_that_answers_is_called_once_each_time_it_is_wanted(attended):
    node = Manager()
    attend = attended(node)
    attend(5.0, wanted=False)
    assert not node.sent
    attend(5.0)
    assert len(node.sent) == 1
    attend(0.1, wanted=False)
    attend(5.0)
    assert len(node.sent) == 2


def test_an_absent_service_is_asked_for_again_until_it_comes_and_reported_once(attended):
    node = Manager(ready=False)
    attend = attended(node)
    attend(5.0)
    assert not node.sent and len(node.lines) == 1 and 'nobody offers' in node.lines[0]
    node.ready = True
    attend(1.1)
    assert len(node.sent) == 1 and 'was called' in node.lines[1]
    attend(5.0)
    assert len(node.sent) == 1


def test_an_absent_service_is_no_longer_asked_for_after_the_recovery(attended):
    node = Manager(ready=False)
    attend = attended(node)
    attend(2.0)
    node.ready = True
    attend(5.0, wanted=False)
    assert not node.sent
    node.ready = False
    attend(2.0)
    assert len(node.lines) == 2, 'another time: said again'


def test_a_request_without_an_answer_is_sent_again_each_second(attended):
    node = Manager(answers=False)
    attend = attended(node)
    attend(4.5)
    assert len(node.sent) == 5 and len(node.lines) == 1
    node.answer(0)  # late, and to the first request
    node.answer(0)
    attend(5.0)
    assert len(node.sent) == 5 and len(node.lines) == 2 and 'was called' in node.lines[1]


def test_requests_to_a_service_that_never_answers_do_not_pile_up(attended):
    node = Manager(answers=False)
    attended(node)(60.0)
    assert len(node.sent) == 60 and len(node.waiting) <= 10


def test_an_answer_after_the_recovery_is_told_and_does_not_count_for_the_next_time(attended):
    node = Manager(answers=False)
    attend = attended(node)
    attend(0.5)
    attend(0.5, wanted=False)
    node.answer(0)
    assert 'was called' in node.lines[0]
    attend(0.5)
    assert len(node.sent) == 2


def test_the_client_is_given_back():
    node = Manager()
    final = FinalService(node, 'brakes', True)
    assert node.kind is not None
    for _ in range(2):
        final.close()
        final.attend(True)
    assert node.kind is None and not node.sent


def test_a_refusal_is_no_answer_and_said_once(attended):
    node = Manager(answers=False)
    attend = attended(node)
    attend(0.5)
    for _ in range(3):
        node.answer(0, ok=False)
        attend(1.0)
    assert len(node.sent) == 4
    assert len(node.lines) == 1 and 'refused: not now' in node.lines[0]
    node.answer(0)
    attend(5.0)
    assert len(node.sent) == 4 and 'was called' in node.lines[-1]


class Lister:
    """Stands for a controller manager that lists controllers and may keep one active."""

    def __init__(self, **states):
        self.states, self.ready, self.requests, self.lines = states, True, [], []

    def create_client(self, kind, name):
        return SimpleNamespace(
            service_is_ready=lambda: self.ready,
            call_async=lambda request: self.answer(name, request))

    def answer(self, name, request):
        self.requests.append((name, request))
        controllers = [SimpleNamespace(name=k, state=v) for k, v in self.states.items()]
        response = SimpleNamespace(ok=True, message='', controller=controllers)
        future = SimpleNamespace(result=lambda: response)
        future.add_done_callback = lambda done: done(future)
        return future

    def get_logger(self):
        return SimpleNamespace(warning=self.lines.append, error=self.lines.append)

    destroy_client = None


@pytest.fixture
def managed(monkeypatch):
    """Return what makes a final service of a controller manager, on a clock of one's own."""
    monkeypatch.setattr(final_service, 'SwitchController', SimpleNamespace(
        Request=SimpleNamespace))
    monkeypatch.setattr(final_service, 'ListControllers', SimpleNamespace(
        Request=SimpleNamespace))
    now = [0.0]

    def make(node):
        final = FinalService(node, '/manager/switch_controller', True, ['arm'],
                             clock=lambda: now[0])

        def attend(seconds, wanted=True):
            for _ in range(int(round(seconds / 0.02))):
                final.attend(wanted)
                now[0] += 0.02

        return attend

    return make


def test_the_call_goes_to_the_controller_manager_where_controllers_are_named(managed):
    node = Lister(arm='inactive')
    managed(node)(1.0)
    name, request = node.requests[0]
    assert name == '/manager/switch_controller' and request.deactivate_controllers == ['arm']
    assert 'was called' in node.lines[0]


def test_a_controller_that_stays_active_is_deactivated_again(managed):
    node = Lister(arm='active')
    attend = managed(node)
    attend(2.5)
    switches = [name for name, _ in node.requests if name.endswith('switch_controller')]
    assert len(switches) == 3
    assert any('arm is still active' in line for line in node.lines)
    node.states['arm'] = 'inactive'
    attend(3.0)
    assert 'was called' in node.lines[-1]
    switches = [name for name, _ in node.requests if name.endswith('switch_controller')]
    assert len(switches) == 4


def test_a_misspelt_controller_is_named_before_it_matters(managed):
    node = Lister(effort_controller='active')
    managed(node)(3.0, wanted=False)
    assert len(node.lines) == 1
    assert 'names arm' in node.lines[0] and 'it has effort_controller' in node.lines[0]
    assert node.requests[0][0] == '/manager/list_controllers'


def test_names_that_exist_are_checked_once_and_not_mentioned(managed):
    node = Lister(arm='inactive')
    managed(node)(5.0, wanted=False)
    assert not node.lines and len(node.requests) == 1


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
