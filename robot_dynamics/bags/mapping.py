"""
Which name of the recording is which joint of the model.

Always by name, never by position in the message.  Names that agree up to one common prefix or
suffix (``fer_joint3`` and ``panda_joint3``) are matched by it, and that is reported.  A number
alone says little: names that share nothing else (``q0`` to ``q5`` and ``joint1`` to ``joint6``)
are matched only where there are as many of both, in the order of their numbers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
import os
import re
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from robot_dynamics.bags.findings import Findings, INFO, WARNING
from robot_dynamics.core.errors import BagError, ConfigurationError, UnknownNameError
from robot_dynamics.model.named_values import named_words


@dataclass(frozen=True)
class JointMapping:
    """The result of matching names."""

    to_model: Dict[str, str]  #: Name in the recording -> joint of the model
    missing: Tuple[str, ...]  #: Joints of the model that the recording does not have
    ignored: Tuple[str, ...]  #: Names of the recording that the model does not have
    rule: str = ''  #: How names were matched, for people; empty if they were simply equal

    def report(self, topic: str, findings: Findings) -> None:
        """Note what a user should know about the mapping."""
        if self.rule:
            findings.add(WARNING, 'joint-names', topic, self.rule)
        if self.missing:
            findings.add(WARNING, 'joints-missing', topic,
                         f'has no {_listing(self.missing)}; held still at zero (or nearest '
                         'limit), which is wrong if they moved')
        if self.ignored:
            findings.add(INFO, 'joints-ignored', topic,
                         f'also has {_listing(self.ignored)}, not in the model; left out')


def map_joints(joints: Sequence[str], names: Iterable[str],
               explicit: Optional[Mapping[str, str]] = None) -> JointMapping:
    """
    Match the names of a recording with the joints of a model.

    Parameters
    ----------
    joints : sequence of str
        Joints of the model.
    names : iterable of str
        Names in the recording.
    explicit : mapping, optional
        Name in the recording -> joint of the model, as the user says; the rest is matched as
        if these did not exist.

    Raises
    ------
    UnknownNameError
        If the explicit mapping names something that does not exist.
    BagError
        If several rules fit equally well.
    """
    names = list(dict.fromkeys(names))
    to_model: Dict[str, str] = {}
    for name, joint in (explicit or {}).items():
        if joint not in joints:
            raise UnknownNameError('joint of the model', joint, joints)
        if name not in names:
            raise UnknownNameError('joint of the recording', name, names)
        to_model[name] = joint
    rule = ''
    shifted = {} if explicit or set(names) == set(joints) or not set(names) & set(joints) \
        else _by_number(joints, names)
    if shifted:  # joint0 to joint5 for joint1 to joint6
        name, joint = next(iter(shifted.items()))
        return JointMapping(shifted, (), (), 'the numbers of the names begin elsewhere, and were '
                            f'matched in order ({name} -> {joint}, ...); say otherwise with '
                            '--joint-map')
    for name in names:
        if name in joints and name not in to_model and name not in to_model.values():
            to_model[name] = name
    plain = {_plain(joint): joint for joint in joints if joint not in to_model.values()}
    alike = {name: plain[_plain(name)] for name in names
             if name not in to_model and _plain(name) in plain}
    if alike and len(set(alike.values())) == len(alike):
        to_model.update(alike)
        name, joint = next(iter(alike.items()))
        rule = (f'{len(alike)} names were matched but for capitals and separators (as {name} -> '
                f'{joint}); say otherwise with --joint-map')
    free_joints = [j for j in joints if j not in to_model.values()]
    free_names = [n for n in names if n not in to_model]
    if free_joints and free_names and not (set(names) & set(joints)):
        affix = _common_affix(free_joints, free_names)
        if affix is not None and (len(affix[1]) == len(free_joints) == len(free_names)
                                  or not _shares_only_digits(affix[0], affix[1])):
            (old, new, side), pairs = affix
            to_model.update(pairs)
            name, joint = next(iter(pairs.items()))
            rule = (f'{len(pairs)} names were matched by replacing the {side} "{old}" with '
                    f'"{new}" (as {name} -> {joint}); say otherwise with --joint-map')
        elif affix is not None or len(free_joints) == len(free_names):
            pairs = _by_number(free_joints, free_names)
            to_model.update(pairs)
            if pairs:
                shown = ', '.join(f'{name} -> {joint}' for name, joint in pairs.items())
                rule = ('the names share only their numbers, and were matched in the order of '
                        f'these: {shown}; say otherwise with --joint-map')
    return JointMapping(
        to_model,
        tuple(j for j in joints if j not in to_model.values()),
        tuple(n for n in names if n not in to_model), rule)


def _plain(name: str) -> str:
    return re.sub(r'[\W_]+', '', name).lower()


_Rule = Tuple[str, str, str]


def _common_affix(joints: Sequence[str], names: Sequence[str]
                  ) -> Optional[Tuple[_Rule, Dict[str, str]]]:
    """Find the prefix (or suffix) replacement that matches most names, if it is unique."""
    votes: Counter[_Rule] = Counter()
    for name in names:
        for joint in joints:
            tail = len(os.path.commonprefix([name[::-1], joint[::-1]]))
            if tail:
                votes[name[:len(name) - tail], joint[:len(joint) - tail], 'prefix'] += 1
            head = len(os.path.commonprefix([name, joint]))
            if head:
                votes[name[head:], joint[head:], 'suffix'] += 1
    best: List[Tuple[_Rule, Dict[str, str]]] = []
    for rule, _ in votes.most_common(50):
        pairs = _apply(rule, joints, names)
        if best and len(pairs) < len(best[0][1]):
            continue
        if best and len(pairs) > len(best[0][1]):
            best = []
        if pairs and pairs not in [other for _, other in best]:
            best.append((rule, pairs))
    if not best or len(best[0][1]) < max(2 if len(joints) > 1 else 1, (len(joints) + 1) // 2):
        return None
    if len(best) > 1:
        options = '; '.join(f'"{old}" for "{new}"' for (old, new, _), _ in best[:4])
        raise BagError(f'joint names: several prefixes fit equally well ({options}); choose with '
                       '--joint-map')
    return best[0]


def _shares_only_digits(rule: _Rule, pairs: Mapping[str, str]) -> bool:
    """Tell whether what the names of both sides have in common are numbers and nothing else."""
    old, _, side = rule
    common = [name[len(old):] if side == 'prefix' else name[:len(name) - len(old)]
              for name in pairs]
    return all(re.fullmatch(r'[\W\d_]*', text) for text in common)


def _by_number(joints: Sequence[str], names: Sequence[str]) -> Dict[str, str]:
    """
    Pair names that are one word and a running number with joints that are, in order.

    Empty unless there are as many of both, each side has one word, and the numbers run.
    """
    def ordered(words: Sequence[str]) -> List[str]:
        split = [re.fullmatch(r'(.*?)(\d+)\W*', word) for word in words]
        parts = [(match[1], int(match[2]), word) for match, word in zip(split, words) if match]
        numbers = sorted(number for _, number, _ in parts)
        if len(parts) != len(words) or len({stem for stem, _, _ in parts}) != 1 or \
                numbers != list(range(numbers[0], numbers[0] + len(words))):
            return []
        return [word for _, _, word in sorted(parts)]
    return dict(zip(ordered(names), ordered(joints))) if len(joints) == len(names) else {}


def _apply(rule: _Rule, joints: Sequence[str], names: Sequence[str]) -> Dict[str, str]:
    old, new, side = rule
    pairs = {}
    for name in names:
        if side == 'prefix' and name.startswith(old):
            joint = new + name[len(old):]
        elif side == 'suffix' and name.endswith(old):
            joint = name[:len(name) - len(old)] + new
        else:
            continue
        if joint in joints:
            pairs[name] = joint
    return pairs


def parse_joint_map(text: str) -> Dict[str, str]:
    """
    Read ``recorded=model,recorded=model``, the form of ``--joint-map``.

    Raises
    ------
    ConfigurationError
        If a part is not of this form or a name occurs twice.
    """
    pairs = named_words('--joint-map', text.split(','))
    if len(set(pairs.values())) < len(pairs):
        raise ConfigurationError(f'--joint-map: {text!r} repeats a name')
    return pairs


def _listing(names: Sequence[str]) -> str:
    shown = ', '.join(names[:8])
    return shown if len(names) <= 8 else f'{shown} and {len(names) - 8} more'
