"""Stand-in for ``launch_ros``."""
