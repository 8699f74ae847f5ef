"""Results to documents: facts first, worded in one place."""
