# Corrected resampled t tests of pairs, each over the blocks that both algorithms have.
# Needs ranks.R, paired.R, paired_t.R, adjust.R.

# x: blocks x algorithms, NA where missing; rho: n_test / n_train.
# control: name of an algorithm, or "" for all pairs.
corrected_pairs_reference <- function(x, rho, adjust = "none", control = "",
                                      level = 0.95) {
  at <- match(control, colnames(x))
  pairs <- if (is.na(at)) {
    all_pairs(ncol(x))
  } else {
    cbind(setdiff(seq_len(ncol(x)), at), at)
  }
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
  p <- columns[, "p_value"]
  # A pair without any difference is no evidence, and still one of the family.
  adjusted <- adjust_reference(ifelse(is.na(p), 1, p), adjust)$p_adjusted
  if (!is.null(adjusted)) {
    adjusted[is.na(p)] <- NaN
  }
  not_null(c(
    lapply(setNames(nm = names), function(name) columns[, name]),
    list(p_adjusted = adjusted)
  ))
}
