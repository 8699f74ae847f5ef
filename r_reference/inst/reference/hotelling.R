# Hotelling's T2 by mahalanobis(): paired, two samples with one or two covariance
# matrices, contrasts of a model. Needs responses.R; for many pairs adjust.R.

# One pair. y: one row per cell, one column per metric, its row names the blocks;
# algorithm, dataset: one entry per row; kept: one row of 1 for the metrics that count,
# else 0.
hotelling_reference <- function(y, algorithm, dataset, first, second, kept, method,
                                level = 0.95) {
  found <- hotelling_pair(y, algorithm, dataset, first, second, kept[1, ], method)
  t_half <- qt((1 - level) / (2 * ncol(y)), found$metric_df, lower.tail = FALSE)
  half <- sqrt(t2_limit(found, 1 - level))
  error <- ifelse(found$std_error > 0, found$std_error, NaN)
  shift <- noncentral_f_limits(found, level) * found$variance
  list(
    t2 = found$t2, statistic = found$statistic, df = c(found$df1, found$df2),
    p_value = found$p_value, distance = found$distance,
    distance_low = sqrt(shift[1]), distance_high = sqrt(shift[2]),
    estimate = found$estimate, std_error = found$std_error,
    conf_low = found$estimate - half * error, conf_high = found$estimate + half * error,
    bonferroni_low = found$estimate - t_half * error,
    bonferroni_high = found$estimate + t_half * error,
    direction = found$direction, standardised = found$direction * found$deviation,
    covariance = as.vector(found$covariance)
  )
}

# Many pairs; first, second: names of algorithms; kept: one row per pair.
hotelling_pairs_reference <- function(y, algorithm, dataset, first, second, kept, method,
                                      adjust = "none", level = 0.95) {
  found <- lapply(seq_along(first), function(i) {
    hotelling_pair(y, algorithm, dataset, first[i], second[i], kept[i, ], method)
  })
  column <- function(name) vapply(found, function(one) one[[name]], 0)
  rows <- function(name) do.call(rbind, lapply(found, function(one) one[[name]]))
  half <- vapply(found, function(one) sqrt(t2_limit(one, (1 - level) / length(first))), 0)
  error <- ifelse(rows("std_error") > 0, rows("std_error"), NaN)
  p <- column("p_value")
  not_null(list(
    t2 = column("t2"), statistic = column("statistic"), df1 = column("df1"),
    df2 = column("df2"), p_value = p, p_adjusted = adjust_tested(p, adjust),
    distance = column("distance"), estimate = rows("estimate"),
    std_error = rows("std_error"), conf_low = rows("estimate") - half * error,
    conf_high = rows("estimate") + half * error, directions = rows("direction"),
    standardised = rows("direction") * rows("deviation")
  ))
}

# Difference d of means, covariance s of error on df, and d's variance for s = 1.
hotelling_pair <- function(y, algorithm, dataset, first, second, kept, method) {
  y <- as.matrix(y)
  found <- switch(method,
    paired = paired_difference(y, algorithm, first, second),
    contrast = contrast_difference(y, algorithm, dataset, first, second),
    sample_difference(y, algorithm, first, second, method == "two-sample")
  )
  kept <- which(as.vector(unlist(kept)) == 1)
  deviation <- sqrt(diag(found$s))
  std_error <- sqrt(diag(found$s) * found$variance)
  result <- list(
    estimate = found$d, std_error = std_error, deviation = deviation,
    metric_df = found$metric_df, variance = found$variance, covariance = found$s
  )
  c(result, t2_of(found, kept, deviation))
}

t2_of <- function(found, kept, deviation) {
  direction <- 0 * found$d
  if (length(kept) == 0) {
    return(list(
      t2 = NaN, statistic = NaN, df1 = NaN, df2 = NaN, p_value = NaN, distance = NaN,
      direction = direction + NaN
    ))
  }
  # In units of the deviations: solve() would call others singular.
  scale <- deviation[kept]
  s <- found$s[kept, kept, drop = FALSE] / outer(scale, scale)
  d <- found$d[kept] / scale
  distance2 <- unname(mahalanobis(d, 0 * d, s))
  direction[kept] <- solve(s, d) / scale
  df1 <- length(kept)
  df <- if (is.null(found$parts)) found$df else welch_degrees(found, kept, scale)
  df2 <- df - df1 + 1
  t2 <- distance2 / found$variance
  f <- t2 * df2 / (df * df1)
  list(
    t2 = t2, statistic = f, df1 = df1, df2 = df2,
    p_value = pf(f, df1, df2, lower.tail = FALSE), distance = sqrt(distance2),
    direction = direction
  )
}

paired_difference <- function(y, algorithm, first, second) {
  one <- y[algorithm == first, , drop = FALSE]
  two <- y[algorithm == second, , drop = FALSE]
  common <- intersect(rownames(one), rownames(two))
  d <- unname(one[common, , drop = FALSE] - two[common, , drop = FALSE])
  list(
    d = colMeans(d), s = cov(d), df = nrow(d) - 1, variance = 1 / nrow(d),
    metric_df = rep(nrow(d) - 1, ncol(d))
  )
}

