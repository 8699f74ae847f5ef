"""Shared parts of results: schema, families of tests, guarantees, estimands."""
