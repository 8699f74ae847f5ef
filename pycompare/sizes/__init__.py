"""Power and sample size of planned comparisons, by formula and by simulation."""
