"""
Values that describe motion: of the base, of the joints, and the rotations between frames.

Here live :class:`BaseMotion` with its converters, series of base and joint motion, rotations,
attitude rates and the frames of sea and robot (FLU, NED).  Nothing here knows a robot, a ship, a
clock or a message, and nothing but numpy is imported.
"""
