# Paired t tests of pairs, each over the blocks that both algorithms have, and the same
# corrected for shared training data.
# Needs ranks.R, paired.R, paired_t.R, adjust.R.

# x: blocks x algorithms, NA if missing; rho: n_test / n_train, 0 for the
# plain test; overlap: its factor in the variance.
# control: name of an algorithm, or "" for all pairs.
# alpha: of decisions with which no interval disagrees, with level as in adjust.R; NaN:
# intervals hold together with level (Bonferroni).
corrected_pairs_reference <- function(x, rho, adjust = "none", control = "",
                                      level = 0.95, overlap = 1, alpha = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  each <- if (is.nan(alpha)) 1 - (1 - level) / nrow(pairs) else 1 - alpha
  names <- c(
    "estimate", "std_error", "statistic", "df", "p_value", "conf_low", "conf_high"
  )
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    both <- x[, pairs[i, ], drop = FALSE]
    both <- both[stats::complete.cases(both), , drop = FALSE]
    if (nrow(both) < 2) {
      return(setNames(rep(NaN, length(names)), names))
    }
    unlist(paired_t_reference(both, "two.sided", each, rho, overlap))[names]
  })
  columns <- do.call(rbind, found)
  columns <- lapply(setNames(nm = names), function(name) columns[, name])
  of_pairs(with_decisions(columns, adjust, alpha, level), pairs, colnames(x))
}

# Second witness of complete tables without a correction; its adjustment is p.adjust.
pairwise_paired_reference <- function(x, adjust) {
  cells <- data.frame(score = as.vector(x), algorithm = as.vector(col(x)))
  test <- pairwise.t.test(cells$score, cells$algorithm, adjust, paired = TRUE)
  # Below the diagonal column by column: (2,1), (3,1), ..., (3,2), ...
  list(p_adjusted = test$p.value[lower.tri(test$p.value, diag = TRUE)])
}
