# McNemar's tests of pairs, differences of paired proportions with Newcombe's limits
# (Wilson's by prop.test), conditional odds ratios with exact limits (binom.test).
# Needs ranks.R, paired.R, sign.R, mcnemar.R, adjust.R.

# x: cases x algorithms of 0 and 1; p_value as in mcnemar.R; control: name of an
# algorithm, or "" for all pairs. level: of all intervals together (Bonferroni).
mcnemar_pairs_reference <- function(x, p_value, adjust = "none", control = "",
                                    level = 0.95) {
  pairs <- compared_pairs(colnames(x), control)
  each <- 1 - (1 - level) / nrow(pairs)
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    mcnemar_pair(x[, pairs[i, 1]], x[, pairs[i, 2]], p_value, each)
  })
  columns <- as.list(as.data.frame(do.call(rbind, lapply(found, unlist))))
  not_null(c(columns, list(p_adjusted = adjust_tested(columns$p_value, adjust))))
}

mcnemar_pair <- function(one, other, p_value, level) {
  n <- length(one)
  only_1 <- sum(one == 1 & other == 0)
  only_2 <- sum(one == 0 & other == 1)
  test <- mcnemar_reference(only_1, only_2, p_value)
  limits <- newcombe_limits(one, other, level)
  share <- binomial_share(only_1, only_2, "two.sided", level)
  odds <- function(p) if (is.nan(p)) NaN else p / (1 - p)
  list(
    estimate = mean(one) - mean(other),
    std_error = sqrt(sum((one - other - mean(one - other))^2)) / n,
    statistic = (only_1 - only_2) / sqrt(only_1 + only_2),
    p_value = if (only_1 + only_2 == 0) 1 else test$p_value,
    conf_low = limits[1], conf_high = limits[2],
    only_1 = only_1, only_2 = only_2,
    odds_ratio = only_1 / only_2,
    odds_low = odds(share$conf_low), odds_high = odds(share$conf_high)
  )
}

# Newcombe (1998), method 10: squares of the distances to Wilson's limits, with the
# correlation of both columns, its numerator corrected for continuity.
newcombe_limits <- function(one, other, level) {
  n <- length(one)
  wilson <- function(x) {
    suppressWarnings(prop.test(sum(x), n, conf.level = level, correct = FALSE))$conf.int
  }
  w1 <- wilson(one)
  w2 <- wilson(other)
  table <- table(factor(one, 0:1), factor(other, 0:1))
  numerator <- table[2, 2] * table[1, 1] - table[1, 2] * table[2, 1]
  numerator <- if (numerator > 0) max(numerator - n / 2, 0) else numerator
  spread <- sqrt(prod(rowSums(table))) * sqrt(prod(colSums(table)))
  phi <- if (spread == 0) 0 else numerator / spread
  width <- function(u, v) sqrt(max(u^2 - 2 * phi * u * v + v^2, 0))
  d <- mean(one) - mean(other)
  c(
    max(-1, d - width(mean(one) - w1[1], w2[2] - mean(other))),
    min(1, d + width(w1[2] - mean(one), mean(other) - w2[1]))
  )
}
