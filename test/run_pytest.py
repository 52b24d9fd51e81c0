"""
Start pytest in a process whose library path is already complete.

The ROS 2 wheels start the process again, once, with a longer LD_LIBRARY_PATH: some releases
when the interpreter starts, some when rclpy is first imported.  Within a test the latter would
happen after pytest has begun to capture output, and everything printed would be lost; so it
happens here, before pytest starts.

Byte code is kept, whatever the environment says: workers and the nodes' processes load the same
modules again and again.  Linear algebra has one thread in each, unless the environment says
otherwise: where workers share the cores, threads only wait for one another, and burn time in it.
"""

import os
import sys

import pytest

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')  # read when numpy is imported

try:
    import rclpy  # noqa: F401
except ImportError:
    pass  # the tests that need ROS skip themselves and say why

os.environ.pop('PYTHONDONTWRITEBYTECODE', None)
sys.dont_write_bytecode = False

if __name__ == '__main__':
    sys.exit(pytest.main())
