# Multivariate analysis of variance: summary.manova's four tests for the algorithms,
# Bartlett's D2_r, canonical variates. Needs responses.R.

# The last row before the residuals, for each of the four statistics. Roots come from a
# generalised symmetric problem, which keeps more digits than summary.manova's
# eigen(E^-1 H); the statistics are its own functions of them.
manova_reference <- function(y, algorithm, blocked, dataset = NULL,
                             algorithms = unique(algorithm)) {
  fit <- fit_responses(y, algorithm, blocked, dataset)
  found <- sscp_of(fit)
  roots <- roots_of(found)
  tests <- four_tests(roots$values, ncol(y), found$df)
  d2 <- bartlett_d2(roots$values, ncol(y), found$df)
  f <- diag(found$hypothesis) / found$df[1] / (diag(found$error) / found$df[2])
  univariate_p <- pf(f, found$df[1], found$df[2], lower.tail = FALSE)
  c(tests, list(
    eigenvalues = roots$values,
    means = means_of(fit, algorithms),
    bartlett = d2$statistic[1],
    bartlett_df = d2$df[1],
    bartlett_p_value = d2$p_value[1],
    univariate_f = f,
    univariate_df1 = 0 * f + found$df[1],
    univariate_df2 = 0 * f + found$df[2],
    univariate_partial_eta2 = diag(found$hypothesis) /
      (diag(found$hypothesis) + diag(found$error)),
    univariate_p_value = univariate_p,
    univariate_p_adjusted = p.adjust(univariate_p, "holm"),
    canonical_share = roots$values / sum(roots$values)
  ), canonical_of(roots$vectors, found))
}

# Means of the algorithms with blocks counting equally, one row per algorithm.
means_of <- function(fit, algorithms) {
  cells <- fit$model
  first <- !duplicated(if (is.null(cells$block)) rep(1, nrow(cells)) else cells$block)
  rows <- cells[first, -1, drop = FALSE]
  by_algorithm <- lapply(algorithms, function(level) {
    rows$algorithm[] <- level
    # predict() warns if data sets alias blocks; the predictions are right.
    colMeans(matrix(suppressWarnings(predict(fit, rows)), nrow(rows)))
  })
  unname(do.call(rbind, by_algorithm))
}

# Bartlett's D2_r; or the likelihood ratio, with the estimated covariance or a known one.
dimensionality_reference <- function(y, algorithm, blocked, dataset = NULL,
                                     method = "bartlett", covariance = NULL) {
  found <- sscp_of(fit_responses(y, algorithm, blocked, dataset))
  if (method == "bartlett") {
    return(bartlett_d2(roots_of(found)$values, ncol(y), found$df))
  }
  values <- if (is.null(covariance)) {
    roots_of(found)$values * found$df[2]
  } else {
    roots_of(list(
      hypothesis = found$hypothesis, error = as.matrix(covariance), df = found$df
    ))$values
  }
  chi2_of_dimensions(rev(cumsum(rev(values))), ncol(y), found$df[1])
}

# Eigenvalues of E^-1 H, and vectors w with w'Ew = 1, by the Cholesky factor of E. A root
# that is rounding of the largest is 0: a test of it alone would be one of the rounding.
roots_of <- function(found) {
  scale <- sqrt(diag(found$error))
  error <- found$error / outer(scale, scale)
  hypothesis <- found$hypothesis / outer(scale, scale)
  inverse <- backsolve(chol(error), diag(length(scale)))
  solved <- eigen(t(inverse) %*% hypothesis %*% inverse, symmetric = TRUE)
  s <- seq_len(min(length(scale), found$df[1]))
  values <- solved$values[s]
  values[values <= 64 * .Machine$double.eps * (1 + values[1])] <- 0
  list(
    values = values,
    vectors = (inverse %*% solved$vectors[, s, drop = FALSE]) / scale
  )
}

# summary.manova's own functions of the eigenvalues; df: hypothesis, error.
four_tests <- function(values, p, df) {
  # They take the number of responses from the number of eigenvalues.
  values <- c(values, rep(0, p - length(values)))
  tests <- list(
    stats:::Wilks(values, df[1], df[2]),
    stats:::Pillai(values, df[1], df[2]),
    stats:::HL(values, df[1], df[2]),
    stats:::Roy(values, df[1], df[2])
  )
  part <- function(i) vapply(tests, function(test) test[[i]], 0)
  # No denominator degrees of freedom: pf() has no number either.
  list(
    statistic = part(1), f = ifelse(part(4) > 0, part(2), NaN),
    df1 = part(3), df2 = part(4),
    p_value = suppressWarnings(pf(part(2), part(3), part(4), lower.tail = FALSE))
  )
}

bartlett_d2 <- function(values, p, df) {
  statistic <- (sum(df) - (p + df[1] + 1) / 2) * rev(cumsum(rev(log1p(values))))
  chi2_of_dimensions(statistic, p, df[1])
}

chi2_of_dimensions <- function(statistic, p, df_hypothesis) {
  r <- seq_along(statistic) - 1
  degrees <- (p - r) * (df_hypothesis - r)
  list(
    r = r,
    statistic = statistic,
    df = degrees,
    p_value = pchisq(statistic, degrees, lower.tail = FALSE)
  )
}

# Canonical variates of residual variance 1; the largest standardised coefficient of each
# is positive.
canonical_of <- function(vectors, found) {
  raw <- vectors * sqrt(found$df[2])
  deviation <- sqrt(diag(found$error) / found$df[2])
  raw <- apply(raw, 2, function(one) {
    one * sign(one[which.max(abs(one * deviation))])
  }) |> matrix(nrow(raw))
  list(
    canonical_raw = raw,
    canonical_standardised = raw * deviation,
    canonical_structure = (found$error / found$df[2]) %*% raw / deviation
  )
}

# Second witnesses for what has ordinary residuals: R rejects nearly dependent
# ones.

summary_manova_reference <- function(y, algorithm, blocked, dataset = NULL) {
  fit <- fit_responses(y, algorithm, blocked, dataset)
  fit <- manova(formula(fit), data = fit$model)
  by_test <- lapply(c("Wilks", "Pillai", "Hotelling-Lawley", "Roy"), function(test) {
    found <- summary(fit, test = test)$stats
    found[nrow(found) - 1, ]
  })
  part <- function(i) vapply(by_test, function(row) row[[i]], 0)
  list(statistic = part(2), f = part(3), df1 = part(4), df2 = part(5), p_value = part(6))
}

# car's type II sums are adjusted for blocks in any order.
car_manova_reference <- function(y, algorithm, blocked, dataset = NULL) {
  fit <- fit_responses(y, algorithm, blocked, dataset)
  found <- car::Anova(lm(formula(fit), fit$model), type = 2)
  df <- c(found$df[["algorithm"]], found$error.df)
  hypothesis <- found$SSP$algorithm
  values <- Re(eigen(qr.coef(qr(found$SSPE), hypothesis), symmetric = FALSE)$values)
  four_tests(sort(values, decreasing = TRUE)[seq_len(min(ncol(y), df[1]))], ncol(y), df)
}

# One-way only.
rrcov_wilks_reference <- function(y, algorithm, blocked, dataset = NULL) {
  found <- rrcov::Wilks.test(
    unname(y), grouping = factor(algorithm), method = "c", approximation = "Bartlett"
  )
  list(statistic = found$statistic[[1]], bartlett = found$parameter[[1]])
}
