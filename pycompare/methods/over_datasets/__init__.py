"""Many data sets: wins, and sign tests of wins."""
