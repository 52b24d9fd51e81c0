"""What runs in a reserved domain stays on this machine, and shares no memory with its peers."""

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path('/proc/self/task').exists(), reason='reads /proc')


def sockets():
    """Local addresses of the UDP sockets of this process."""
    own = {os.readlink(entry) for entry in Path('/proc/self/fd').iterdir() if entry.is_symlink()}
    rows = [line.split() for line in Path('/proc/net/udp').read_text().splitlines()[1:]]
    return {row[1].split(':')[0] for row in rows if f'socket:[{row[9]}]' in own}


def test_a_node_listens_on_the_loopback_interface_alone(peer):
    assert sockets() == {'0100007F'}


def test_a_node_uses_no_shared_memory(peer):
    names = [(task / 'comm').read_text() for task in Path('/proc/self/task').iterdir()]
    assert any(name.startswith('dds.udp') for name in names)
    assert not any(name.startswith('dds.shm.7') for name in names)
