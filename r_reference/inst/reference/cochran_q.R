# Cochran's Q: friedman.test of 0 and 1, which is corrected for ties.

# x: cases x algorithms of 0 and 1.
cochran_q_reference <- function(x) {
  differ <- apply(x, 1, function(row) any(row != row[1]))
  found <- list(shares = unname(colMeans(x)), n_informative = sum(differ))
  if (!any(differ)) {
    return(c(found, list(statistic = NaN, df = ncol(x) - 1, p_value = NaN)))
  }
  test <- friedman.test(x)
  c(found, list(
    statistic = unname(test$statistic), df = unname(test$parameter),
    p_value = test$p.value
  ))
}

# Second witness: Cochran's formula.
cochran_formula_reference <- function(x) {
  a <- ncol(x)
  ones <- colSums(x)
  right <- rowSums(x)
  q <- (a - 1) * (a * sum(ones^2) - sum(ones)^2) / (a * sum(right) - sum(right^2))
  list(statistic = q, p_value = pchisq(q, a - 1, lower.tail = FALSE))
}
