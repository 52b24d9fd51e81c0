"""
What decides, as plain objects: feedforward, its safety, references, and a simulated arm.

Nothing here knows rclpy, a clock, a file or a thread: stamps are integer nanoseconds that the
caller passes in, messages arrive as arrays and names, and the same calls give the same commands
bit for bit.  The nodes carry messages in and out of these objects; no decision is taken there.
"""
