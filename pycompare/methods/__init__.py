"""Room methods: see docs/code.md."""
