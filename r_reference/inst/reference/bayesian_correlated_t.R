# Bayesian correlated t test: the posterior is Student t. Needs ranks.R, adjust.R,
# bayesian_sign.R.

bayesian_correlated_t_reference <- function(x, better, rope, n_train, n_test,
                                            overlap = 1, level = 0.95, control = "") {
  pairs <- compared_pairs(colnames(x), control)
  side <- if (better == "higher") 1 else -1
  k <- nrow(x)
  each <- lapply(seq_len(nrow(pairs)), function(i) {
    d <- x[, pairs[i, 1]] - x[, pairs[i, 2]]
    tie <- 2 * tie_width * max(abs(x[, pairs[i, ]]))
    if (diff(range(d)) <= tie) {
      return(c(mean(d), rep(NaN, 5)))
    }
    error <- sqrt((1 / k + overlap * n_test / n_train) * var(d))
    limits <- mean(d) + c(-1, 1) * qt((1 + level) / 2, k - 1) * error
    turned <- side * mean(d)
    better <- pt((rope - turned) / error, k - 1, lower.tail = FALSE)
    worse <- pt((-rope - turned) / error, k - 1)
    middle <- pt((rope - turned) / error, k - 1) - worse
    c(mean(d), limits, better, if (rope == 0) 0 else middle, worse)
  })
  posterior_columns(do.call(rbind, each), pairs, colnames(x))
}
