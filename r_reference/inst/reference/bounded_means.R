# Means of scores with a known range against a margin: own derivation of Gaffke's (2005)
# p-value by inversion of a moment generating function. Needs ranks.R, paired.R, adjust.R,
# signed_rank_pairs.R, matched_shares.R.

# x: units x algorithms, totals of `sizes` cases; width: of the range of the scores;
# level: that of each interval, NaN for levels that follow from the decisions
# here.
bounded_means_reference <- function(x, sizes, width, margin_low, margin_high, alpha,
                                    adjust = "holm", control = "", level = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  differences <- lapply(seq_len(nrow(pairs)), function(i) {
    unname(x[, pairs[i, 1]] - x[, pairs[i, 2]]) / sizes
  })
  side <- function(value, sign) {
    if (is.infinite(value)) {
      return(rep(NaN, length(differences)))
    }
    vapply(differences, function(d) bounded_p(sign * d, sign * value, width), 0)
  }
  p_lower <- side(margin_low, 1)
  p_upper <- side(margin_high, -1)
  p <- pmax(p_lower, p_upper, na.rm = TRUE)
  p_adjusted <- adjust_tested(p, adjust)
  last <- margin_step(p, p_adjusted, alpha, level, margin_low, margin_high)
  limit <- function(i, margin, p, sign) {
    if (is.infinite(margin)) {
      return(margin)
    }
    found <- sign * bounded_limit(sign * differences[[i]], width, last)
    agreeing_limit(found, margin, p[i] <= last, sign)
  }
  nothing <- rep(NaN, length(p))
  places <- seq_along(p)
  not_null(list(
    estimate = vapply(differences, mean, 0), std_error = nothing, statistic = nothing,
    df = nothing, p_lower = p_lower, p_upper = p_upper, p_value = p,
    p_adjusted = p_adjusted,
    conf_low = vapply(places, limit, 0, margin_low, p_lower, 1),
    conf_high = vapply(places, limit, 0, margin_high, p_upper, -1)
  ))
}

# P(sum of E_j g_j <= 0) with exponential E_j, g = d - value and the lowest g once more.
bounded_p <- function(d, value, width) {
  g <- c(d - value, -width - value)
  g <- g[g != 0] / max(abs(g))
  if (all(g < 0)) {
    1
  } else if (all(g > 0)) {
    0
  } else if (sum(g) > 0) {
    sum_below_0(g)
  } else {
    1 - sum_below_0(-g)
  }
}

# The moment generating function, inverted along the line through its saddle point, if
# it does not oscillate. Even steps of u with t = sinh(u).
sum_below_0 <- function(g) {
  log_height <- function(c) -sum(log1p(-c * g)) - log(-c)
  ends <- c(1 / min(g), 0)
  c <- optimize(log_height, ends + c(1, -1) * 1e-12 * diff(ends), tol = 1e-12)$minimum
  scale <- 1 / sqrt(sum((g / (1 - c * g))^2) + 1 / c^2)
  step <- 0.05
  u <- seq(0, 38, by = step)
  s <- c + 1i * scale * sinh(u)
  heights <- -log(-s) - vapply(s, function(at) sum(log(1 - at * g)), 0i)
  terms <- Re(exp(heights - log_height(c))) * cosh(u)
  exp(log_height(c)) * scale * step * (sum(terms) - terms[1] / 2) / pi
}

bounded_limit <- function(d, width, alpha) {
  gap <- function(value) log(max(bounded_p(d, value, width), 1e-300)) - log(alpha)
  uniroot(gap, c(-width, mean(d)), tol = 1e-14)$root
}
