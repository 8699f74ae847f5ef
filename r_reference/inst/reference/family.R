# One family of hypotheses over several tables (metrics, groups of data sets). Needs
# adjust.R.

# p: raw p-values of all tables, one after the other; NaN: could not be tested, counts
# as 1 and stays NaN. adjust: names of adjustments for any family.
# Gives a list of vectors of adjusted p-values, p_<name>.
family_reference <- function(p, adjust) {
  made <- lapply(adjust, function(name) adjust_tested(p, name))
  setNames(made, paste0("p_", adjust))
}
