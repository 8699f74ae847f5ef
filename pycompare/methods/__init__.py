"""Statistical methods: arrays and scores in, results out; one method per file."""
