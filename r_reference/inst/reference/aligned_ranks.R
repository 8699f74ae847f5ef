# Hodges and Lehmann's aligned ranks. Needs ranks.R.
#
# No R package of Debian has the test by name. It is derived here from what a block
# does under the null hypothesis: it deals its ranks out at random.

# Ranks among all cells, after the mean of its block is taken off each score.
aligned_rank_matrix <- function(x) {
  aligned <- x - rowMeans(x)
  noise <- apply(abs(x), 1, max)[row(x)]
  matrix(midranks(as.vector(aligned), noise), nrow(x), dimnames = dimnames(x))
}

# Statistic: quadratic form of the rank sums in the inverse of their covariance.
aligned_ranks_reference <- function(x, better, ties) {
  ranks <- aligned_rank_matrix(lower_is_better(x, better))
  n <- nrow(ranks)
  a <- ncol(ranks)
  variance <- sum(apply(ranks, 1, var))
  if (variance > 0 && ties == "uncorrected") {
    variance <- variance + missing_squares(n * a, ranks) / (a - 1)
  }
  # Covariance of the sums, without its null direction: drop the last algorithm.
  covariance <- variance * (diag(a) - 1 / a)
  excess <- colSums(ranks) - sum(ranks) / a
  statistic <- if (variance > 0) {
    sum(excess[-a] * solve(covariance[-a, -a], excess[-a]))
  } else {
    NaN
  }
  list(
    statistic = statistic,
    df = a - 1,
    p_value = pchisq(statistic, a - 1, lower.tail = FALSE),
    mean_ranks = colMeans(ranks)
  )
}

# What ties take from the sum of squared ranks 1, ..., cells.
missing_squares <- function(cells, ranks) sum(seq_len(cells)^2) - sum(ranks^2)

# coin's test of symmetry on the aligned ranks: a second witness, corrected for ties.
aligned_ranks_coin_reference <- function(x, better) {
  ranks <- aligned_rank_matrix(lower_is_better(x, better))
  test <- coin::symmetry_test(score ~ algorithm | block,
    data = long_ranks(ranks), teststat = "quadratic"
  )
  list(
    statistic = as.numeric(coin::statistic(test)),
    p_value = as.numeric(coin::pvalue(test))
  )
}

# Positions of rank_pairs.R.
aligned_positions <- function(x, std_error) {
  ranks <- aligned_rank_matrix(x)
  n <- nrow(x)
  a <- ncol(x)
  variance <- if (std_error == "permutation") {
    dealt_variance(ranks) / n^2
  } else {
    a * (a * n + 1) / 6 # Garcia et al. (2010)
  }
  list(
    sums = colSums(ranks), unit = n, variance = same_variance(variance, a),
    cells = ranks
  )
}
