# Shares on the same cases against a margin: own derivation of Tango's (1998) score
# statistic and of its exact unconditional p-value by Berger and Boos (1994). Needs
# ranks.R, paired.R, adjust.R, superiority.R, cluster_pairs.R, signed_rank_pairs.R.

# x: cases x algorithms of shares of right answers; p_source: "exact", "score" or
# "effective-size"; cluster: number of each case's cluster, or none; runs: answers per
# case; level: that of each interval, NaN for levels that follow from the
# decisions here.
matched_shares_reference <- function(x, margin_low, margin_high, p_source, gamma,
                                     cluster, runs, alpha, adjust = "holm",
                                     control = "", level = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  columns <- as.data.frame(do.call(rbind, lapply(seq_len(nrow(pairs)), function(i) {
    d <- unname(x[, pairs[i, 1]] - x[, pairs[i, 2]])
    counts <- counts_of_differences(d, cluster, runs, p_source)
    share_tests(counts, length(d), margin_low, margin_high, p_source, gamma)
  })))
  p_adjusted <- adjust_tested(columns$p_value, adjust)
  two_sided <- is.finite(margin_low) && is.finite(margin_high)
  last <- if (is.nan(level)) {
    last_step(columns$p_value, p_adjusted, alpha)
  } else {
    (1 - level) / (1 + two_sided)
  }
  limits <- apply(columns, 1, function(row) {
    share_limits(as.list(row), nrow(x), last, margin_low, margin_high)
  })
  not_null(c(as.list(columns), list(
    p_adjusted = p_adjusted, conf_low = limits[1, ], conf_high = limits[2, ]
  )))
}

# Wins and losses, and the number of cases with one answer each that have their variance.
counts_of_differences <- function(d, cluster, runs, p_source) {
  n <- length(d)
  wins <- sum(d[d > 0])
  losses <- -sum(d[d < 0])
  spread <- max(0, (wins + losses) / n - mean(d)^2)
  if (p_source != "effective-size") {
    return(list(wins = wins, losses = losses, size = n, df = Inf, variance = spread / n))
  }
  if (length(cluster) == 0) cluster <- seq_along(d)
  sizes <- as.numeric(table(cluster))
  totals <- as.numeric(tapply(d, cluster, sum))
  df <- cluster_df(sizes)
  variance <- sum((totals - sizes * mean(d))^2 / (1 - sizes / n)) / n^2
  size <- if (variance > 0) spread / variance else length(sizes)
  size <- min(max(size, length(sizes)), n * runs)
  list(wins = wins, losses = losses, size = size, df = df, variance = variance)
}

share_tests <- function(counts, n, margin_low, margin_high, p_source, gamma) {
  f <- counts$size / n
  side <- function(value, sign) {
    if (is.infinite(value)) {
      return(list(z = NaN, p = NaN))
    }
    z <- score_statistic(f * counts$wins, f * counts$losses, counts$size, value)
    p <- switch(p_source,
      exact = if (sign > 0) {
        exact_share_p(counts$wins, counts$losses, n, value, gamma)
      } else {
        exact_share_p(counts$losses, counts$wins, n, -value, gamma)
      },
      score = pnorm(-sign * z),
      pt(-sign * z, counts$df)
    )
    list(z = z, p = p)
  }
  lower <- side(margin_low, 1)
  upper <- side(margin_high, -1)
  decides <- if (is.nan(upper$p) || (!is.nan(lower$p) && lower$p >= upper$p)) {
    lower
  } else {
    upper
  }
  c(
    estimate = (counts$wins - counts$losses) / n, std_error = sqrt(counts$variance),
    statistic = decides$z, df = counts$df, p_lower = lower$p, p_upper = upper$p,
    p_value = decides$p, only_1 = counts$wins, only_2 = counts$losses,
    n_effective = counts$size
  )
}

