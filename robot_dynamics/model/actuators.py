"""
Rotor inertia and gear ratios that a description states in its transmissions.

URDF has no place for rotor inertia.  Drake's extension has, inside ``<transmission>``:
``<drake:rotor_inertia value>`` and ``<drake:gear_ratio value>``; ``<mechanicalReduction>`` of
ros_control is a gear ratio, too.  The joint feels rotor times ratio squared.
"""

from __future__ import annotations

import math
from typing import Dict, List, Optional, Tuple
from xml.etree.ElementTree import Element

from robot_dynamics.model.elements import Note


def stated_rotors(robot: Element) -> Tuple[Dict[str, float], List[Note]]:
    """
    Read the reflected rotor inertia of joints, kg m^2 (kg at a sliding joint).

    Returns
    -------
    dict of str to float
        By joint.
    list of Note
        Which were read, and which gear ratios stand without a rotor.
    """
    rotors: Dict[str, float] = {}
    notes: List[Note] = []
    idle: List[str] = []
    for transmission in robot.findall('transmission'):
        joints = [joint.get('name', '') for joint in transmission.findall('joint')]
        if len(joints) != 1:
            continue  # a differential: which rotor acts on which joint is not said
        joint = joints[0]
        rotor = _value(transmission, 'rotor_inertia')
        ratio = _value(transmission, 'gear_ratio')
        if ratio is None:
            ratio = _value(transmission, 'mechanicalReduction')
        if rotor is None:
            if ratio is not None and abs(ratio) != 1.0:
                idle.append(f"{ratio:g} at '{joint}'")
            continue
        ratio = 1.0 if ratio is None else ratio
        if not (0.0 <= rotor < math.inf and math.isfinite(ratio)):
            notes.append(Note('warning', f"joint '{joint}'", f'its rotor inertia {rotor:g} behind '
                              f'a gear of {ratio:g} is not used: no such drive exists'))
            continue
        rotors[joint] = rotors.get(joint, 0.0) + rotor * ratio**2
        notes.append(Note(
            'info', f"joint '{joint}'", f'rotor of {rotor:g} kg m^2 behind a gear of {ratio:g}, '
            f'from its <transmission>: {rotor * ratio**2:g} reflected'))
    if idle:
        shown = ', '.join(idle[:8]) + (', ...' if idle[8:] else '')
        notes.append(Note(
            'info', 'robot', f'gear ratios of <transmission> are not used ({shown}): no rotor '
            'inertia stands beside them; configure it'))
    return rotors, notes


def _value(transmission: Element, name: str) -> Optional[float]:
    """Return a number that is held as value="..." or as text, whatever its namespace."""
    for element in transmission.iter():
        if element.tag.rpartition(':')[2] == name:
            try:
                return float(element.get('value') or element.text or '')
            except ValueError:
                return math.nan
    return None
