# Means and pairs over benchmarks with declared weights: sums over independent strata, own
# derivation in base R. Needs ranks.R, adjust.R, cluster_pairs.R. Second witnesses:
# Welch's t test of two benchmarks, and clubSandwich for the standard error.

# x: cases (or totals of clusters) x algorithms; sizes: cases of each row; stratum: the
# benchmark (1, 2, ...) of each row; weights: of the benchmarks, of sum 1; alpha and level
# as in corrected_pairs.R.
weighted_pairs_reference <- function(x, sizes, stratum, weights, adjust = "none",
                                     control = "", level = 0.95, alpha = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  each <- if (is.nan(alpha)) 1 - (1 - level) / nrow(pairs) else 1 - alpha
  columns <- weighted_columns(
    x[, pairs[, 1], drop = FALSE] - x[, pairs[, 2], drop = FALSE],
    sizes, stratum, weights, each
  )
  of_pairs(with_decisions(columns, adjust, alpha, level), pairs, colnames(x))
}

# The weighted mean of each algorithm, with its own interval, and the means on each
# benchmark, one after the other. shares: cut at 0 and 1.
weighted_means_reference <- function(x, sizes, stratum, weights, level = 0.95,
                                     shares = FALSE) {
  columns <- weighted_columns(x, sizes, stratum, weights, level)
  low <- if (shares) pmax(columns$conf_low, 0) else columns$conf_low
  high <- if (shares) pmin(columns$conf_high, 1) else columns$conf_high
  none <- columns$std_error == 0
  list(
    estimate = columns$estimate, std_error = columns$std_error, df = columns$df,
    conf_low = replace(low, none, NaN), conf_high = replace(high, none, NaN),
    on_each_estimate = as.vector(
      t(rowsum(x, stratum) / as.vector(rowsum(sizes, stratum)))
    )
  )
}

weighted_columns <- function(x, sizes, stratum, weights, level) {
  found <- apply(x, 2, weighted_mean, sizes, stratum, weights, level, simplify = FALSE)
  as.list(as.data.frame(do.call(rbind, lapply(found, unlist))))
}

# sum w_k m_k with the variance sum w_k^2 v_k, and Welch and Satterthwaite's df.
weighted_mean <- function(totals, sizes, stratum, weights, level) {
  parts <- lapply(seq_along(weights), function(k) {
    own <- stratum == k
    df <- cluster_df(sizes[own])
    part <- cluster_mean(totals[own], sizes[own], df, level)
    c(mean = part$estimate, error = part$std_error, df = df, n = sum(sizes[own]))
  })
  parts <- as.data.frame(do.call(rbind, parts))
  own <- weights^2 * parts$error^2
  mean <- sum(weights * parts$mean)
  error <- sqrt(sum(own))
  df <- if (error > 0) sum(own)^2 / sum(own^2 / parts$df) else min(parts$df)
  t <- mean / error
  half <- if (error > 0) qt((1 - level) / 2, df, lower.tail = FALSE) * error else NaN
  list(
    estimate = mean, std_error = error, statistic = t, df = df,
    p_value = t_or_bound(t, df, totals * (weights / parts$n)[stratum]),
    conf_low = mean - half, conf_high = mean + half
  )
}

# Two benchmarks of independent cases: Welch's test of w_1 d_1 against -w_2 d_2.
weighted_pairs_welch <- function(x, stratum, weights) {
  pairs <- all_pairs(ncol(x))
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    d <- (x[, pairs[i, 1]] - x[, pairs[i, 2]]) * weights[stratum]
    test <- t.test(d[stratum == 1], -d[stratum == 2])
    c(
      estimate = unname(test$estimate[1] - test$estimate[2]), std_error = test$stderr,
      statistic = unname(test$statistic), df = unname(test$parameter),
      p_value = test$p.value
    )
  })
  as.list(as.data.frame(do.call(rbind, found)))
}

# clubSandwich, case by case: benchmarks are the columns of one linear model.
weighted_pairs_clubsandwich <- function(x, cluster, stratum, weights) {
  pairs <- all_pairs(ncol(x))
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    cases <- data.frame(d = x[, pairs[i, 1]] - x[, pairs[i, 2]], k = factor(stratum))
    fit <- lm(d ~ 0 + k, cases)
    v <- as.matrix(clubSandwich::vcovCR(fit, cluster = cluster, type = "CR2"))
    c(
      estimate = sum(weights * coef(fit)),
      std_error = sqrt(drop(weights %*% v %*% weights))
    )
  })
  as.list(as.data.frame(do.call(rbind, found)))
}
