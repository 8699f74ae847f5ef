"""Work on several processes or machines, its progress, and what of it is kept."""
