"""Measures of predictions of any size: files, portions, workers."""
