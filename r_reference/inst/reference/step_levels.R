# Levels of the steps of a family of pairs, and critical values of z or t. Needs adjust.R.

# p, df: rising p-values and their degrees of freedom, Inf for z.
step_levels_reference <- function(p, df, alpha, of_statistic, all_pairs) {
  m <- length(p)
  left <- m:1
  shaffer <- rep(NaN, m)
  if (all_pairs) {
    counts <- possible_counts(algorithms_of(p))
    shaffer <- vapply(left, function(n) max(counts[counts <= n]), 0)
  }
  divisors <- list(bonferroni = rep(m, m), holm = left, shaffer = shaffer)
  levels <- lapply(divisors, function(divisor) alpha / divisor)
  critical <- lapply(levels, function(level) {
    if (of_statistic) qt(level / 2, df, lower.tail = FALSE) else rep(NaN, m)
  })
  names(levels) <- paste0("level_", names(levels))
  names(critical) <- paste0("critical_", names(critical))
  c(levels, critical)
}
