"""Side-by-side measurements: each compares alternatives within one run and prints ratios."""
