"""Room apps: see docs/code.md."""
