"""Take links out of a description; all else stays as it is written, to the byte."""

from __future__ import annotations

from typing import Dict, Iterable, List, Set

from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.model.safe_xml import parse_xml, span_of
from robot_dynamics.model.source import Document


def pruned(document: Document, links: Iterable[str]) -> str:
    """
    Take links and everything below them out of a description; return the text.

    Parameters
    ----------
    links : iterable of str
        A tool that the description has and the real robot had not, say.

    Raises
    ------
    UnknownNameError
        If a link does not exist.
    """
    text = document.text.encode('utf-8', 'surrogatepass')
    robot = parse_xml(text, document.source)
    names = [link.get('name', '') for link in robot.findall('link')]
    children: Dict[str, List[str]] = {}
    for joint in robot.findall('joint'):
        parent, child = joint.find('parent'), joint.find('child')
        if parent is not None and child is not None:
            children.setdefault(parent.get('link', ''), []).append(child.get('link', ''))
    pending = list(links)
    for link in pending:
        if link not in names:
            raise UnknownNameError('link', link, names)
    gone: Set[str] = set()
    while pending:
        link = pending.pop()
        if link not in gone:
            gone.add(link)
            pending += children.get(link, [])
    kept, position = [], 0
    for element in robot:
        child = element.find('child')
        if (element.tag == 'link' and element.get('name') in gone) or (
                element.tag == 'joint' and child is not None and child.get('link') in gone):
            start, end = span_of(element)
            kept.append(text[position:start])
            position = end
    return b''.join([*kept, text[position:]]).decode('utf-8', 'surrogatepass')
