"""
Rotor inertia and gear ratios that a description states in its transmissions.

URDF has no place for rotor inertia.  Drake's extension has, inside ``<transmission>``:
``<drake:rotor_inertia value>`` and ``<drake:gear_ratio value>``; ``<mechanicalReduction>`` of
ros_control and ``<mechanical_reduction>`` of ros2_control are gear ratios, too.  The joint feels
rotor times ratio squared.  What states a rotor elsewhere is named.
"""

from __future__ import annotations

import math
from typing import Dict, List, Optional, Sequence, Tuple
from xml.etree.ElementTree import Element

from robot_dynamics.model.elements import Note

_ROTOR = ('rotorinertia', 'motorinertia', 'armature')
_GEAR = ('gearratio', 'mechanicalreduction')


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
    there = {joint.get('name', '') for joint in robot.findall('joint')}
    for transmission in robot.iter('transmission'):
        joints = [joint.get('name', '') for joint in transmission.findall('joint')]
        rotor = _value(transmission, _ROTOR)
        if len(joints) != 1 or joints[0] not in there:
            if rotor is not None:
                wrong = 'which of its joints feels it is not said' if len(joints) != 1 else \
                    f'the robot has no joint {joints[0]!r}'
                notes.append(Note('warning', 'robot', f'a rotor of {rotor:g} kg m^2 in a '
                                  f'<transmission> is not used: {wrong}'))
            continue
        joint = joints[0]
        ratio = _value(transmission, _GEAR)
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
    notes += _elsewhere(robot)
    if idle:
        shown = ', '.join(idle[:8]) + (', ...' if idle[8:] else '')
        notes.append(Note(
            'info', 'robot', f'gear ratios of <transmission> are not used ({shown}): no rotor '
            'inertia stands beside them; configure it'))
    return rotors, notes


def _elsewhere(robot: Element) -> List[Note]:
    """Warn of rotors that are stated where nothing reads them, as in MuJoCo's extension."""
    found: Dict[Tuple[str, str], int] = {}
    for outer in robot:
        if outer.tag in ('link', 'joint', 'transmission'):
            continue
        inside = {item for transmission in outer.iter('transmission')
                  for item in transmission.iter()}
        for element in outer.iter():
            words = (_plain(element.tag), _plain(element.get('name', '')),
                     *map(_plain, element.attrib))
            if element not in inside and any(word in _ROTOR for word in words):
                key = outer.tag, element.tag
                found[key] = found.get(key, 0) + 1
    return [Note('warning', 'robot', f'<{tag}> in <{outer}> states a rotor inertia, which is not '
                 f'read there{f" ({count} times)" if count > 1 else ""}; configure it')
            for (outer, tag), count in found.items()]


def _plain(name: str) -> str:
    return name.rpartition(':')[2].rpartition('}')[2].replace('_', '').lower()


def _value(transmission: Element, names: Sequence[str]) -> Optional[float]:
    """Return a number that is held as value="..." or as text, under the first name that is."""
    for name in names:
        for element in transmission.iter():
            if _plain(element.tag) == name:
                try:
                    return float(element.get('value') or element.text or '')
                except ValueError:
                    return math.nan
    return None
