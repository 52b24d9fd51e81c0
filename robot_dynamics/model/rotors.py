"""
Rotor inertia from a configuration, for files that do not state it.

A word is ``joint=armature``, what the joint feels, or ``joint=rotor@ratio``, the rotor's own
inertia behind a gear: the joint feels rotor times ratio squared.
"""

from __future__ import annotations

from typing import Dict, Iterable, Mapping

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.model.body_tree import BodyTree
from robot_dynamics.model.named_values import named_words, number


def reflected_inertia(model: BodyTree, words: Iterable[str],
                      option: str = '`rotors`') -> Dict[str, float]:
    """
    Return the reflected inertia at independent joints.

    Parameters
    ----------
    words : iterable of str
        ``joint=0.75`` [kg m^2, or kg at a sliding joint] or ``joint=3e-4@50`` [kg m^2 @ 1; the
        ratio in rad of the rotor per rad or m of the joint].
    option : str
        Where the words come from, for errors.

    Returns
    -------
    dict of str to float
        For :meth:`RobotModel.with_rotor_inertia`.  A rotor at a joint that follows another by
        ``<mimic>`` is felt by that one, times the multiplier squared (virtual work).

    Raises
    ------
    ConfigurationError, UnknownNameError
        If a word cannot be read, a value is negative, or no such joint moves.
    """
    moving = [body.joint.name for body in model.bodies]
    given: Dict[str, float] = {}
    for name, word in named_words(option, words).items():
        if name not in moving:
            raise UnknownNameError('moving joint', name, moving)
        given[name] = _inertia(f'{option}: {name}', word)
    return at_drivers(model, given)


def at_drivers(model: BodyTree, given: Mapping[str, float]) -> Dict[str, float]:
    """Bring what each moving joint feels to the independent joint that drives it."""
    found: Dict[str, float] = {}
    for body in model.bodies:
        if body.joint.name in given:
            driver = model.joint_names[body.coordinate]
            found[driver] = found.get(driver, 0.0) + \
                body.multiplier**2 * given[body.joint.name]
    return found


def _inertia(option: str, word: str) -> float:
    """Read ``armature`` or ``rotor@ratio``."""
    inertia, at, ratio = word.partition('@')
    value = number(option, inertia) * (number(option, ratio)**2 if at else 1.0)
    if value < 0.0:
        raise ConfigurationError(f'{option}: {word!r} is negative')
    return value
