# Shares of right answers to the same cases, all pairs: score tests of equal shares, and
# their exact unconditional p-values. Needs ranks.R, paired.R, adjust.R, superiority.R,
# cluster_pairs.R, wilcoxon.R, signed_rank_pairs.R, matched_shares.R.

# Arguments as in matched_shares.R.
share_pairs_reference <- function(x, p_source, cluster, runs, alpha,
                                  adjust = "holm", control = "", level = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  columns <- as.data.frame(do.call(rbind, lapply(seq_len(nrow(pairs)), function(i) {
    d <- unname(x[, pairs[i, 1]] - x[, pairs[i, 2]])
    share_test(counts_of_differences(d, cluster, runs, p_source), length(d), p_source)
  })))
  p_adjusted <- adjust_tested(columns$p_value, adjust)
  last <- if (is.nan(level)) last_step(columns$p_value, p_adjusted, alpha) else 1 - level
  decided <- if (is.nan(level)) p_adjusted <= alpha else columns$p_value <= last
  limits <- vapply(seq_len(nrow(columns)), function(i) {
    row <- as.list(columns[i, ])
    f <- row$n_effective / nrow(x)
    critical <- qt(last / 2, row$df, lower.tail = FALSE)
    found <- tango(f * row$only_1, f * row$only_2, row$n_effective, critical)
    agreeing_with_0(found, row$estimate, decided[i])
  }, c(0, 0))
  columns <- not_null(c(as.list(columns), list(
    p_adjusted = p_adjusted, conf_low = limits[1, ], conf_high = limits[2, ]
  )))
  of_pairs(columns, pairs, colnames(x))
}

share_test <- function(counts, n, p_source) {
  discordant <- counts$wins + counts$losses
  f <- counts$size / n
  z <- if (discordant == 0) 0 else (counts$wins - counts$losses) * sqrt(f / discordant)
  p <- switch(p_source,
    exact = exact_two_sided_p(counts$wins, counts$losses, n),
    score = if (discordant == 0) 1 else {
      table <- matrix(c(0, counts$losses, counts$wins, 0), 2)
      mcnemar.test(table, correct = FALSE)$p.value
    },
    min(1, 2 * pt(-abs(z), counts$df))
  )
  c(
    estimate = (counts$wins - counts$losses) / n, std_error = sqrt(counts$variance),
    statistic = z, df = counts$df, p_value = p, only_1 = counts$wins,
    only_2 = counts$losses, n_effective = counts$size
  )
}

# P(|wins - losses| / sqrt(discordant) >= observed): its largest value over all shares of
# discordant cases (Suissa and Shuster 1991).
exact_two_sided_p <- function(wins, losses, n) {
  discordant <- wins + losses
  if (discordant == 0) {
    return(1)
  }
  counts <- 0:n
  observed <- abs(wins - losses) / sqrt(discordant)
  least <- ceiling((counts + observed * sqrt(counts)) / 2 - 1e-9)
  given <- 2 * pbinom(least - 1, counts, 0.5, lower.tail = FALSE)
  given <- if (observed == 0) rep(1, n + 1) else pmin(1, ifelse(counts == 0, 0, given))
  tail <- function(share) sum(dbinom(counts, n, share) * given)
  shares <- sin(seq(0, pi / 2, length.out = ceiling(20 * sqrt(n))))^2
  p <- vapply(shares, tail, 0)
  best <- max(p)
  for (at in order(p, decreasing = TRUE)[1:3]) {
    around <- shares[c(max(at - 1, 1), min(at + 1, length(shares)))]
    best <- max(best, optimize(tail, around, maximum = TRUE, tol = 1e-10)$objective)
  }
  min(1, best)
}
