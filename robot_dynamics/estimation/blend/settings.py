"""All constants of the blend, each with its unit and what it was chosen by."""

from __future__ import annotations

# --- the grid of instants -----------------------------------------------------------------
STEP = 0.01        # s; finest grid: a period of 0.3 s then has thirty points
LEAD = 0.25        # of a step by which a point may lie past the newest sample: stamps jitter
MAX_GAP = 3.0      # s; what was lost is bridged by a straight line, after more all begins anew
PHASE = 0.05       # s between two that are learned and judged: twenty a second use the noise well

# --- the past that a prediction looks at --------------------------------------------------
SPAN = 8.0         # s: longer did not help seas, shorter costs the second ahead
PER_OCTAVE = 6     # blocks of one width; 4 lose 5 % at 2 s ahead, 8 gain nothing
HORIZONS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)   # s; between them cubics

# --- what is predicted: the motion in a band, (pass, stop) in Hz and half length in s -----
BANDS = ((4.0, 9.0, 0.20), (1.6, 4.0, 0.30), (0.6, 1.8, 0.60))
DETAIL = 1.3       # of the noise: what a narrower band leaves out beyond it counts as motion
LEAKING = 0.1      # of the target's noise reaches the regression: parameters over samples

# --- regression ---------------------------------------------------------------------------
MEMORY = 100.0     # s; 60 cost 3 % on seas, 300 follow a turning ship worse
RIDGES = (1e-7, 1e-3)   # of the scaled covariance: narrow bands need the first, noise the other
MANY = 2.5         # samples for each weight, below which the ridge grows, by the eighth power
FILLED = 0.5       # of the span; before so much of it is filled, nothing is learned

# --- the simple predictors ----------------------------------------------------------------
WINDOWS = (0.1, 0.4, 1.4)   # s, of the polynomials: as rivals use them
DEGREE = 3

# --- judging ------------------------------------------------------------------------------
JUDGED = 15.0      # s of errors at least by which predictors are weighed, twice that at most
YOUNG = 0.3        # of the age: a young filter judges by its last errors
FEWEST = 16.0      # errors, a second's: fewer may all lie where a motion reverses
APART = 0.25       # s between errors that are independent, about, at the shortest horizons
FIRST = 0.45       # s; from then on, until errors are known, the second polynomial, before hold
SHRINK = 0.05      # of each predictor's own variance: blends that agree are not split hairs
HOPELESS = 50.0    # times the best variance; such a predictor is left out
DOUBT = (3.0, 20.0)     # over n and n^3: what n errors tell of their variance (Student's t)
NOISE_MEMORY = 10.0     # s
PROBES = 8         # frequencies at which the noise is measured; a motor hits few of them
QUANTILE = 2       # the third smallest of them is the noise
LARGEST = 1.5      # times the largest that was seen in half a minute: nothing beyond is answered
PEAK_MEMORY = 30.0      # s
SEEN = 2.0         # s; before, there is no largest to go by
BACK = 0.25        # s; instants further before the newest are answered as of it
