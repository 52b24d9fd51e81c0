"""
The ROS 2 nodes: convert a message in, call the rooms below, convert the answer out.

Only this room knows rclpy and message packages.  A file here holds one node, or one thing that
several nodes share: the declaration of parameters, the main loop of a process, conversions of
messages.  No decision about torques lives here: those are in ``control``, testable without ROS.
"""
