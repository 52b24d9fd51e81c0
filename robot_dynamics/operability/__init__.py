"""
Up to which sea a robot on a ship can work: its loads in waves against its limits.

Frequency domain (a hull's transfer functions, a wave spectrum, the exact linear map from small
base motion to loads) and time domain (many irregular seas through the exact dynamics) answer the
same question beside each other.  Everything ends in an
:class:`~robot_dynamics.operability.result.OperabilityResult`, which table, figures and JSON only
read.
"""
