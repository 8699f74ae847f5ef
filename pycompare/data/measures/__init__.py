"""Measures of two-class predictions: from scores of cases to scores of algorithms."""
