"""Arrays in, arrays out: NumPy and SciPy only; all broadcast over leading axes."""
