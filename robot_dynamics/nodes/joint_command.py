"""
The named, stamped command of control_msgs, where the distribution has it.

control_msgs/JointCommand is younger than most installations, so its fields are looked up instead
of assumed: a header, one list of names, one list of numbers, and the name of the interface.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

from robot_dynamics.nodes.messages import set_stamp

try:
    from control_msgs.msg import JointCommand
except ImportError:  # not among the wheels, nor in distributions before 2026
    JointCommand = None


class JointCommandTemplate:
    """
    One message that is filled again and again.

    Parameters
    ----------
    kind : type
        The message class.
    names : sequence of str
        Joints in command order.
    """

    def __init__(self, kind: Any, names: Sequence[str]) -> None:
        types = dict(kind.get_fields_and_field_types())
        self._values = _first(types, 'sequence<double>')
        joint_names = _first(types, 'sequence<string>')
        if self._values is None or joint_names is None or 'header' not in types:
            raise TypeError(f'{kind.__name__} has other fields than expected: {types}')
        self.message = kind()
        setattr(self.message, joint_names, list(names))
        if types.get('interface_name') == 'string':
            self.message.interface_name = 'effort'

    def filled(self, stamp_ns: int, effort: Any) -> Any:
        """Return the message with a stamp and efforts."""
        set_stamp(self.message.header.stamp, stamp_ns)
        setattr(self.message, str(self._values), effort)
        return self.message


def _first(types: Any, wanted: str) -> Optional[str]:
    return next((name for name, kind in types.items() if kind == wanted), None)
