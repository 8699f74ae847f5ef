# Mack and Skillings' test for runs within blocks. Needs ranks.R.
#
# No R package of Debian has it. Here the statistic is the quadratic form of the rank
# sums in the inverse of their covariance, which sampling without replacement gives; for
# ranks without ties it is the formula of Mack and Skillings (1980).

# x: blocks x (algorithms * runs), the runs of an algorithm in a row; lower is better.
mack_skillings_reference <- function(x, algorithms) {
  owner <- rep(seq_len(algorithms), each = ncol(x) / algorithms)
  sums <- numeric(algorithms)
  covariance <- matrix(0, algorithms, algorithms)
  # The sums of a block: 0/1 columns that add up each algorithm's ranks.
  adding <- outer(owner, seq_len(algorithms), "==") + 0
  for (block in seq_len(nrow(x))) {
    ranks <- midranks(x[block, ])
    sums <- sums + as.vector(crossprod(adding, ranks - mean(ranks)))
    dealt <- var(ranks) * (diag(length(ranks)) - 1 / length(ranks))
    covariance <- covariance + t(adding) %*% dealt %*% adding
  }
  # The sums add up to 0: one of them tells nothing new.
  kept <- -1
  statistic <- sum(sums[kept] * solve(covariance[kept, kept, drop = FALSE], sums[kept]))
  places <- ncol(x)
  list(
    statistic = statistic,
    df = algorithms - 1,
    p_value = pchisq(statistic, algorithms - 1, lower.tail = FALSE),
    mean_ranks = (places + 1) / 2 + sums * algorithms / length(x)
  )
}

# The printed formula, for ranks without ties.
mack_skillings_printed <- function(x, algorithms) {
  owner <- rep(seq_len(algorithms), each = ncol(x) / algorithms)
  ranks <- rank_rows(x)
  s <- vapply(seq_len(algorithms), function(j) {
    sum(rowMeans(ranks[, owner == j, drop = FALSE]))
  }, 0)
  total <- length(x) + nrow(x)
  list(statistic = 12 / (algorithms * total) * sum(s^2) - 3 * total)
}

# All ways to deal places to algorithms, n each: one per row, as owners.
ways_to_deal <- function(left) {
  if (sum(left) == 0) {
    return(matrix(0, 1, 0))
  }
  do.call(rbind, lapply(which(left > 0), function(j) {
    rest <- ways_to_deal(replace(left, j, left[j] - 1))
    cbind(j, rest, deparse.level = 0)
  }))
}

# Exact p-value given the ties: all ways of all blocks are listed. For tiny tables.
mack_skillings_exact_reference <- function(x, algorithms) {
  n <- ncol(x) / algorithms
  ways <- ways_to_deal(rep(n, algorithms))
  if (nrow(ways)^nrow(x) > 2e6) {
    stop("more than two million ways")
  }
  # Doubled ranks are whole numbers, so that >= is exact.
  ranks <- 2 * rank_rows(x)
  sums <- matrix(0, 1, algorithms)
  for (block in seq_len(nrow(x))) {
    own <- t(apply(ways, 1, function(owner) {
      vapply(seq_len(algorithms), function(j) sum(ranks[block, owner == j]), 0)
    }))
    way <- expand.grid(sum = seq_len(nrow(sums)), own = seq_len(nrow(own)))
    sums <- sums[way$sum, , drop = FALSE] + own[way$own, , drop = FALSE]
  }
  owner <- rep(seq_len(algorithms), each = n)
  observed <- vapply(seq_len(algorithms), function(j) sum(ranks[, owner == j]), 0)
  list(p_value = mean(rowSums(sums^2) >= sum(observed^2)))
}
