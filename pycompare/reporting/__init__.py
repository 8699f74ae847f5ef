"""Reports: read results, compute nothing; rounding lives here and nowhere else."""
