# Nemenyi's test and critical difference. Needs ranks.R, studentized_range.R.

# p-values of the pairs (1,2), (1,3), ... and the critical difference of mean ranks.
# std_error: "textbook", or "permutation" within blocks, which is corrected for ties.
nemenyi_reference <- function(x, better, alpha = 0.05, std_error = "textbook") {
  ranks <- rank_rows(lower_is_better(x, better))
  n <- nrow(ranks)
  a <- ncol(ranks)
  pairs <- all_pairs(a)
  sums <- colSums(ranks)
  error <- if (std_error == "textbook") {
    sqrt(a * (a + 1) / (6 * n))
  } else {
    sqrt(sum(2 * apply(ranks, 1, var))) / n
  }
  error[error == 0] <- NaN # all tied: nothing can be tested
  z <- (sums[pairs[, 1]] - sums[pairs[, 2]]) / n / error
  p <- ptukey(abs(z) * sqrt(2), a, Inf, lower.tail = FALSE)
  half <- studentized_range_quantile(alpha, a, Inf) / sqrt(2) * error
  columns <- list(
    p_adjusted = p,
    estimate = (sums[pairs[, 1]] - sums[pairs[, 2]]) / n,
    std_error = rep(error, length(z)),
    statistic = z,
    df = rep(Inf, length(z)),
    p_value = 2 * pnorm(-abs(z)),
    conf_low = (sums[pairs[, 1]] - sums[pairs[, 2]]) / n - half,
    conf_high = (sums[pairs[, 1]] - sums[pairs[, 2]]) / n + half
  )
  c(
    of_pairs(columns, pairs, colnames(x)),
    list(critical_difference = half, positions = sums / n)
  )
}
