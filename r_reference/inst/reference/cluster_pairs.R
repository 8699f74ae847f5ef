# Pairs on clustered cases: CR2 variance of a mean and Satterthwaite's degrees of freedom
# by their matrices, as Bell and McCaffrey define them. Needs ranks.R, adjust.R.
# Second witness: clubSandwich.

# x: clusters x algorithms, totals of the cases; sizes: cases of each cluster; alpha and
# level as in corrected_pairs.R.
cluster_pairs_reference <- function(x, sizes, adjust = "none", control = "",
                                    level = 0.95, alpha = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  each <- if (is.nan(alpha)) 1 - (1 - level) / nrow(pairs) else 1 - alpha
  df <- cluster_df(sizes)
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    unlist(cluster_mean(x[, pairs[i, 1]] - x[, pairs[i, 2]], sizes, df, each))
  })
  columns <- as.list(as.data.frame(do.call(rbind, found)))
  of_pairs(with_decisions(columns, adjust, alpha, level), pairs, colnames(x))
}

cluster_mean <- function(totals, sizes, df, level) {
  n <- sum(sizes)
  mean <- sum(totals) / n
  residual <- totals - sizes * mean
  residual[abs(residual) <= 1e-14 * max(abs(totals), 1e-300)] <- 0
  # A = (I - H)^(-1/2), H all 1 / n: a constant column grows by the root of 1 - n_g / n.
  error <- sqrt(sum(residual^2 / (1 - sizes / n))) / n
  t <- mean / error
  half <- if (error > 0) qt((1 - level) / 2, df, lower.tail = FALSE) * error else NaN
  list(
    estimate = mean, std_error = error, statistic = t, df = df,
    p_value = t_or_bound(t, df, totals),
    conf_low = mean - half, conf_high = mean + half
  )
}

# If t is infinite: Hoeffding's bound of the share of flips of whole rows.
t_or_bound <- function(t, df, rows) {
  if (is.nan(t)) {
    return(1)
  }
  bound <- min(1, 2 * exp(-sum(rows)^2 / (2 * sum(rows^2))))
  if (is.finite(t)) 2 * pt(-abs(t), df) else bound
}

# (tr P)^2 / tr P^2 with P the covariances of the parts of the variance estimate.
cluster_df <- function(sizes) {
  n <- sum(sizes)
  share <- sizes / n
  weight <- 1 / (n * sqrt(1 - share))
  p <- diag(weight^2 * sizes, length(sizes)) - outer(weight * sizes, weight * sizes) / n
  sum(diag(p))^2 / sum(p^2)
}

# clubSandwich, case by case: x cases x algorithms, cluster: label of each case.
cluster_pairs_clubsandwich <- function(x, cluster) {
  pairs <- all_pairs(ncol(x))
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    fit <- lm(d ~ 1, data.frame(d = x[, pairs[i, 1]] - x[, pairs[i, 2]]))
    test <- clubSandwich::coef_test(fit,
      vcov = "CR2", cluster = cluster, test = "Satterthwaite"
    )
    c(estimate = test$beta, std_error = test$SE, statistic = test$tstat,
      df = test$df_Satt, p_value = test$p_Satt)
  })
  as.list(as.data.frame(do.call(rbind, found)))
}
