# The area under a binormal ROC curve by the delta method.

# truth: 0 and 1 per case; score: cases x one classifier.
binormal_auc_reference <- function(truth, score, level = 0.95) {
  x <- split(score[, 1], truth)
  n <- lengths(x)
  m <- vapply(x, mean, 0)
  v <- vapply(x, var, 0)
  d <- (m[[2]] - m[[1]]) / sqrt(sum(v))
  of_means <- sum(v / n) / sum(v)
  of_variances <- d^2 * sum(v^2 / (n - 1)) / (2 * sum(v)^2)
  error <- sqrt(of_means + of_variances)
  limits <- pnorm(d + c(-1, 1) * qnorm((1 + level) / 2) * error)
  list(
    estimate = pnorm(d), std_error = dnorm(d) * error, conf_low = limits[1],
    conf_high = limits[2], intercept = (m[[2]] - m[[1]]) / sqrt(v[[2]]),
    slope = sqrt(v[[1]] / v[[2]])
  )
}
