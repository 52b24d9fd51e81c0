import os
from pathlib import Path
import subprocess
import sys

import pytest

from robot_dynamics.app.domain import reserved_domain, USABLE_DOMAINS
from robot_dynamics.core.errors import ConfigurationError

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith('linux'), reason='domains are reserved on Linux only')


def test_two_reservations_in_one_process_differ():
    with reserved_domain() as (first, _), reserved_domain() as (second, _):
        assert first != second


def test_another_process_cannot_take_a_domain_that_is_held():
    ask = ('from robot_dynamics.app import domain\n'
           'import sys\n'
           'print(domain._hold(int(sys.argv[1])) is not None)')
    with reserved_domain() as (domain, _):
        held = subprocess.check_output([sys.executable, '-c', ask, str(domain)], text=True)
    assert held.strip() == 'False'


def test_all_domains_taken_is_one_clear_error(monkeypatch):
    monkeypatch.setattr('robot_dynamics.app.domain._hold', lambda domain: None)
    with pytest.raises(ConfigurationError, match='all 101 domains are in use'):
        with reserved_domain():
            pass


def test_a_test_has_its_domain_in_the_environment(ros_domain):
    assert ros_domain in USABLE_DOMAINS
    assert os.environ['ROS_DOMAIN_ID'] == str(ros_domain)


def test_another_middleware_is_asked_to_stay_on_this_machine(monkeypatch):
    monkeypatch.setenv('RMW_IMPLEMENTATION', 'rmw_cyclonedds_cpp')
    with reserved_domain() as (_, environment):
        assert environment['ROS_AUTOMATIC_DISCOVERY_RANGE'] == 'LOCALHOST'
        assert 'FASTDDS_DEFAULT_PROFILES_FILE' not in environment


@pytest.mark.parametrize('distribution, name', [
    ('jazzy', 'FASTRTPS_DEFAULT_PROFILES_FILE'), ('kilted', 'FASTDDS_DEFAULT_PROFILES_FILE')])
def test_fast_dds_is_told_by_a_profile_that_exists(monkeypatch, distribution, name):
    monkeypatch.setenv('ROS_DISTRO', distribution)
    with reserved_domain() as (_, environment):
        assert Path(environment[name]).is_file()
        assert sum(key.endswith('PROFILES_FILE') for key in environment) == 1
