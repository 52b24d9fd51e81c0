"""
The equations of motion as textbooks print them, over CasADi expressions.

One formulation a file, with the passes of the algorithm as banners.  Numbers of a robot enter
only as a :class:`~robot_dynamics.dynamics.equations.tree.Tree`; nothing here compiles or
evaluates anything.
"""
