# Typical differences of pairs against a margin: one-sided signed rank tests of the
# differences minus the margin, by wilcox.test, with ties by coin. Needs ranks.R,
# paired.R, wilcoxon.R, adjust.R, signed_rank_pairs.R, matched_shares.R.

# x: blocks x algorithms, NA if missing; level: that of each interval, NaN for what
# follows from the decisions here.
signed_rank_margins_reference <- function(x, margin_low, margin_high, alpha,
                                          adjust = "holm", control = "", level = NaN,
                                          scale = "difference") {
  x <- on_scale(x, scale)
  on_tests <- function(margin) {
    if (scale == "ratio" && is.finite(margin)) log(margin) else margin
  }
  pairs <- compared_pairs(colnames(x), control)
  both <- lapply(seq_len(nrow(pairs)), function(i) {
    shared <- x[, pairs[i, ], drop = FALSE]
    shared[stats::complete.cases(shared), , drop = FALSE]
  })
  differences <- lapply(both, pair_differences)
  untested <- lengths(differences) == 0
  estimate <- vapply(differences, function(d) {
    if (length(d) == 0) NaN else walsh_interval(d, "two.sided", 0.5)$estimate
  }, 0)
  side <- function(i, margin, sign) {
    if (is.infinite(margin) || untested[i]) {
      return(c(NaN, NaN))
    }
    noise <- pmax(pair_noise(both[[i]]), abs(margin))
    d <- sign * (differences[[i]] - margin)
    d[abs(d) <= tie_width * noise] <- 0
    ranks <- signed_midranks(d, noise, "wilcox")
    p <- if (length(ranks) == 0 || sign * (estimate[i] - margin) <= 0) {
      1
    } else {
      exact_signed_rank_p(ranks, "greater", "wilcox")
    }
    c(sum(ranks), p)
  }
  places <- seq_along(both)
  lower <- vapply(places, side, c(0, 0), on_tests(margin_low), 1)
  upper <- vapply(places, side, c(0, 0), on_tests(margin_high), -1)
  p_lower <- lower[2, ]
  p_upper <- upper[2, ]
  p <- pmax(p_lower, p_upper, na.rm = TRUE)
  first <- is.nan(p_upper) | (!is.nan(p_lower) & p_lower >= p_upper)
  p_adjusted <- adjust_tested(p, adjust)
  last <- margin_step(p, p_adjusted, alpha, level, margin_low, margin_high)
  limit <- function(i, margin, p, sign) {
    if (is.infinite(margin)) {
      return(margin)
    }
    if (untested[i]) {
      return(NaN)
    }
    d <- differences[[i]]
    found <- if (0.5^length(d) > last) {
      -sign * Inf
    } else if (sign > 0) {
      walsh_interval(d, "greater", 1 - last)$conf_low
    } else {
      walsh_interval(d, "less", 1 - last)$conf_high
    }
    agreeing_limit(from_scale(found, scale), margin, p[i] <= last, sign)
  }
  nothing <- rep(NaN, length(p))
  conf_low <- vapply(places, limit, 0, margin_low, p_lower, 1)
  if (scale == "ratio") conf_low <- pmax(conf_low, 0)
  not_null(list(
    estimate = from_scale(estimate, scale), std_error = nothing,
    statistic = ifelse(first, lower[1, ], upper[1, ]), df = nothing,
    p_lower = p_lower, p_upper = p_upper, p_value = p, p_adjusted = p_adjusted,
    conf_low = conf_low,
    conf_high = vapply(places, limit, 0, margin_high, p_upper, -1)
  ))
}
