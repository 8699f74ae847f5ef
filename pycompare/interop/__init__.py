"""Other languages: the R code behind a result, and R itself as a witness."""
