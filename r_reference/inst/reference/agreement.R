# Decisions of paired t tests on several metrics, by data set and pair of algorithms.
# Needs ranks.R, paired.R.

# x: blocks x (algorithms of the first metric, of the second, ...); dataset: one label a
# block; rho: n_test / n_train of the correction, or 0.
agreement_reference <- function(x, dataset, algorithms, alpha, rho) {
  a <- length(algorithms)
  metrics <- ncol(x) / a
  pairs <- combn(a, 2)
  p <- lapply(seq_len(metrics) - 1, function(metric) {
    of_metric <- x[, metric * a + seq_len(a), drop = FALSE]
    unlist(lapply(unique(dataset), function(name) {
      block <- of_metric[dataset == name, , drop = FALSE]
      apply(pairs, 2, function(pair) {
        paired_p(block[, pair], rho)
      })
    }))
  })
  decision <- function(p) factor(!is.na(p) & p <= alpha, levels = c(FALSE, TRUE))
  # The last metric changes fastest: aperm turns R's order of cells.
  counts <- aperm(table(lapply(p, decision)))
  c(setNames(p, paste0("p_", seq_along(p))), list(counts = as.vector(counts)))
}

# NaN if nothing differs; equal differences have the p-value of all changes of sign, or
# none if folds share training data.
paired_p <- function(x, rho) {
  d <- pair_differences(x)
  if (all(d == 0)) return(NaN)
  if (diff(range(d)) <= tie_width * max(pair_noise(x))) {
    return(if (rho > 0) NaN else 2^(1 - length(d)))
  }
  if (rho == 0) return(t.test(d)$p.value)
  t <- mean(d) / sqrt((1 / length(d) + rho) * var(d))
  2 * pt(-abs(t), length(d) - 1)
}
