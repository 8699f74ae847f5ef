"""Results to documents: one file or folder an analysis."""
