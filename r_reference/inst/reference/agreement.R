# Decisions of paired tests on several metrics, by data set and pair of algorithms.
# Needs ranks.R, paired.R.

# x: blocks x (algorithms of the first metric, of the second, ...); dataset: one label a
# block; rho: n_test / n_train of the correction, or 0; sizes: how many metrics each test
# has, one by a t test, several by Hotelling's T2.
agreement_reference <- function(x, dataset, algorithms, alpha, rho,
                                sizes = rep(1, ncol(x) / length(algorithms))) {
  a <- length(algorithms)
  pairs <- combn(a, 2)
  before <- cumsum(sizes) - sizes
  each <- function(k, of_pair) {
    unlist(lapply(unique(dataset), function(name) {
      block <- x[dataset == name, , drop = FALSE]
      apply(pairs, 2, function(pair) {
        of_pair(lapply(before[k] + seq_len(sizes[k]) - 1, function(metric) {
          block[, metric * a + pair, drop = FALSE]
        }))
      })
    }))
  }
  tests <- seq_along(sizes)
  p <- lapply(tests, function(k) {
    each(k, if (sizes[k] > 1) t2_p else function(x) paired_p(x[[1]], rho))
  })
  together <- tests[sizes > 1]
  ranks <- lapply(together, function(k) each(k, function(x) length(independent(x))))
  decision <- function(p) factor(!is.na(p) & p <= alpha, levels = c(FALSE, TRUE))
  # The last metric changes fastest: aperm turns R's order of cells.
  counts <- aperm(table(lapply(p, decision)))
  c(
    setNames(p, paste0("p_", tests)), list(counts = as.vector(counts)),
    if (length(together)) setNames(ranks, paste0("rank_", together))
  )
}

# Differences of the pair, blocks x metrics.
differences_of <- function(x) vapply(x, function(one) one[, 1] - one[, 2], x[[1]][, 1])

# The metrics whose differences do not depend linearly on those before them.
independent <- function(x) {
  d <- scale(differences_of(x), scale = FALSE)
  decomposed <- qr(d)
  sort(decomposed$pivot[seq_len(decomposed$rank)])
}

t2_p <- function(x) {
  d <- differences_of(x)[, independent(x), drop = FALSE]
  k <- nrow(d)
  p <- ncol(d)
  if (p == 0) return(NaN)
  t2 <- k * mahalanobis(colMeans(d), 0, cov(d))
  pf((k - p) / (p * (k - 1)) * t2, p, k - p, lower.tail = FALSE)
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
