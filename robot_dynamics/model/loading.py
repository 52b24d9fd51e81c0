"""The way from a URDF to a model's parts, in the order of its steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Dict, Iterable, Mapping, Optional, Tuple

from robot_dynamics.model.assembly import assemble, Assembly
from robot_dynamics.model.contents import Contents
from robot_dynamics.model.coupling import resolve_mimics
from robot_dynamics.model.description import Description
from robot_dynamics.model.elements import LinkFrame, Note
from robot_dynamics.model.geometry import link_shapes
from robot_dynamics.model.notes import lacks_inertial, NO_INERTIAL, notes_on_loading
from robot_dynamics.model.round_shapes import round_shapes
from robot_dynamics.model.selection import select, Selection
from robot_dynamics.model.source import Document
from robot_dynamics.model.structure import build_tree, find_base
from robot_dynamics.model.surroundings import platform_frames
from robot_dynamics.model.urdf import describe


@dataclass(frozen=True)
class Loaded:
    """The parts of a model, and where they come from."""

    name: str
    base_link: str
    floating_base: bool
    assembly: Assembly
    frames: Dict[str, LinkFrame]
    contents: Contents
    notes: Tuple[Note, ...]
    rotors: Dict[str, float]
    has_inertial: bool


def load_urdf(
        document: Document, base_link: Optional[str], tip_link: Optional[str],
        joints: Optional[Iterable[str]], positions: Optional[Mapping[str, float]]) -> Loaded:
    """Check and merge; the arguments are those of ``RobotModel.from_urdf``."""
    description = describe(document.root)
    tree = build_tree(description)
    base = find_base(description, tree, base_link)
    coupling = resolve_mimics(description)
    selection = select(description, tree, base.link, coupling, tip_link, joints, positions)
    assembly = assemble(description, tree, base.link, selection)
    notes = [*description.notes, *base.notes, *selection.notes,
             *notes_on_loading(description, base.link, assembly, selection)]
    notes.sort(key=lambda note: NO_INERTIAL not in note.text)  # which comes first
    frames = {**assembly.frames, **platform_frames(tree, base.link)}
    return Loaded(description.name, base.link, base.floating, assembly, frames,
                  _contents(description, assembly, selection, document),
                  tuple(notes), description.rotors, not lacks_inertial(description, assembly))


def _contents(description: Description, assembly: Assembly, selection: Selection,
              document: Document) -> Contents:
    shapes = link_shapes(document.root)
    types = Counter(joint.kind for joint in description.joints.values())
    outside = tuple(name for name in description.links if name not in assembly.frames)
    return Contents(len(description.links), len(description.joints), dict(types),
                    dict(selection.held), outside, dict(description.unused),
                    round_shapes(shapes), shapes,
                    {link.name: link.inertial for link in description.links.values()
                     if link.mass is not None},
                    {joint.name: joint.mimic.joint for joint in description.joints.values()
                     if joint.mimic is not None}, document.path, document.package_paths)
