"""Which level and message a status gets."""

from diagnostic_msgs.msg import DiagnosticStatus
import pytest
from robot_dynamics.nodes.diagnostics import diagnostics

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR


@pytest.mark.parametrize('status, level, message', [
    ({'state': 'active', 'missed_share': 0.009}, OK, 'active'),
    ({'state': 'waiting'}, WARN, 'waiting'),
    ({'state': 'final_action'}, ERROR, 'final_action'),
    ({'state': 'tripped', 'trip': 'the elbow slipped'}, ERROR, 'tripped; the elbow slipped'),
    ({'state': 'active', 'saturated': ('elbow',), 'rate_limited': ('elbow', 'wrist')}, WARN,
     'active; effort cut at elbow, wrist'),
    ({'state': 'active', 'missed_share': 0.03}, WARN, 'active; 3 % of the cycles missed'),
    ({'state': 'active', 'missed_share': 0.2, 'saturated': ('elbow',)}, ERROR,
     'active; effort cut at elbow; 20 % of the cycles missed')])
def test_the_worst_of_state_efforts_and_cycles_is_the_level(status, level, message):
    one, = diagnostics('/port/feedforward', 0, status).status
    assert (one.level, one.message, one.name) == (level, message, 'port/feedforward')
    assert {item.key for item in one.values} == set(status)
