"""Decisions before a p-value is seen: the plan, its keys and its file."""
