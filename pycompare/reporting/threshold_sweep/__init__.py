"""Predictions at several thresholds as a page tells them."""
