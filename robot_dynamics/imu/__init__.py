"""
What an inertial sensor says: a sample, how the sensor is mounted, how it errs, what is doubted.

A sample is converted once, here, into the base's axes.  What follows from many samples lives in
``estimation``.
"""
