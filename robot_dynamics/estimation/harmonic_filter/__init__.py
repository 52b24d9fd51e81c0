"""The adaptive estimator's filter: oscillators whose powers are learned from the samples."""
