"""
The immutable model of a robot: a tree of moving bodies on a base.

>>> from robot_dynamics import RobotModel
>>> model = RobotModel.from_urdf('urdf/pa10.urdf')  # doctest: +SKIP
>>> model.joint_names  # doctest: +SKIP
('joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6')
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import as_mapping, as_scalar, FloatArray
from robot_dynamics.model.body_tree import BodyTree
from robot_dynamics.model.checks import check_physics, undetermined
from robot_dynamics.model.contents import Contents
from robot_dynamics.model.coordinate_inertia import undetermined_coordinates
from robot_dynamics.model.dh import dh_parts, DHRow, InertialLike, RowLike
from robot_dynamics.model.elements import (
    BASE, Body, Inertial, Joint, LinkFrame, Mimic, Note, read_only)
from robot_dynamics.model.fingerprint import fingerprint
from robot_dynamics.model.inertia import as_inertial, combined, placed
from robot_dynamics.model.loading import load_urdf
from robot_dynamics.model.notes import NO_INERTIAL, WHERE_MASSES_COME_FROM
from robot_dynamics.model.rotors import at_drivers
from robot_dynamics.model.source import Document, PathOrText
from robot_dynamics.model.summary import summary
from robot_dynamics.model.writing import urdf_text

__all__ = ['BASE', 'Body', 'Contents', 'DHRow', 'Inertial', 'Joint', 'LinkFrame', 'Mimic', 'Note',
           'RobotModel']


LARGEST_EFFORT = 1e6
"""N m or N: what is above, or 0, is a placeholder and no limit of a drive."""


class RobotModel(BodyTree):
    """
    A robot as a tree of rigid bodies, each moved by one joint; nothing in it can change.

    Make one with :meth:`from_urdf` or :meth:`from_dh`; its data are those of :class:`BodyTree`.
    """

    @classmethod
    def from_urdf(
            cls, path_or_text: PathOrText, base_link: Optional[str] = None,
            tip_link: Optional[str] = None, joints: Optional[Iterable[str]] = None,
            positions: Optional[Mapping[str, float]] = None, strict: bool = False, *,
            rotor_inertia: Optional[Mapping[str, float]] = None,
            xacro_arguments: Optional[Mapping[str, str]] = None,
            package_paths: Iterable[str] = ()) -> RobotModel:
        """
        Load a URDF, given as a path or as its text.

        Parameters
        ----------
        path_or_text : path, str, bytes or Document
            Text is what begins with '<'.  A ``.xacro`` file is expanded where ``xacro`` can be
            imported.  A ``Document.from_xml`` opens no file whatever the text is.
        base_link : str, optional
            The link that stands on the moving base; only what hangs below it counts.  By
            default the root, or the link that a floating or planar joint at the root carries.
        tip_link : str, optional
            Only the joints between the base and this link move.
        joints : iterable of str, optional
            Only these joints move.  The order of q stays the model's own.
        positions : mapping of str to float, optional
            Where joints that do not move are held, rad or m; 0 without an entry.
        strict : bool
            Raise where a moving body's mass or inertia is physically impossible, instead of
            noting it.
        rotor_inertia : mapping of str to float, optional
            As for :meth:`with_rotor_inertia`; in place of what the file states in its
            transmissions.
        xacro_arguments : mapping of str to str, optional
            Arguments of a ``.xacro`` file.
        package_paths : iterable of str
            Directories where its ``$(find package)`` looks first; then with ROS, and beside and
            above the file.

        Raises
        ------
        ModelError
            If the description is wrong; the text names the element and the fix.
        InputError, UnknownNameError
            If a choice contradicts itself or names what does not exist.
        """
        document = Document.read(path_or_text, xacro_arguments, package_paths)
        loaded = load_urdf(document, base_link, tip_link, joints, positions)
        assembly = loaded.assembly
        model = cls(
            loaded.name, loaded.base_link, assembly.base_inertial, assembly.bodies,
            assembly.joints, loaded.frames, loaded.floating_base, loaded.notes,
            contents=loaded.contents)
        model = model.with_rotor_inertia(at_drivers(model, loaded.rotors))
        model = model.with_rotor_inertia(rotor_inertia)
        if not loaded.has_inertial and not model.rotor_inertia.any():
            raise ModelError(f"robot '{model.name}'", NO_INERTIAL, WHERE_MASSES_COME_FROM)
        return model.checked(strict)

    @classmethod
    def from_dh(
            cls, rows: Sequence[RowLike], convention: str = 'standard', *, base: Any = None,
            tool: Any = None, name: str = 'robot', base_link: str = 'base_link',
            tool_link: str = 'tool0', base_inertial: Optional[Inertial] = None,
            strict: bool = False, inertials: Optional[Sequence[InertialLike]] = None,
            rotor_inertia: Optional[Mapping[str, float]] = None) -> RobotModel:
        """
        Build a serial arm from a Denavit-Hartenberg table.

        Parameters
        ----------
        rows : sequence of DHRow, mapping or (alpha, a, d, theta)
            One for each joint, rad and m; see :class:`robot_dynamics.model.dh.DHRow` for kind,
            names, limits, friction and the link's inertial.
        convention : str
            'standard' or 'modified' (Craig).
        base : array_like, (4, 4), optional
            Pose of DH frame 0 in the base frame.
        tool : array_like, (4, 4), optional
            Pose of the tool frame in the last DH frame.
        name, base_link, tool_link : str
            Names; ``tool_link`` is a frame of the model like any link.
        base_inertial : Inertial, optional
            Of the base, in the base frame.
        strict, rotor_inertia
            As for :meth:`from_urdf`.
        inertials : sequence of Inertial or (mass, com, inertia), optional
            Of the links, in their DH frames, for rows that do not hold their own.

        Raises
        ------
        InputError
            If the table is wrong; the text names the row.
        ModelError
            If no joint moves anything that has inertia.
        """
        parts = dh_parts(rows, convention, base, tool, base_link, tool_link, base_inertial,
                         inertials)
        joints = tuple(body.joint for body in parts.bodies)
        model = cls(name, base_link, parts.base_inertial, parts.bodies, joints, parts.frames)
        return model.with_rotor_inertia(rotor_inertia).checked(strict)

    def to_urdf(self) -> str:
        """
        Return the model as URDF text; :meth:`from_urdf` makes the same model of it.

        Bodies, placements, limits, mimics, friction and the frames of merged links are kept (to
        rounding, 1e-15 of a rotation), reflected rotor inertia in Drake's extension of URDF.
        """
        return urdf_text(self)

    def summary(self) -> Dict[str, Any]:
        """Return what the model contains as plain nested dictionaries."""
        return summary(self)

    def checked(self, strict: bool = False) -> RobotModel:
        """
        Return the model with notes on impossible masses and inertias.

        Raises
        ------
        ModelError
            If no joint moves anything that has inertia; and with ``strict`` for every physical
            impossibility.
        """
        notes = check_physics(self.base_link, self.base_inertial, self.bodies, self.joint_names,
                              self.rotor_inertia, strict)
        return replace(self, notes=self.notes + tuple(notes)) if notes else self

    def check_determined(self, rotor_inertia: Optional[FloatArray] = None) -> None:
        """
        Check that torques determine every joint's acceleration.

        Parameters
        ----------
        rotor_inertia : ndarray, (nv,), optional
            Reflected to the joints, kg m^2 or kg; the model's own by default.

        Raises
        ------
        ModelError
            If a joint moves nothing with inertia along it; the text names all such joints.
        """
        rotor = self.rotor_inertia if rotor_inertia is None else rotor_inertia
        coordinates = undetermined_coordinates(self.bodies, rotor)
        if coordinates:
            raise undetermined(self.bodies, self.joint_names, coordinates)

    @cached_property
    def lower(self) -> FloatArray:
        """Lower position limits, (nv,), rad or m."""
        return self._per_joint('lower')

    @cached_property
    def upper(self) -> FloatArray:
        """Upper position limits, (nv,), rad or m."""
        return self._per_joint('upper')

    @cached_property
    def velocity_limit(self) -> FloatArray:
        """Velocity limits, (nv,), rad/s or m/s."""
        return self._per_joint('velocity')

    @cached_property
    def effort_limit(self) -> FloatArray:
        """Effort limits, (nv,), N m or N."""
        return self._per_joint('effort')

    @cached_property
    def has_effort_limit(self) -> NDArray[np.bool_]:
        """Whether each joint has an effort limit that can be used, (nv,): neither 0 nor huge."""
        return np.asarray((self.effort_limit > 0.0) & (self.effort_limit < LARGEST_EFFORT))

    @cached_property
    def damping(self) -> FloatArray:
        """
        Viscous friction, (nv,), N m s/rad or N s/m.

        A joint that follows another by ``<mimic>`` adds its own there, times the multiplier
        squared: speed and torque both pass through it.
        """
        return self._with_followers('damping', 2)

    @cached_property
    def friction(self) -> FloatArray:
        """Coulomb friction, (nv,), N m or N; of followers times the size of the multiplier."""
        return self._with_followers('friction', 1)

    @cached_property
    def stribeck(self) -> FloatArray:
        """Breakaway above Coulomb friction, (nv,), N m or N."""
        return self._per_joint('stribeck')

    @cached_property
    def stribeck_speed(self) -> FloatArray:
        """Speed at which the breakaway has fallen to 37 %, (nv,), rad/s or m/s."""
        return self._per_joint('stribeck_speed')

    @cached_property
    def asymmetry(self) -> FloatArray:
        """Half of what friction is larger by in the positive direction, (nv,), N m or N."""
        return self._per_joint('asymmetry')

    @cached_property
    def torque_offset(self) -> FloatArray:
        """What is always there, (nv,), N m or N; part of the friction law."""
        return self._per_joint('torque_offset')

    @cached_property
    def fingerprint(self) -> str:
        """
        Hash of everything that dynamics depends on, and of all names: a key for caches.

        Equal for equal content; notes and the model's name do not enter.
        """
        return fingerprint(self)

    def with_rotor_inertia(self, values: Optional[Mapping[str, float]]) -> RobotModel:
        """
        Return a model with reflected rotor inertia at the named joints.

        Parameters
        ----------
        values : mapping of str to float
            Joint name to gear ratio squared times rotor inertia, kg m^2 (kg if prismatic).
        """
        by_joint = as_mapping('rotor_inertia', values, 'joint names to kg m^2')
        if not by_joint:
            return self
        rotor = np.array(self.rotor_inertia)
        for name, value in by_joint.items():
            rotor[self.index(name)] = as_scalar(
                f"rotor_inertia['{name}']", value, minimum=0.0, unit='kg m^2')
        return replace(self, rotor_inertia=rotor)

    def with_payload(self, link: str, mass: float, com: Sequence[float] = (0.0, 0.0, 0.0),
                     inertia: Optional[Any] = None) -> RobotModel:
        """
        Return a model that carries a payload.

        Parameters
        ----------
        link : str
            The link that carries it, also one merged into another.
        mass : float
            In kg; zero gives the same dynamics.
        com : array_like, (3,)
            Its centre of mass in m, in the link's frame.
        inertia : array_like, (3, 3), optional
            About that centre of mass in kg m^2, link axes; a point mass if left out.
        """
        frame = self.frame(link)
        payload = as_inertial('', mass, com, np.zeros((3, 3)) if inertia is None else inertia)
        on_body = placed(payload, frame.R_BL, frame.p_BL)
        element = f"payload on link '{link}'"
        if frame.body == BASE:
            return replace(self, base_inertial=combined([self.base_inertial, on_body], element))
        body = self.bodies[frame.body]
        heavier = replace(body, inertial=combined([body.inertial, on_body], element))
        bodies = self.bodies[:frame.body] + (heavier,) + self.bodies[frame.body + 1:]
        return replace(self, bodies=bodies)

    def _per_joint(self, attribute: str) -> FloatArray:
        return read_only([getattr(joint, attribute) for joint in self.joints], (self.nv,))

    def _with_followers(self, attribute: str, power: int) -> FloatArray:
        """Sum over all moving joints, brought to the coordinates that move them."""
        total = np.zeros(self.nv)
        for body in self.bodies:
            total[body.coordinate] += abs(body.multiplier)**power * getattr(
                body.joint, attribute)
        return read_only(total, (self.nv,))
