"""
One file a command of ``robot-dynamics``.

Each offers ``add_parser(subparsers)``, which declares the command and its arguments, and
``run(args) -> int``, which returns the exit code.  What is costly to import is imported inside
``run``, so that ``--help`` stays quick.  A command is known once its name stands in
``robot_dynamics.app.cli.COMMANDS``.
"""
