"""Linear models: one design, any number of responses."""
