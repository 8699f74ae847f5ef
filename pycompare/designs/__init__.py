"""From scores and a plan to all results: what blocks are, and who decides."""
