"""
How a ship moves: spectra and response operators, and regular, irregular and recorded motion.

Motion here is a pure function of configuration and time, with exact derivatives at any point of
the deck.  No sensor, no filter and no robot is known here.
"""
