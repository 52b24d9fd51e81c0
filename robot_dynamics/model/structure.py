"""
From links and joints to a tree: one root, every link with one parent, no cycle.

Every breach names the element and the fix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from robot_dynamics.core.errors import ModelError, UnknownNameError
from robot_dynamics.core.formatting import listed
from robot_dynamics.model.description import BASE_TYPES, Description, JointDescription
from robot_dynamics.model.elements import Note


@dataclass(frozen=True)
class Tree:
    """The links as a tree."""

    root: str  #: The only link without a parent
    #: The joints that leave each link, in document order
    children: Dict[str, List[JointDescription]]
    #: The joint that carries each link; the root has none
    parent_joint: Dict[str, JointDescription]

    def joints_below(self, link: str) -> List[JointDescription]:
        """List the joints of the subtree under a link, depth first in document order."""
        found: List[JointDescription] = []
        stack = list(reversed(self.children[link]))
        while stack:
            joint = stack.pop()
            found.append(joint)
            stack.extend(reversed(self.children[joint.child]))
        return found

    def path_to(self, link: str) -> List[JointDescription]:
        """List the joints from the root down to a link."""
        path: List[JointDescription] = []
        while link in self.parent_joint:
            path.append(self.parent_joint[link])
            link = path[-1].parent
        return path[::-1]


def build_tree(description: Description) -> Tree:
    """
    Check the structure of a description and arrange it as a tree.

    Raises
    ------
    ModelError
        For a joint whose parent or child is not a link, a link with two parents, a cycle, no
        link at all, or several roots.
    """
    links = description.links
    if not links:
        raise ModelError(f"robot '{description.name}'", 'has no <link>',
                         'a description needs at least one link')
    children: Dict[str, List[JointDescription]] = {name: [] for name in links}
    parent_joint: Dict[str, JointDescription] = {}
    for joint in description.joints.values():
        for role, link in (('parent', joint.parent), ('child', joint.child)):
            if link not in links:
                unknown = UnknownNameError('link', link, links)
                raise ModelError(f"joint '{joint.name}'", f'its {role}: {unknown}',
                                 'add the link or correct the name')
        if joint.child in parent_joint:
            raise ModelError(
                f"link '{joint.child}'",
                f"is the child of both joint '{parent_joint[joint.child].name}' and "
                f"joint '{joint.name}'", 'a link has one parent; remove one of the joints')
        parent_joint[joint.child] = joint
        children[joint.parent].append(joint)
    roots = [name for name in links if name not in parent_joint]
    if len(roots) > 1:
        raise ModelError(f"robot '{description.name}'",
                         f'has {len(roots)} root links: {listed(roots)}',
                         'connect all but one of them to the tree with a joint')
    tree = Tree(roots[0] if roots else '', children, parent_joint)
    reached = {tree.root} | {j.child for j in tree.joints_below(tree.root)} if roots else set()
    if len(reached) < len(links):
        _report_cycle(tree, next(name for name in links if name not in reached))
    return tree


def _report_cycle(tree: Tree, start: str) -> None:
    """Raise the error for the cycle that lies above a link which no root reaches."""
    seen: Dict[str, None] = {}  # in order
    link = start
    while link not in seen:
        seen[link] = None
        link = tree.parent_joint[link].parent
    order = list(seen)
    cycle = order[order.index(link):][::-1]
    shown = ' -> '.join(cycle[:8] + (['...'] if cycle[8:] else []) + [cycle[0]])
    raise ModelError(f"joint '{tree.parent_joint[cycle[0]].name}'",
                     f'closes a cycle of links: {shown}',
                     'a URDF is a tree; remove a joint of the cycle')


@dataclass(frozen=True)
class Base:
    """The link that carries the robot, and whether the description lets it move freely."""

    link: str
    floating: bool
    notes: Tuple[Note, ...] = ()


def find_base(description: Description, tree: Tree, base_link: Optional[str]) -> Base:
    """
    Determine the base: the chosen link, or the root, or the child of a free joint at the root.

    A floating or planar joint at the root says that the robot's first link moves freely in the
    world, which here is the motion of the base: the world link and the free joint are dropped.
    Between the root and that joint only fixed joints may lie.

    Raises
    ------
    ModelError
        If a floating or planar joint lies anywhere below the base.
    UnknownNameError
        If ``base_link`` is not a link.
    """
    if base_link is not None:
        if base_link not in description.links:
            raise UnknownNameError('link', base_link, description.links)
        above = tree.parent_joint.get(base_link)
        base = Base(base_link, above is not None and above.kind in BASE_TYPES)
    else:
        base = _base_at_root(description, tree)
    for joint in tree.joints_below(base.link):
        if joint.kind in BASE_TYPES:
            raise ModelError(
                f"joint '{joint.name}'", f"is {joint.kind} below the base '{base.link}'",
                'only a joint at the root may be: there it stands for the moving base; replace '
                f"it by moving joints, or choose `base_link='{joint.child}'`")
    return base


def _base_at_root(description: Description, tree: Tree) -> Base:
    link, dropped = tree.root, [tree.root]
    while len(tree.children[link]) == 1:
        joint = tree.children[link][0]
        if joint.kind in BASE_TYPES:
            notes = [Note('info', f"joint '{joint.name}'",
                          f'{joint.kind} at the root: taken as the motion of the base, '
                          f"link '{joint.child}'")]
            notes += [Note('warning', f"link '{name}'", 'lies above the moving base: its mass '
                           'is not part of the robot')
                      for name in dropped if not description.links[name].inertial.is_zero]
            return Base(joint.child, True, tuple(notes))
        if joint.kind != 'fixed':
            break
        link = joint.child
        dropped.append(link)
    return Base(tree.root, False)
