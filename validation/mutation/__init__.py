"""Mutation testing: which small faults the tests would catch."""