sample_difference <- function(y, algorithm, first, second, equal) {
  one <- unname(y[algorithm == first, , drop = FALSE])
  two <- unname(y[algorithm == second, , drop = FALSE])
  n <- c(nrow(one), nrow(two))
  d <- colMeans(one) - colMeans(two)
  v <- list(cov(one) / n[1], cov(two) / n[2])
  if (equal) {
    spread <- function(x) crossprod(sweep(x, 2, colMeans(x)))
    return(list(
      d = d, s = (spread(one) + spread(two)) / (sum(n) - 2), df = sum(n) - 2,
      variance = sum(1 / n), metric_df = rep(sum(n) - 2, ncol(y))
    ))
  }
  own <- lapply(v, diag)
  list(
    d = d, s = (v[[1]] + v[[2]]) / sum(1 / n), variance = sum(1 / n), parts = v,
    n = n, metric_df = (own[[1]] + own[[2]])^2 /
      (own[[1]]^2 / (n[1] - 1) + own[[2]]^2 / (n[2] - 1))
  )
}

# Krishnamoorthy and Yu (2004).
welch_degrees <- function(found, kept, scale) {
  part <- function(v) v[kept, kept, drop = FALSE] / outer(scale, scale)
  total <- part(found$parts[[1]]) + part(found$parts[[2]])
  spread <- function(i) {
    g <- part(found$parts[[i]]) %*% solve(total)
    (sum(diag(g %*% g)) + sum(diag(g))^2) / (found$n[i] - 1)
  }
  p <- length(kept)
  (p + p^2) / (spread(1) + spread(2))
}

contrast_difference <- function(y, algorithm, dataset, first, second) {
  fit <- fit_responses(y, algorithm, TRUE, dataset)
  x <- model.matrix(fit)
  coefficients <- as.matrix(coef(fit))
  estimated <- !is.na(coefficients[, 1])
  columns <- which(attr(x, "assign")[estimated] ==
    match("algorithm", attr(terms(fit), "term.labels")))
  levels <- levels(fit$model$algorithm)
  one <- numeric(sum(estimated))
  # The first level is the baseline and has no column.
  at <- match(c(first, second), levels) - 1
  one[columns[at[1]]] <- 1
  if (at[1] == 0) one[] <- 0
  if (at[2] > 0) one[columns[at[2]]] <- -1
  inverse <- chol2inv(qr.R(qr(x[, estimated, drop = FALSE])))
  s <- unname(crossprod(as.matrix(resid(fit))) / fit$df.residual)
  list(
    d = as.vector(one %*% coefficients[estimated, , drop = FALSE]), s = s,
    df = fit$df.residual, variance = as.vector(one %*% inverse %*% one),
    metric_df = rep(fit$df.residual, ncol(y))
  )
}

# The value of T2 that has the tail alpha.
t2_limit <- function(found, alpha) {
  df <- found$df2 + found$df1 - 1
  found$df1 * df / found$df2 * qf(alpha, found$df1, found$df2, lower.tail = FALSE)
}

# Limits of the noncentrality of F, 0 if there is none; the root of pf(ncp =).
noncentral_f_limits <- function(found, level) {
  if (is.na(found$statistic)) {
    return(c(NaN, NaN))
  }
  limit <- function(p) {
    excess <- function(shift) pf(found$statistic, found$df1, found$df2, shift) - p
    if (pf(found$statistic, found$df1, found$df2) <= p) {
      return(0)
    }
    top <- found$df1 * found$statistic
    uniroot(excess, c(0, 4 * top + 10), tol = 1e-13, extendInt = "downX")$root
  }
  c(limit((1 + level) / 2), limit((1 - level) / 2))
}

# Second witnesses: the intercept of a multivariate model, and rrcov's test.
hotelling_manova_reference <- function(d) {
  found <- summary(manova(unname(as.matrix(d)) ~ 1),
    intercept = TRUE, test = "Hotelling-Lawley"
  )$stats
  list(
    t2 = found[1, 2] * (nrow(d) - 1), statistic = found[1, 3],
    df = found[1, 4:5], p_value = found[1, 6]
  )
}

hotelling_rrcov_reference <- function(x, y) {
  found <- rrcov::T2.test(unname(as.matrix(x)), unname(as.matrix(y)))
  list(
    t2 = found$statistic[[1]], statistic = found$statistic[[2]], df = found$parameter,
    p_value = found$p.value
  )
}

hotelling_one_sample_reference <- function(x, mu) {
  found <- rrcov::T2.test(unname(as.matrix(x)), mu = unlist(mu))
  list(
    t2 = found$statistic[[1]], statistic = found$statistic[[2]], df = found$parameter,
    p_value = found$p.value
  )
}
