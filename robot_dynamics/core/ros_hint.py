"""What to say where ROS is needed and cannot be found."""

ROS_MISSING = (
    'rclpy is missing: source your ROS 2 installation, or install the wheels with '
    'pip install "robot_dynamics[ros]"')
