"""Published comparisons, recomputed from their own data."""
