"""Who passes commands on is told from who only looks, and a newcomer from the one before."""

from types import SimpleNamespace

import pytest
from robot_dynamics.nodes.commanders import ABSENT, Commanders, LOOKS, NEW, SAME, SETTLED, UNKNOWN


class Graph:
    """What a node is told of the subscribers to its one topic."""

    def __init__(self, *nodes):
        self.nodes = list(nodes)
        self.topic_name = '/commands'

    def get_subscription_count(self):
        return len(self.nodes)

    def get_subscriptions_info_by_topic(self, topic):
        assert topic == self.topic_name
        return [SimpleNamespace(node_name=name, node_namespace=namespace, endpoint_gid=[gid])
                for name, namespace, gid in self.nodes]


def activity(**states):
    """Return what a controller manager tells of controllers."""
    return SimpleNamespace(controllers=[
        SimpleNamespace(name=name, state=SimpleNamespace(label=state))
        for name, state in states.items()])


def looks(names, *graphs):
    """Return what the looks tell while the graph changes."""
    graph = Graph()
    commanders = Commanders(graph, [graph], names)
    told = []
    for nodes in graphs:
        graph.nodes = nodes
        told.append(commanders.look())
    return told


CONTROLLER, AGAIN = ('effort_controller', '/', 1), ('effort_controller', '/', 2)
RECORDER, LATE = ('rosbag2_recorder', '/', 8), (UNKNOWN, '/', 2)


@pytest.mark.parametrize('names', [(), ('effort_controller',), ('/effort_controller',)])
def test_a_controller_that_comes_back_is_new_whoever_else_listens(names):
    assert looks(names, [], [CONTROLLER], [CONTROLLER], [CONTROLLER, RECORDER], [RECORDER],
                 [RECORDER, AGAIN], [RECORDER, AGAIN]) == [
        ABSENT, NEW, SAME, SAME, ABSENT, NEW, SAME]


def test_one_that_is_back_before_its_death_was_noticed_is_new():
    assert looks((), [CONTROLLER], [CONTROLLER, AGAIN], [AGAIN]) == [NEW, NEW, SAME]


def test_who_has_no_name_yet_is_judged_when_it_has():
    assert looks((), [RECORDER], [RECORDER, LATE], [RECORDER, AGAIN], [RECORDER, AGAIN]) == [
        ABSENT, ABSENT, NEW, SAME]


def test_who_is_told_of_late_is_found_though_others_fill_the_list_meanwhile():
    graph = Graph(RECORDER)  # one that has been killed: the count is that of the controller
    commanders = Commanders(graph, [graph])
    assert commanders.look() == ABSENT
    graph.nodes = [CONTROLLER]
    told = [commanders.look() for _ in range(2 * LOOKS)]
    assert NEW in told and told[-1] == SAME


def test_a_recorder_that_comes_as_the_controller_goes_is_not_taken_for_it():
    graph = Graph(CONTROLLER)
    commanders = Commanders(graph, [graph])
    assert commanders.look() == NEW
    graph.nodes = [RECORDER]
    told = [commanders.look() for _ in range(2 * SETTLED)]
    assert told[0] == SAME and told[-1] == ABSENT and NEW not in told


def test_who_is_missing_on_one_topic_is_not_made_up_for_by_those_of_another():
    topics = commands, stamped = Graph(), Graph(RECORDER, RECORDER)
    stamped.topic_name = '/stamped'
    node = SimpleNamespace(get_subscriptions_info_by_topic=lambda name: next(
        topic for topic in topics if topic.topic_name == name
    ).get_subscriptions_info_by_topic(name))
    for topic in topics:
        topic.get_subscription_count = lambda: 1
    commanders = Commanders(node, topics)
    assert commanders.look() == ABSENT
    commands.nodes = [CONTROLLER]
    assert commanders.look() == NEW


@pytest.mark.parametrize('node', [
    ('_ros2cli_12', '/', 1), ('rqt_gui_py_node_7', '/', 1), ('plotjuggler', '/', 1)])
def test_tools_that_only_look_command_nothing(node):
    assert looks((), [node]) == [ABSENT]


def test_only_nodes_that_are_named_count_where_any_are():
    other = ('effort_controller', '/left', 3)
    assert looks(('/left/effort_controller',), [CONTROLLER], [CONTROLLER, other]) == [ABSENT, NEW]


def test_a_controller_that_is_not_active_is_absent_and_new_when_it_is_again():
    graph = Graph(CONTROLLER)
    commanders = Commanders(graph, [graph])
    told = [commanders.look()]
    for state in ('active', 'inactive', 'inactive', 'active', 'active'):
        commanders.on_activity(activity(effort_controller=state, other='active'))
        told.append(commanders.look())
    assert told == [NEW, SAME, ABSENT, ABSENT, NEW, SAME]
