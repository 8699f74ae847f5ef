"""Other languages: the R code behind a result."""
