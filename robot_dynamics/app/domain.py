"""Reserve a DDS domain, so that runs side by side on one machine do not hear each other."""

from __future__ import annotations

from contextlib import contextmanager
import os
import random
import socket
import sys
from typing import Dict, Iterator, Optional, Tuple

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.resources import resource_path

# Domains whose ports lie below Linux' ephemeral range; 0 is everybody's default and left alone.
USABLE_DOMAINS = range(1, 102)

_WITH_FAST_DDS_2 = ('humble', 'iron', 'jazzy')  # which names its variables otherwise


@contextmanager
def reserved_domain() -> Iterator[Tuple[int, Dict[str, str]]]:
    """
    Hold a ROS domain that no other run of this package on this machine holds.

    The reservation is a socket in Linux' abstract name space: it has no file that could be left
    behind, it ends with the process however that ends, and it reaches exactly as far as
    discovery on localhost does.  Elsewhere a domain is drawn at random.

    Yields
    ------
    domain : int
        The domain's number.
    environment : dict of str to str
        What processes of this run need in their environment.
    """
    candidates = list(USABLE_DOMAINS)
    random.Random().shuffle(candidates)  # what a run before has left behind is in another
    for domain in candidates:
        held = _hold(domain)
        if held is None:
            continue
        try:
            yield domain, {'ROS_DOMAIN_ID': str(domain), **_within_this_machine()}
        finally:
            held.close()
        return
    raise ConfigurationError(
        f'ROS_DOMAIN_ID: all {len(USABLE_DOMAINS)} domains are in use on this machine; '
        'end other demos or tests first')


def _within_this_machine() -> Dict[str, str]:
    """
    Return the environment in which ROS does not leave this machine.

    Fast DDS is told by a profile of ours and goes without its shared memory: a process that is
    killed damages it, and others then crash or hang as they leave the graph (Fast DDS issue 6501).
    """
    if not os.environ.get('RMW_IMPLEMENTATION', 'rmw_fastrtps_cpp').startswith('rmw_fastrtps'):
        return {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    name = 'FASTRTPS' if os.environ.get('ROS_DISTRO') in _WITH_FAST_DDS_2 else 'FASTDDS'
    return {
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET',  # LOCALHOST would add the shared memory again
        f'{name}_DEFAULT_PROFILES_FILE': str(resource_path('config/fastdds_localhost.xml')),
    }


def _hold(domain: int) -> Optional[socket.socket]:
    """Return a socket that marks the domain as taken, or None if another process has it."""
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    if not sys.platform.startswith('linux'):
        return holder
    try:
        holder.bind(f'\0robot_dynamics/domain/{domain}')
    except OSError:
        holder.close()
        return None
    return holder
