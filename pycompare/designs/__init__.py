"""From scores and a plan to all results: a file an analysis."""
