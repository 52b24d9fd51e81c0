"""
Install robot_dynamics: with pip (also without a ROS installation) or with colcon.

What the package needs stands here and nowhere else; the Makefile, the tests and the README
refer to the extras by name.
"""

from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = 'robot_dynamics'

# colcon build --symlink-install runs this file through a link in its build directory.
ROOT = Path(__file__).resolve().parent

# rclpy, the common messages and Fast DDS as wheels, for machines without a ROS installation.
# Where ROS is installed its own packages are used and the extra is left out.
ROS_WHEELS = [
    'ros-kilted-rclpy',
    'ros-kilted-common-interfaces',
    'ros-kilted-rmw-fastrtps-cpp',
]

REQUIRED = [
    'casadi>=3.6.3',
    'mcap>=1.1',
    'numba>=0.57',
    'numpy>=1.22',
    'PyYAML>=5.4',
    'rosbags>=0.11',
    'scipy>=1.8',
    'urdf-parser-py>=0.0.4',
    'zstandard>=0.15',
]

# The checks of ament_flake8 and ament_pep257, with the plug-ins that those load.
LINT = [
    'flake8>=5',
    'flake8-blind-except',
    'flake8-builtins',
    'flake8-class-newline',
    'flake8-comprehensions',
    'flake8-deprecated',
    'flake8-docstrings',
    'flake8-import-order',
    'flake8-quotes',
    'mypy>=1.8',
    'pydocstyle>=6.1',
    'types-PyYAML',
]

# Pinocchio and a set of well-known robots: what the speed and the numbers are held against.
PEERS = [
    'example-robot-data>=4.1',
    'pin>=2.7',
]

# Figures and HTML reports; series as Parquet or CSV.
REPORT = ['jinja2>=3.0', 'matplotlib>=3.6']
PARQUET = ['pyarrow>=12']

# Replay of many recordings on a Dask cluster.
CLUSTER = ['distributed>=2023.5']

# The solver of robot-dynamics identify: quadratic programmes over bodies that can exist.
IDENTIFY = ['clarabel>=0.7']

TEST = LINT + PEERS + CLUSTER + REPORT + PARQUET + IDENTIFY + [
    'hypothesis>=6.80',
    'mujoco>=3.1',
    'pandas>=1.5',
    'pytest>=7.4',
    'pytest-xdist>=3.3',
    'setuptools>=64',
    'wheel',
    'xacro>=2.0',
]

BENCH = PEERS + IDENTIFY + ['psutil>=5.9']

# One script a node; under colcon they are installed in lib/robot_dynamics (see setup.cfg).
NODES = [
    'effort_guard_node',
    'feedforward_node',
    'reference_trajectory_node',
    'ship_motion_publisher',
    'simulated_robot_node',
]


def shared_files() -> list:
    """List what is installed in share/robot_dynamics, one entry a directory."""
    share = Path('share') / PACKAGE
    files = [
        ('share/ament_index/resource_index/packages', [f'resource/{PACKAGE}']),
        (str(share), ['package.xml']),
    ]
    for top in ('config', 'examples', 'launch', 'urdf'):
        found = sorted(path.relative_to(ROOT) for path in (ROOT / top).rglob('*')
                       if path.is_file() and path.suffix not in ('.pyc', ''))
        for directory in sorted({path.parent for path in found}):
            files.append((str(share / directory),
                          [str(path) for path in found if path.parent == directory]))
    return files


setup(
    name=PACKAGE,
    version='0.1.0',
    description='Inverse dynamics and feedforward control of robot arms on moving bases.',
    long_description=(ROOT / 'README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    author='The robot_dynamics authors',
    author_email='maintainers@robot-dynamics.invalid',
    maintainer='The robot_dynamics authors',
    maintainer_email='maintainers@robot-dynamics.invalid',
    license='Apache-2.0',
    keywords=['ROS', 'robotics', 'inverse dynamics', 'moving base', 'feedforward'],
    classifiers=[
        'Intended Audience :: Science/Research',
        'Programming Language :: Python :: 3',
        'Topic :: Scientific/Engineering',
        'Typing :: Typed',
    ],
    packages=find_packages(include=[PACKAGE, f'{PACKAGE}.*']),
    package_data={'': ['py.typed', '*.css', '*.html', '*.js', '*.json', '*.yaml']},
    data_files=shared_files(),
    python_requires='>=3.10',
    install_requires=REQUIRED,
    extras_require={
        'bench': BENCH,
        'cluster': CLUSTER,
        'identify': IDENTIFY,
        'parquet': PARQUET,
        'report': REPORT,
        'ros': ROS_WHEELS,
        'test': TEST,
    },
    entry_points={
        'console_scripts': [
            'robot-dynamics = robot_dynamics.app.cli:main',
            *(f'{name} = robot_dynamics.nodes.start:{name}' for name in NODES),
        ],
    },
    zip_safe=False,
)
