"""General linear models by formula: any factors and covariates, error strata."""
