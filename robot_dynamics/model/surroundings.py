"""
Frames on the platform: links that fixed joints connect to the base from above or beside it.

When the base is chosen inside a tree, such a link (an IMU on the same deck, say) does not count
as part of the robot, but its pose in the base frame is constant and worth knowing.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import BASE, LinkFrame
from robot_dynamics.model.structure import Tree


def platform_frames(tree: Tree, base_link: str) -> Dict[str, LinkFrame]:
    """Return the frame of each link that is fixed to the base without hanging below it."""
    found: Dict[str, LinkFrame] = {}
    R, p = np.eye(3), np.zeros(3)  # of the link that is reached going up, in the base frame
    below = base_link
    while below in tree.parent_joint and tree.parent_joint[below].kind == 'fixed':
        joint = tree.parent_joint[below]
        R = R @ joint.origin.R.T
        p = p - R @ joint.origin.p
        found[joint.parent] = LinkFrame(BASE, R, p)
        found.update(_fixed_below(tree, joint.parent, below, R, p))
        below = joint.parent
    return found


def _fixed_below(tree: Tree, link: str, excluded: str, R: FloatArray,
                 p: FloatArray) -> Dict[str, LinkFrame]:
    """Frames that hang on a link by fixed joints only, without the branch ``excluded``."""
    found: Dict[str, LinkFrame] = {}
    stack: List[Tuple[str, FloatArray, FloatArray]] = [(link, R, p)]
    while stack:
        parent, R, p = stack.pop()
        for joint in tree.children[parent]:
            if joint.kind == 'fixed' and joint.child != excluded:
                R_child, p_child = R @ joint.origin.R, p + R @ joint.origin.p
                found[joint.child] = LinkFrame(BASE, R_child, p_child)
                stack.append((joint.child, R_child, p_child))
    return found
