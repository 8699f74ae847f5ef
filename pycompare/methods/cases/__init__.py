"""Cases (items of a test set) as blocks: right or wrong, one by one or in clusters."""
