# Adjusted p-values of weighted Bonferroni tests on a graph: the closed test, in which
# each intersection has the weights that are left if all other hypotheses are rejected.

# p, weights: one per hypothesis; transitions: a row for each, shares that it passes on.
adjust_graph_reference <- function(p, weights, transitions) {
  m <- length(p)
  transitions <- matrix(as.vector(as.matrix(transitions)), m)
  subsets <- seq_len(2^m - 1)
  of_subset <- function(code) which(bitwAnd(code, 2^(seq_len(m) - 1)) > 0)
  local <- vapply(subsets, function(code) {
    left <- of_subset(code)
    w <- left_weights(weights, transitions, left)[left]
    used <- w > 0
    if (any(used)) min(1, (p[left] / w)[used]) else 1
  }, 0)
  adjusted <- vapply(seq_len(m), function(i) {
    max(local[bitwAnd(subsets, 2^(i - 1)) > 0])
  }, 0)
  list(p_adjusted = adjusted)
}

# Weights after the hypotheses that are not left were rejected one after another.
left_weights <- function(w, g, left) {
  m <- length(w)
  for (j in setdiff(seq_len(m), left)) {
    new <- g
    for (l in setdiff(seq_len(m), j)) {
      w[l] <- w[l] + w[j] * g[j, l]
      for (k in setdiff(seq_len(m), c(j, l))) {
        back <- g[l, j] * g[j, l]
        new[l, k] <- if (back < 1) (g[l, k] + g[l, j] * g[j, k]) / (1 - back) else 0
      }
    }
    w[j] <- 0
    new[j, ] <- 0
    new[, j] <- 0
    g <- new
  }
  w
}
