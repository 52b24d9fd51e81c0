"""
What the base does, simulated and measured: ships, inertial sensors, estimators, predictors.

Here live the motion of a ship in waves, the model of an IMU, and the filters that turn its
samples into the base motion at a given instant.  Nothing here knows a robot's dynamics, a
message or a clock: time comes in as seconds or as integer nanoseconds.
"""
