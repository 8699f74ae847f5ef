"""Many data sets: who wins where, how often, and sign tests of it."""
