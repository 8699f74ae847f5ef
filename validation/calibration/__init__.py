"""Calibration: p-values where the null hypothesis holds, coverage of intervals."""
