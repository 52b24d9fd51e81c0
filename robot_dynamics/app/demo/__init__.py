"""
What ``robot-dynamics demo`` is made of: runs as processes, what they show, and its summary.

``runs`` makes the runs of a demo (``processes`` starts and ends their nodes), ``outcome`` turns
traces into tracking errors, ``summary`` prints and writes them.  A demo is one file that says
which scenario it varies and what it measures beyond tracking (``pa10``, ``mobile_manipulator``,
``sea``), and a figure.
"""
