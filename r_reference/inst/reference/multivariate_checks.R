# Box's M, Mardia's skewness and kurtosis, Henze-Zirkler: of residuals of lm().
# Mardia by psych::mardia, turned from the covariance with n - 1 to that with n. Needs
# responses.R.

# y: one row per cell, its block as the row's name; algorithm, dataset: of each row.
# box: whether Box's M is wanted.
multivariate_checks_reference <- function(y, algorithm, blocked, dataset = NULL,
                                          box = TRUE) {
  # Scores less the first, in units of their spread: none of the tests sees it.
  y <- sweep(y, 2, y[1, ])
  y <- sweep(y, 2, apply(abs(y), 2, max), "/")
  fit <- fit_responses(y, algorithm, blocked, dataset)
  cells <- fit$model
  e <- as.matrix(resid(fit))
  dimnames(e) <- NULL
  found <- if (box) box_m(e, cells, blocked) else list()
  pairs <- nlevels(cells$algorithm) == 2
  if (blocked && pairs && nrow(y) == 2 * nlevels(cells$block)) {
    # Mirrored residuals: one of each two.
    e <- e[cells$algorithm == levels(cells$algorithm)[1], , drop = FALSE]
  }
  c(found, mardia_population(e), henze_zirkler(e))
}

# Determinants of covariance matrices; Box (1949).
box_m <- function(e, cells, blocked) {
  groups <- split(seq_len(nrow(e)), cells$algorithm)
  g <- length(groups)
  p <- ncol(e)
  v <- lengths(groups) - 1
  covariances <- lapply(groups, function(rows) cov(e[rows, , drop = FALSE]))
  pooled <- Reduce(`+`, Map(`*`, covariances, v)) / sum(v)
  logs <- vapply(covariances, function(s) c(determinant(s)$modulus), 0)
  m <- sum(v) * c(determinant(pooled)$modulus) - sum(v * logs)
  # Residuals of complete blocks have correlation -1 / (g - 1) between algorithms.
  scaled <- if (blocked) m / (1 - 1 / (g - 1)^2) else m
  c1 <- (sum(1 / v) - 1 / sum(v)) * (2 * p^2 + 3 * p - 1) / (6 * (p + 1) * (g - 1))
  c2 <- (sum(1 / v^2) - 1 / sum(v)^2) * (p - 1) * (p + 2) / (6 * (g - 1))
  df1 <- p * (p + 1) * (g - 1) / 2
  df2 <- (df1 + 2) / abs(c2 - c1^2)
  f <- if (c2 > c1^2) {
    scaled / (df1 / (1 - c1 - df1 / df2))
  } else {
    b <- df2 / (1 - c1 + 2 / df2)
    df2 * scaled / (df1 * (b - scaled))
  }
  list(
    m = m,
    box_m = scaled * (1 - c1),
    box_m_df = df1,
    box_m_p_value = pchisq(scaled * (1 - c1), df1, lower.tail = FALSE),
    box_m_f = f,
    box_m_f_df = c(df1, df2),
    box_m_f_p_value = pf(f, df1, df2, lower.tail = FALSE)
  )
}

mardia_population <- function(e) {
  n <- nrow(e)
  p <- ncol(e)
  theirs <- psych::mardia(e, plot = FALSE)
  b1 <- theirs$b1p * (n / (n - 1))^3
  b2 <- theirs$b2p * (n / (n - 1))^2
  chi2 <- n * b1 / 6
  small <- chi2 * (p + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (p + 1) - 6))
  df <- p * (p + 1) * (p + 2) / 6
  z <- (b2 - p * (p + 2)) / sqrt(8 * p * (p + 2) / n)
  list(
    skewness = b1,
    kurtosis = b2,
    mardia_skewness = chi2,
    mardia_skewness_df = df,
    mardia_skewness_small_df = df,
    mardia_skewness_p_value = pchisq(chi2, df, lower.tail = FALSE),
    mardia_skewness_small = small,
    mardia_skewness_small_p_value = pchisq(small, df, lower.tail = FALSE),
    mardia_kurtosis = z,
    mardia_kurtosis_p_value = 2 * pnorm(-abs(z))
  )
}

# Henze and Zirkler (1990), their optimal bandwidth, lognormal p-value.
henze_zirkler <- function(e) {
  n <- nrow(e)
  p <- ncol(e)
  s <- cov(e) * (n - 1) / n
  beta <- ((2 * p + 1) * n / 4)^(1 / (p + 4)) / sqrt(2)
  between <- vapply(seq_len(n), function(i) sum(exp(-beta^2 / 2 *
    mahalanobis(e, e[i, ], s))), 0)
  own <- exp(-beta^2 / (2 * (1 + beta^2)) * mahalanobis(e, colMeans(e), s))
  hz <- n * (sum(between) / n^2 - 2 * (1 + beta^2)^(-p / 2) * mean(own) +
    (1 + 2 * beta^2)^(-p / 2))
  a <- 1 + 2 * beta^2
  w <- (1 + beta^2) * (1 + 3 * beta^2)
  mu <- 1 - a^(-p / 2) * (1 + p * beta^2 / a + p * (p + 2) * beta^4 / (2 * a^2))
  variance <- 2 * (1 + 4 * beta^2)^(-p / 2) + 2 * a^(-p) * (1 + 2 * p * beta^4 / a^2 +
    3 * p * (p + 2) * beta^8 / (4 * a^4)) - 4 * w^(-p / 2) * (1 +
    3 * p * beta^4 / (2 * w) + p * (p + 2) * beta^8 / (2 * w^2))
  centre <- log(sqrt(mu^4 / (variance + mu^2)))
  spread <- sqrt(log((variance + mu^2) / mu^2))
  list(
    henze_zirkler = hz,
    henze_zirkler_p_value = plnorm(hz, centre, spread, lower.tail = FALSE)
  )
}
