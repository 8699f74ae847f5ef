# The mean of each algorithm on each group of cases, group after group, in base R.

# x: cases x algorithms; stratum: the group (1, 2, ...) of each case.
group_means_reference <- function(x, stratum) {
  sizes <- as.vector(table(factor(stratum, levels = sort(unique(stratum)))))
  list(estimate = as.vector(t(rowsum(x, stratum) / sizes)))
}
