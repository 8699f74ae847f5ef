# Equivalence and non-inferiority of pairs of algorithms. Needs ranks.R, paired.R,
# paired_t.R, adjust.R, equivalence.R, signed_rank_pairs.R, matched_shares.R.

# x: complete blocks x algorithms; an infinite margin leaves its test out; rho: n_test /
# n_train of the correction, or 0; overlap: its factor in the variance; control: name of
# an algorithm, or "" for all pairs; level: that of each interval, NaN for what follows
# from the decisions here.
equivalence_pairs_reference <- function(x, margin_low, margin_high, alpha = 0.05,
                                        rho = 0, overlap = 1, adjust = "holm",
                                        control = "", level = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  each <- function(at) {
    lapply(seq_len(nrow(pairs)), function(i) {
      both <- x[, pairs[i, ], drop = FALSE]
      equivalence_reference(both, margin_low, margin_high, at, rho, overlap)
    })
  }
  tests <- each(0.05)
  column <- function(tests, name) {
    vapply(tests, function(one) if (is.null(one[[name]])) NaN else one[[name]], 0)
  }
  p <- column(tests, "p_value")
  p_lower <- column(tests, "lower_p_value")
  p_upper <- column(tests, "upper_p_value")
  p_adjusted <- adjust_tested(p, adjust)
  last <- margin_step(p, p_adjusted, alpha, level, margin_low, margin_high)
  limited <- each(last)
  limit <- function(i, margin, name, p, sign) {
    found <- limited[[i]][[name]]
    if (is.finite(margin) && is.nan(p[i])) {
      return(NaN)
    }
    agreeing_limit(found, margin, p[i] <= last, sign)
  }
  places <- seq_along(p)
  not_null(list(
    estimate = column(tests, "estimate"), std_error = column(tests, "std_error"),
    statistic = column(tests, "statistic"), df = column(tests, "df"),
    p_lower = p_lower, p_upper = p_upper, p_value = p, p_adjusted = p_adjusted,
    conf_low = vapply(places, limit, 0, margin_low, "conf_low", p_lower, 1),
    conf_high = vapply(places, limit, 0, margin_high, "conf_high", p_upper, -1)
  ))
}
