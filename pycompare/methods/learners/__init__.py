"""Error of one learner by cross-validation, with intervals."""
