"""Data from known models, for studies of level, coverage and power."""
