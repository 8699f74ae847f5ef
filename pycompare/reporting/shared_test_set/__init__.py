"""Training sets that share one test set on a page."""
