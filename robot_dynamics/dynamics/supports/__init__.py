"""
How a robot stands on what moves: bolted down, or on wheels.

``protocol`` says what the dynamics ask of a support; each of the others is one file.
"""
