# Equivalence and non-inferiority of pairs of algorithms. Needs ranks.R, paired.R,
# paired_t.R, adjust.R, equivalence.R.

# x: complete blocks x algorithms; an infinite margin leaves its test out; rho: n_test /
# n_train of the correction, or 0; control: name of an algorithm, or "" for all pairs.
equivalence_pairs_reference <- function(x, margin_low, margin_high, alpha = 0.05,
                                        rho = 0, adjust = "holm", control = "") {
  at <- match(control, colnames(x))
  pairs <- if (is.na(at)) {
    all_pairs(ncol(x))
  } else {
    cbind(setdiff(seq_len(ncol(x)), at), at)
  }
  names <- c("estimate", "std_error", "p_value", "conf_low", "conf_high")
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    both <- x[, pairs[i, ], drop = FALSE]
    each <- alpha / nrow(pairs)
    unlist(equivalence_reference(both, margin_low, margin_high, each, rho)[names])
  })
  columns <- do.call(rbind, found)
  p <- columns[, "p_value"]
  # A pair that cannot be tested is no evidence, and still one of the family.
  adjusted <- adjust_reference(ifelse(is.na(p), 1, p), adjust)$p_adjusted
  if (!is.null(adjusted)) {
    adjusted[is.na(p)] <- NaN
  }
  not_null(c(
    lapply(setNames(nm = names), function(name) columns[, name]),
    list(p_adjusted = adjusted)
  ))
}
