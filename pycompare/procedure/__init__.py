"""Which methods, in which order: the whole comparison and what is read off it."""
