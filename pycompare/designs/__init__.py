"""From scores and a plan to all results: the kind of blocks, and who decides."""