# Tango's statistic of wins - losses against n times a difference d.
score_statistic <- function(wins, losses, n, d) {
  b <- (2 * n - wins + losses) * d - wins - losses
  root <- sqrt(pmax(b^2 + 8 * n * losses * d * (1 - d), 0))
  # The root of the quadratic equation that does not cancel.
  lost <- ifelse(b <= 0, (root - b) / (4 * n),
    2 * losses * d * (1 - d) / (root + b)
  )
  (wins - losses - n * d) / sqrt(n * (2 * lost + d * (1 - d)))
}

# P(statistic >= observed) if the difference is d: its largest value over the shares of
# discordant cases in their interval of level 1 - gamma, plus gamma.
exact_share_p <- function(wins, losses, n, d, gamma) {
  discordant <- wins + losses
  ends <- c(
    max(abs(d), qbeta(gamma / 2, discordant, n - discordant + 1)),
    qbeta(gamma / 2, discordant + 1, n - discordant, lower.tail = FALSE)
  )
  if (ends[1] > ends[2] && d < 0) {
    return(gamma)
  }
  counts <- 0:n
  observed <- score_statistic(wins, losses, n, d)
  least <- least_wins(counts, n, d, observed - 1e-11 * (1 + abs(observed)))
  tail <- function(share) {
    of_wins <- min(1, max(0, (share + d) / (2 * share)))
    given <- pbinom(least - 1, counts, of_wins, lower.tail = FALSE)
    sum(dbinom(counts, n, share) * given)
  }
  if (ends[1] > ends[2]) { # below d all discordant cases may be wins
    return(min(1, gamma + tail(ends[2])))
  }
  # Even in the angle whose sine squared is the share: steps of few standard errors.
  angles <- seq(asin(sqrt(ends[1])), asin(sqrt(ends[2])), length.out = 120)
  shares <- pmin(pmax(sin(angles)^2, ends[1]), ends[2])
  p <- vapply(shares, tail, 0)
  best <- max(p)
  for (at in order(p, decreasing = TRUE)[1:3]) {
    around <- shares[c(max(at - 1, 1), min(at + 1, length(shares)))]
    best <- max(best, optimize(tail, around, maximum = TRUE, tol = 1e-10)$objective)
  }
  min(1, gamma + best)
}

# The fewest wins, per number of discordant cases, with a statistic of `observed`.
least_wins <- function(counts, n, d, observed) {
  below <- rep(-1, length(counts))
  least <- counts + 1
  while (any(least - below > 1)) {
    middle <- floor((below + least) / 2)
    tried <- pmin(pmax(middle, 0), counts)
    reaches <- score_statistic(tried, counts - tried, n, d) >= observed
    open <- least - below > 1
    least[open & reaches] <- middle[open & reaches]
    below[open & !reaches] <- middle[open & !reaches]
  }
  least
}

# Tango's limits, cut or extended at a margin so that they agree with its test.
share_limits <- function(row, n, last, margin_low, margin_high) {
  f <- row$n_effective / n
  critical <- max(0, qt(last, row$df, lower.tail = FALSE))
  limits <- tango(f * row$only_1, f * row$only_2, row$n_effective, critical)
  low <- agreeing_limit(limits[1], margin_low, row$p_lower <= last, 1)
  high <- agreeing_limit(limits[2], margin_high, row$p_upper <= last, -1)
  c(low, high)
}

agreeing_limit <- function(limit, margin, excludes, inward) {
  if (is.infinite(margin)) {
    return(margin)
  }
  beyond <- inward * (limit - margin) <= 0
  if (excludes && beyond) {
    margin + inward * .Machine$double.neg.eps * abs(margin)
  } else if (!excludes && !beyond) {
    margin
  } else {
    limit
  }
}

# The raw p-value up to which pairs are within their margins; level: that of intervals,
# NaN for what follows from the decisions.
margin_step <- function(p, p_adjusted, alpha, level, margin_low, margin_high) {
  two_sided <- is.finite(margin_low) && is.finite(margin_high)
  if (is.nan(level)) last_step(p, p_adjusted, alpha) else (1 - level) / (1 + two_sided)
}
