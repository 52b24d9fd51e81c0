"""Which part of the robot description a node computes, as parameters."""

from __future__ import annotations

import dataclasses

from robot_dynamics.core.parameters import check_parameters, parameter
from robot_dynamics.model.choice import ModelChoice


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    """The choice of :class:`~robot_dynamics.model.choice.ModelChoice`."""

    base_link: str = parameter(
        '', 'link that stands on the moving base; empty: the root of the description', live=False)
    tip_link: str = parameter(
        '', 'only the joints between base and this link move; empty: all', live=False)
    joints: tuple[str, ...] = parameter((), 'only these joints move; empty: all', live=False)
    held_joints: tuple[str, ...] = parameter(
        (), 'joints that are rigid and need not be in joint_states, as joint or joint=position '
        '(rad or m)', live=False)
    rotors: tuple[str, ...] = parameter(
        (), 'reflected rotor inertia as joint=inertia, or the rotor and its gear as '
        'joint=inertia@ratio (kg m^2); used where rotor_inertia is true', live=False)
    xacro_arguments: tuple[str, ...] = parameter(
        (), 'name:=value for a robot_description that is the path of a .xacro file', live=False)

    identified: str = parameter(
        '', 'file of identified parameters (robot-dynamics identify) that take the place of the '
        "description's; friction and rotors then count", live=False)

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def choice(self) -> ModelChoice:
        """Return the choice."""
        return ModelChoice(**dataclasses.asdict(self))
