"""Constants of the prediction, each with its unit and what it was chosen by."""

# --- the grid of instants -----------------------------------------------------------------
STEP = 0.01        # s; finest grid: a period of 0.3 s then has thirty points
# s; a sensor's nearest is taken: what a grid needs is worked out before samples come
STEPS = (STEP, *(1.0 / rate for rate in (80, 60, 50, 40, 30, 25, 20, 15, 10, 5, 2, 1)))
LEAD = 0.25        # of a step by which a point may lie past the newest sample: stamps jitter
MAX_GAP = 3.0      # s; shorter pauses are bridged by what was predicted, longer begin anew
PHASE = 0.05       # s between two that are learned and judged: twenty a second use the noise well

# --- rates where there is no gyro ---------------------------------------------------------
SLOPE = 0.5        # s of reported angles, whose slope is the rate in their middle
SLOPE_NOISE = 3.0  # rad/s; where the noise of slopes, which grows with frequency, is judged
SLOPED = 5         # reports at least

# --- the past that a prediction looks at --------------------------------------------------
SPAN = 8.0         # s: longer did not help seas, shorter costs the second ahead
PER_OCTAVE = 6     # blocks of one width; 4 lose 5 % at 2 s ahead, 8 gain nothing
HORIZONS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)   # s; between them cubics

# --- what is predicted: the motion in a band, (pass, stop) in Hz and half length in s -----
BANDS = ((4.0, 9.0, 0.35), (1.6, 4.0, 0.6), (0.35, 1.6, 0.6))
STOPPED = 0.05     # an error at the stop, beside one in the band, of a derivative as it grows
DETAIL = 0.3       # of the noise: what a narrower band leaves out so far beyond it is motion
BAND_AFTER = 5     # targets, by which the band is first chosen
LEAKING = 0.1      # of the target's noise reaches the regression: parameters over samples

# --- regression, and the simple predictors -------------------------------------------------
MEMORY = 100.0     # s; 60 cost 3 % on seas, 300 follow a turning ship worse
RIDGE = 1e-9       # of the scaled covariance: rounding
BELIEVED = (0.001, 10.0)  # samples' worth of typical seas; first 0.1 costs 15 % on a USV
MANY, FADING = 2.5, 8.0  # samples for each weight, before which seas count for more; exponent
SOLVED = 20.0      # samples, from which on it is solved
FILLED = 0.5       # of the span; before so much of it is filled, nothing is learned
WINDOWS = (0.1, 0.4, 1.4)   # s, of the polynomials: as rivals use them
DEGREE = 3

# --- the predictors that know seas of any period -------------------------------------------
# periods of the spectra's peaks, s, and how their tails fall: of an acceleration, of a rate
SEAS = ((6.0, 18.0, 5.0, 13.0), (2.0, 12.0, 3.5, 6.0))
HEEL = 1.0         # times the variance of the angle: that of its mean
AGES = (0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # s of the past that there are
RATIOS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)  # standard deviations

# --- judging ------------------------------------------------------------------------------
JUDGED = 15.0      # s of errors at least by which predictors are weighed, twice that at most
YOUNG = 0.15       # of the age: a young filter judges by its last errors
LASTING = 0.25     # of what was judged before a stretch: it remembers slams and starts
GROWN = 4.0        # s; a filter that is younger does not believe that a base stands still
NEAR = 0.25        # s; horizons for which what was foreseen a tenth of a second ahead speaks
EARLY = 6.0        # errors a tenth of a second ahead, after which they choose in a young filter
MISSED = 0.4       # of an error a tenth of a second ahead, over that: about the derivative's now
UNSEEN = 0.1       # rad/s^2 or m/s^3, error of the derivative before any slope was seen
BETTER = 0.5       # of the squared errors of the predictor of any sea; only so another is chosen
FEWEST = 16.0      # errors, a second's: fewer may all lie where a motion reverses
APART = 2.0        # s between errors by a motion that are independent, about
WIDE = 2.0         # over their number and one: as much wider is the variance of so few
ALIKE = 4.0        # twice the errors in a row whose target's noise is the same
REST, ALONE = 4.0, 1.5  # times its doubt, and the best's error, below which the mean is alone
SHRINK = 0.05      # of each predictor's own variance: blends that agree are not split hairs
PASSING, APART_BY = 0.2, 1.3  # of the way to new weights; all of it, if the last ones err so more
SHORT, FRESH, FAR = 2, 3, 4.0  # cubics of 0.1 and 0.4 s; times the usual RMS from them is too far
STEADY = 0.9       # of a grid's points are samples; with fewer a cubic of 0.1 s tells nothing
UNKNOWN = 6.0      # times the RMS that a regression learned from; with larger ones it is left out
SHOWN = 0.2        # of the best other variance, below which it is not
HOPELESS = 50.0    # times the best variance; such a predictor is left out
NOISE_MEMORY = 10.0     # s
SETTLING = 2.0     # 1 were the mean: what measures a rate may change in its first samples
# of a second difference across guessed points: all is no noise, with none gaps are too sure
SEAM = 0.14
EXACT = 1e-8       # of the largest, squared: no signal is taken for truer
CLEAR = 2.0        # times the noise: what exceeds it above a band is motion that is left out
PROBES = 8         # frequencies at which the noise is measured; a motor hits few of them
QUANTILE = 2       # the third smallest of them is the noise
LOW, SWINGS = 0.5, 0.21  # deviations by which that is below their mean; s, half their memory
LARGEST = 1.5      # times the largest that was seen in half a minute: nothing beyond is answered
PEAK_MEMORY = 30.0      # s
SEEN = 2.0         # s; before, there is no largest to go by
BACK = 0.25        # s; instants further before the newest are answered as of it
