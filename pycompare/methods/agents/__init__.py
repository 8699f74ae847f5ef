"""Runs of agents (trained programs) on fixed tasks: aggregates over tasks and runs."""
