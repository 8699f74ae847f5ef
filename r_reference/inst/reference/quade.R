# Quade's test by stats::quade.test. Needs ranks.R.

# x: blocks x algorithms; the scores of all blocks on one scale.
quade_reference <- function(x, better) {
  x <- lower_is_better(x, better)
  ranks <- rank_rows(x)
  weights <- range_ranks(x)
  n <- nrow(x)
  a <- ncol(x)
  test <- stats::quade.test(without_noise(ranks, weights))
  statistic <- test$statistic[[1]]
  p_value <- test$p.value[[1]]
  # quade.test gives NaN for F if all weighted ranks agree, and a p-value that
  # overlooks ties.
  tied <- all(ranks == (a + 1) / 2)
  if (!tied && rows_agree(weights * (ranks - (a + 1) / 2))) {
    statistic <- Inf
    p_value <- perfect_agreement_p(ranks)
  }
  list(
    statistic = if (tied) NaN else statistic,
    df = c(a - 1, (a - 1) * (n - 1)),
    p_value = if (tied) NaN else p_value,
    mean_ranks = colSums(weights * ranks) / sum(weights),
    block_ranks = weights
  )
}

# Rank of each block's range, the weight of the block.
range_ranks <- function(x) {
  midranks(apply(x, 1, function(row) diff(range(row))), apply(abs(x), 1, max))
}

# A table with the same ranks in each row and the same ranks of the rows' ranges, and
# no rounding noise in either: quade.test ranks bare differences.
without_noise <- function(ranks, weights) {
  steps <- ranks - apply(ranks, 1, min)
  longest <- apply(steps, 1, max)
  weights * steps / ifelse(longest > 0, longest, 1)
}

# Positions of rank_pairs.R.
quade_positions <- function(x, std_error) {
  weights <- range_ranks(x)
  weighted <- weights * rank_rows(x)
  n <- nrow(x)
  a <- ncol(x)
  unit <- sum(weights)
  variance <- if (std_error == "permutation") {
    dealt_variance(weighted) / unit^2
  } else {
    a * (a + 1) * (2 * n + 1) * (a - 1) / (18 * n * (n + 1)) # Garcia et al. (2010)
  }
  list(
    sums = colSums(weighted), unit = unit, variance = same_variance(variance, a),
    cells = weighted
  )
}
