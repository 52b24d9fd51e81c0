"""
The status of a node as diagnostic_msgs.

The level is that of the state; an effort that is cut makes it WARN, cycles that were missed since
the last diagnostics make it WARN from 1 % and ERROR from 10 % of them.
"""

from __future__ import annotations

from typing import Any, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue

from robot_dynamics.nodes.messages import to_stamp

_LEVELS = {
    'active': DiagnosticStatus.OK, 'forwarding': DiagnosticStatus.OK,
    'ramping_in': DiagnosticStatus.OK, 'ramping_out': DiagnosticStatus.OK,
    'finished': DiagnosticStatus.OK, 'final_action': DiagnosticStatus.ERROR,
    'final': DiagnosticStatus.ERROR, 'tripped': DiagnosticStatus.ERROR,
}


MISSED_WARN, MISSED_ERROR = 0.01, 0.10  # of the cycles


def diagnostics(name: str, now_ns: int, status: Mapping[str, Any]) -> DiagnosticArray:
    """
    Return one status as DiagnosticArray.

    Parameters
    ----------
    name : str
        Of the node, fully qualified.
    now_ns : int
        ROS time, ns.
    status : mapping
        ``state`` and what is wrong beside it become message and level; everything becomes a
        value.
    """
    state = str(status.get('state', ''))
    levels, words = [_LEVELS.get(state, DiagnosticStatus.WARN)], [state]
    if status.get('trip'):
        words.append(str(status['trip']))
    cut = tuple(name for key in ('saturated', 'enveloped', 'rate_limited')
                for name in status.get(key, ()))
    if cut:
        levels.append(DiagnosticStatus.WARN)
        words.append('effort cut at ' + ', '.join(dict.fromkeys(cut)))
    missed = float(status.get('missed_share', 0.0))
    if missed >= MISSED_WARN:
        levels.append(DiagnosticStatus.ERROR if missed >= MISSED_ERROR else DiagnosticStatus.WARN)
        words.append(f'{100.0 * missed:.0f} % of the cycles missed')
    message = DiagnosticArray()
    message.header.stamp = to_stamp(now_ns)
    message.status = [DiagnosticStatus(
        level=max(levels), name=name.lstrip('/'),
        message='; '.join(words), hardware_id='robot_dynamics',
        values=[KeyValue(key=key, value=_text(value)) for key, value in status.items()])]
    return message


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f'{value:.6g}'
    if isinstance(value, (tuple, list)):
        return ', '.join(_text(item) for item in value)
    return str(value)
