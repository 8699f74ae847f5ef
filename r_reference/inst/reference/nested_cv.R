# Nested cross-validation (Bates, Hastie and Tibshirani 2023) from means of losses; own
# derivation.

# inner: mean loss of the inner cross-validation without a fold; outer, variance, sizes:
# mean, variance and number of the losses of that fold. All: repeats x folds.
nested_cv_reference <- function(inner, outer, variance, sizes, level) {
  k <- ncol(outer)
  n <- sum(sizes[1, ])
  squared <- mean((inner - outer)^2) - mean(variance / sizes)
  cv <- mean(rowSums(sizes * outer) / n)
  nested <- mean(rowSums((n - sizes) * inner) / (n * (k - 1)))
  total <- rowSums((sizes - 1) * variance + sizes * (outer - cv)^2)
  naive <- sqrt(mean(total) / (n - 1) / n)
  error <- sqrt((k - 1) / k * max(squared, 0))
  error <- min(max(error, naive), sqrt(k) * naive)
  estimate <- nested - (1 + (k - 2) / k) * (nested - cv)
  half <- if (error > 0) qnorm((1 + level) / 2) * error else NaN
  list(
    estimate = estimate, std_error = error, conf_low = estimate - half,
    conf_high = estimate + half, cv_estimate = cv, nested_estimate = nested,
    naive_error = naive
  )
}
