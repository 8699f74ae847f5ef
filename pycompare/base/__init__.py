"""Room base: see docs/code.md."""
