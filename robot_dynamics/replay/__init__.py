"""
What a recording says about a robot: torques and statistics, and the reports that tell them.

Here live the alignment of recorded streams, zero-phase differentiation, the replay itself, whose
:class:`~robot_dynamics.replay.result.ReplayResult` is all that the reports, tables and files read,
and those.  matplotlib, pyarrow and Dask load only when they are asked for.
"""
