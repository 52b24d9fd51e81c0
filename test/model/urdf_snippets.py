"""Short URDFs for the tests of this room."""

BOX = '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/>'


def robot(*parts: str, name: str = 'test') -> str:
    """Put elements into a robot."""
    return f'<robot name="{name}">' + '\n'.join(parts) + '</robot>'


def link(name: str, mass: float = 1.0, com: str = '0.1 0.2 0.3', rpy: str = '0 0 0',
         inertia: str = BOX) -> str:
    """Write a link with mass; without one if the mass is zero."""
    if not mass:
        return f'<link name="{name}"/>'
    return (f'<link name="{name}"><inertial><origin xyz="{com}" rpy="{rpy}"/>'
            f'<mass value="{mass}"/>{inertia}</inertial></link>')


def joint(name: str, parent: str, child: str, kind: str = 'revolute', xyz: str = '0 0 0',
          rpy: str = '0 0 0', axis: str = '0 0 1', limit: str = 'lower="-2" upper="2"',
          extra: str = '') -> str:
    """Write a joint with the usual limits."""
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/><origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>'
            f'<limit {limit} velocity="3" effort="40"/>{extra}</joint>')


def two_joints(first: str = '', second: str = '') -> str:
    """Write a base with two links in a row; the arguments are extra elements of the joints."""
    return robot(link('base'), link('upper'), link('lower'),
                 joint('shoulder', 'base', 'upper', extra=first),
                 joint('elbow', 'upper', 'lower', xyz='0 0 0.5', axis='0 1 0', extra=second))
