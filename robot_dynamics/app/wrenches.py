"""External wrenches on the command line."""

from __future__ import annotations

import argparse
from typing import Any, Dict, Optional, TYPE_CHECKING

from robot_dynamics.app.values import number
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_vector

if TYPE_CHECKING:
    from robot_dynamics.dynamics.loads import ExternalWrench


def add_wrench_arguments(group: Any) -> None:
    """Declare ``--wrench`` and ``--wrench-frame`` in a parser or a group of it."""
    group.add_argument('--wrench', nargs=7, action='append', default=[],
                       metavar=('LINK', 'FX', 'FY', 'FZ', 'MX', 'MY', 'MZ'),
                       help='force in N and moment in N m of the environment on a link, at the '
                            'origin of the link; may be given for several links')
    group.add_argument('--wrench-frame', choices=('link', 'base'), default='link',
                       help='axes of the wrenches (default: %(default)s)')


def external_wrenches(args: argparse.Namespace) -> 'Optional[Dict[str, ExternalWrench]]':
    """Return the wrenches by link, or None where there are none."""
    from robot_dynamics.dynamics.loads import ExternalWrench
    found: Dict[str, ExternalWrench] = {}
    for link, *words in args.wrench:
        if link in found:
            raise InputError('--wrench', f'is given twice for {link}; add the two')
        values = [number('--wrench', word) for word in words]
        found[link] = ExternalWrench(as_vector('--wrench', values, 6), args.wrench_frame)
    return found or None
