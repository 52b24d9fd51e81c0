r"""
A blend of predictors, judged by what arrives, for every base that moves.

Signals.  Each angle is filtered with its gyro's bias by a Kalman filter (``tilt``).  The rates of
roll, pitch and yaw and three accelerations in a level frame, on an even grid of instants, are six
signals y (``motion_signals``, ``uniform_grid``).  Reports so exact that even their slope is truer
than the gyro, as a simulator's, give the rates (``attitude_filter``).  A pause is filled with what
was predicted for it, bent to meet what came.  Where no gyro measures, a rate is the slope of
reported angles over half a second, and so comes a quarter of a second late; the rest is predicted
(``late_rates``).

Regressors.  x holds means of y over blocks of the last eight seconds, whose widths double after
every sixth, the angle whose rate y is, and 1.

Targets.  t_q(h), at horizons h of 0 to 2 s: the turn of the angle until then, the signal, and its
derivative, the last two in the band that leaves out least for the noise that it lets in: up to 4,
1.6 or 0.35 Hz (``design``).  What lies above is vibration: measured, reported, and kept out.  They
come from symmetric filters, and so 0.6 s late: what is learned and judged is that old.

Predictors, all linear, w_k x:

- hold; the mean; cubics through the last 0.1, 0.4 and 1.4 s;
- Wiener's predictor for a sea whose period is not known, S(w) a mean of spectra
  w^-n exp(-n/4 (w_p/w)^4) over w_p: one of ships, steep, and one of anything.  With G and c the
  covariances of regressors and targets under S and N that of the noise, w = (G + N)^-1 c, for
  several ratios of signal to noise and lengths of the past; the measured ones choose.  They are
  why a motion is followed from its first second on;
- two regressions on the last hundred seconds, w = (A + b G)^-1 (a - o + b G w_0): A and a are sums
  of x x' and x t, o what white noise adds to a where blocks and target overlap, and b how many
  samples' worth of the ship's sea are believed beside them; w_0 is the best of the above.

Noise is measured where it is least above the band: resonators between a sixth and a half of the
sampling rate, on second differences; the third smallest of eight.  Errors are stated by that as
much raised as it lies below their mean after so few swings; predictions are sharper without.

Judging.  For each horizon and target, C is the covariance of the predictors' errors in the last 15
to 30 s, and of the nearest horizons a quarter of those before, for slams and starts (none of the
first 15 s), less the target's own noise; where that leaves the best less than its own noise, all
are raised alike, lest one seems perfect.  Where a motion changes, errors tell it late: a signal
that is said to be further from the cubic of 0.4 s than it ever was errs as far, and none is
answered further from that of 0.1 s, while a gyro's samples come evenly.  The answer is w = sum of
m_k w_k with m = C^-1 1 / (1' C^-1 1), those below zero left out, and regressions far beyond all
that they learned from, unless these err far less than all; a signal that moves by less than its
noise tells is its mean.  It is approached little by little, lest efforts step, unless the last
errs much more.  In the first two seconds that predictor answers which foresaw best a tenth of one
ahead; none goes beyond 1.5 times the largest.

The stated variance is that of the errors which the blend itself made, less the target's own noise,
widened by what that leaves uncertain and by how few they are, by what is not known of the tilt,
and after a pause.  What is kept out is added: from a gyro nobody can tell whether the base or the
sensor's bracket vibrates.  At first it follows from errors a tenth of a second ahead.

Work.  A sample updates sums, and every fifth point a target (``kernels``); normal equations and
weights are solved in slices of some ten microseconds (``regression_kernels``).
"""
