"""
Robots that exist only here: exact forward dynamics under commands, and the loop closed with them.

The simulated robot, the motions that the demos ask of it, the loop with the feedforward in one
process, and what is said of such a run.  No message and no clock is known here.
"""
