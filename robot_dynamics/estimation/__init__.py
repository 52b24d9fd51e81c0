"""
From samples of an IMU to the base motion at any instant, also a coming one, with its error.

Every estimator follows :mod:`~robot_dynamics.estimation.protocol`; the adaptive one has a folder
of its own.  Nothing here knows a robot's dynamics, a message or a clock: time comes in as integer
nanoseconds.
"""
