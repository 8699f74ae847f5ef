"""Posterior distributions of differences between algorithms."""
