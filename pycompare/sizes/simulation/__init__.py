"""Simulation studies of tests on known truth: level, power, published comparisons.

``engine`` runs any study in seeded chunks; ``studies`` lists them by name.
"""
