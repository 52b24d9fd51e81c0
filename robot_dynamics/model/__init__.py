"""
The robot as data: a description file read, checked and merged into an immutable tree of bodies.

Here live the reading of URDF (in its own words first, then as a tree), Denavit-Hartenberg tables,
inertia arithmetic, the structural and physical checks, and :class:`RobotModel`.  Nothing here
computes a torque, knows a base motion, or keeps state: a model never changes once it is made.
"""
