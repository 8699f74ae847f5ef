"""Comparisons of two algorithms on common blocks."""
