"""
A blend of predictors for bases that move faster or less evenly than a ship.

Each angle is filtered with its gyro's bias by a Kalman filter; the rates of roll, pitch and yaw
and the three accelerations, on an even grid of instants, are six signals.  The past of a signal
is seen as block means y of the last eight seconds, whose widths grow by a factor for each octave.
Seven linear predictors w_i y answer at horizons of 0 to 2 s: hold, mean, cubics through the last
0.1, 0.4 and 1.4 s, and two ridge regressions on what followed in the last hundred seconds.  What
arrives judges them all the time: with C the covariance of their errors, the answer is the
combination of least variance, weights C^-1 1 / (1' C^-1 1), and its stated error is what that
combination was found to err by.  The target is the motion in a band up to 4 Hz at most: what lies
above is vibration, measured and kept out of the acceleration.
"""
