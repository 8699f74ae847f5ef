# 5x2cv tests: Dietterich's t and Alpaydin's combined F, from their definitions.

# differences: five replications x two folds.
five_by_two_reference <- function(differences) {
  unit <- max(abs(differences), .Machine$double.xmin)
  d <- differences / unit
  variances <- apply(d, 1, var) # of two numbers: the sum of squares about their mean
  if (all(d == 0)) {
    return(list(f = NaN, f_p_value = NaN, t = NaN, t_p_value = NaN, estimate = 0))
  }
  f <- sum(d^2) / (2 * sum(variances))
  t <- d[1, 1] / sqrt(mean(variances))
  tested <- sum(variances) > 0
  list(
    f = f, f_p_value = if (tested) pf(f, 10, 5, lower.tail = FALSE) else NaN,
    t = t, t_p_value = if (tested) 2 * pt(-abs(t), 5) else NaN,
    estimate = mean(d) * unit
  )
}
