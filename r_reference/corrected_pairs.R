# Corrected resampled t tests of pairs, each over the blocks that both algorithms have.
# Needs ranks.R, paired.R, paired_t.R, adjust.R.

# x: blocks x algorithms, NA where missing; rho: n_test / n_train.
# control: name of an algorithm, or "" for all pairs.
corrected_pairs_reference <- function(x, rho, adjust = "none", control = "",
                                      level = 0.95) {
  pairs <- compared_pairs(colnames(x), control)
  each <- 1 - (1 - level) / nrow(pairs)
  names <- c(
    "estimate", "std_error", "statistic", "df", "p_value", "conf_low", "conf_high"
  )
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    both <- x[, pairs[i, ], drop = FALSE]
    both <- both[stats::complete.cases(both), , drop = FALSE]
    if (nrow(both) < 2) {
      return(setNames(rep(NaN, length(names)), names))
    }
    unlist(paired_t_reference(both, "two.sided", each, rho))[names]
  })
  columns <- do.call(rbind, found)
  not_null(c(
    lapply(setNames(nm = names), function(name) columns[, name]),
    list(p_adjusted = adjust_tested(columns[, "p_value"], adjust))
  ))
}
