"""Fixtures for nodes as processes; without rclpy none of these tests is collected."""

import importlib.util

import pytest

if importlib.util.find_spec('rclpy') is None:
    collect_ignore_glob = ['test_*.py']
else:
    from ros_rig import NodeProcess, Peer

    @pytest.fixture
    def peer(ros_domain):
        """Give the test a node of its own, in a context of its own."""
        with Peer() as made:
            yield made

    @pytest.fixture
    def start(ros_domain, tmp_path):
        """Start nodes as processes; what still runs at the end of the test is ended."""
        started = []

        def starter(executable, parameters=None, remappings=(), **options):
            process = NodeProcess(executable, parameters or {}, remappings, tmp_path, **options)
            started.append(process)
            return process

        yield starter
        for process in started:
            process.kill()
