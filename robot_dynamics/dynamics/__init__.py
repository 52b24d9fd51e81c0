"""
Inverse and forward dynamics of a robot on a moving base.

``equations`` writes the formulations once, in the papers' notation, over CasADi expressions
and without the numbers of any robot; ``codegen`` turns a traced expression into compiled
kernels; the files of this folder are the public interface over both.  Nothing here knows ROS,
a clock, or where the base motion comes from.
"""
