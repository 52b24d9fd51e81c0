"""The status of a node as diagnostic_msgs."""

from __future__ import annotations

from typing import Any, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue

from robot_dynamics.nodes.messages import to_stamp

_LEVELS = {
    'active': DiagnosticStatus.OK, 'forwarding': DiagnosticStatus.OK,
    'ramping_in': DiagnosticStatus.OK, 'ramping_out': DiagnosticStatus.OK,
    'finished': DiagnosticStatus.OK, 'final_action': DiagnosticStatus.ERROR,
    'final': DiagnosticStatus.ERROR,
}


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
        ``state`` becomes message and level; everything becomes a value.
    """
    state = str(status.get('state', ''))
    message = DiagnosticArray()
    message.header.stamp = to_stamp(now_ns)
    message.status = [DiagnosticStatus(
        level=_LEVELS.get(state, DiagnosticStatus.WARN), name=name.lstrip('/'),
        message=state, hardware_id='robot_dynamics',
        values=[KeyValue(key=key, value=_text(value)) for key, value in status.items()])]
    return message


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f'{value:.6g}'
    if isinstance(value, (tuple, list)):
        return ', '.join(_text(item) for item in value)
    return str(value)
