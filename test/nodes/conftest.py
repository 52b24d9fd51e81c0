"""Fixtures for nodes as processes; without rclpy none of these tests is collected."""

import importlib.util

import pytest

if importlib.util.find_spec('rclpy') is None:
    collect_ignore_glob = ['test_*.py']
else:
    from node_thread import NodeThread
    from ros_rig import NodeProcess, Peer

    @pytest.fixture
    def peer(ros_domain):
        """Give the test a node of its own, in a context of its own."""
        with Peer() as made:
            yield made

    def _starter(kind, tmp_path):
        started = []

        def starter(executable, parameters=None, remappings=(), **options):
            started.append(kind(executable, parameters or {}, remappings, tmp_path, **options))
            return started[-1]

        yield starter
        for node in started:
            node.kill()

    @pytest.fixture
    def start(ros_domain, tmp_path):
        """Start nodes in threads; what still runs at the end of the test is ended."""
        yield from _starter(NodeThread, tmp_path)

    @pytest.fixture
    def start_process(ros_domain, tmp_path):
        """Start nodes as processes, for tests of what only a process can do or suffer."""
        yield from _starter(NodeProcess, tmp_path)
