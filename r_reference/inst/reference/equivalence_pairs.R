# Equivalence and non-inferiority of pairs of algorithms. Needs ranks.R, paired.R,
# paired_t.R, adjust.R, equivalence.R.

# x: complete blocks x algorithms; an infinite margin leaves its test out; rho: n_test /
# n_train of the correction, or 0; overlap: its factor in the variance; control: name of
# an algorithm, or "" for all pairs.
equivalence_pairs_reference <- function(x, margin_low, margin_high, alpha = 0.05,
                                        rho = 0, overlap = 1, adjust = "holm",
                                        control = "") {
  pairs <- compared_pairs(colnames(x), control)
  names <- c("estimate", "std_error", "p_value", "conf_low", "conf_high")
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    both <- x[, pairs[i, ], drop = FALSE]
    each <- alpha / nrow(pairs)
    test <- equivalence_reference(both, margin_low, margin_high, each, rho, overlap)
    unlist(test[names])
  })
  columns <- do.call(rbind, found)
  not_null(c(
    lapply(setNames(nm = names), function(name) columns[, name]),
    list(p_adjusted = adjust_tested(columns[, "p_value"], adjust))
  ))
}
