"""
Recordings as they are: bags of every format that ``rosbags`` reads, and tables without ROS.

Here live the streaming reader, the fast decoding, what can be saved of damaged files and what
harmful ones are refused for, the search for topics and joints, and the timeline of stamps.  What a
recording says of a robot is told in ``replay``.  No ROS installation is needed and ``rclpy`` is
not known here.
"""
