"""
What ``robot-dynamics demo`` is made of: runs as processes, what they show, and how it is told.

``processes`` starts and ends the nodes, ``runs`` says which scenarios are run and runs them,
``outcome`` turns their traces into figures, ``telling`` prints and writes these.
"""
