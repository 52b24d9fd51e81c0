"""
What a recording says about a robot: bags in, torques and statistics out, reports and files.

Here live the streaming reader of bags (every format that ``rosbags`` reads, and what can be saved
from damaged ones), the joint mapping, the treatment of stamps and gaps, zero-phase
differentiation, the replay itself with its :class:`~robot_dynamics.analysis.result.ReplayResult`,
and everything that consumes that result: text, JSON, HTML, CSV, Parquet and mcap.  No ROS
installation is needed and ``rclpy`` is not known here; matplotlib, pyarrow and Dask load only
when they are asked for.
"""
