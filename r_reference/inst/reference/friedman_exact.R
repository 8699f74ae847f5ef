# Friedman's test by full enumeration, and by coin. Needs ranks.R.

# All orders of 1..a, one per row.
permutations <- function(a) {
  if (a == 1) {
    return(matrix(1))
  }
  shorter <- permutations(a - 1)
  do.call(rbind, lapply(seq_len(a), function(first) {
    rest <- seq_len(a)[-first]
    cbind(first, matrix(rest[shorter], nrow(shorter)))
  }))
}

# Exact p-value given the ties: all (a!)^(n - 1) ways to order the ranks of the blocks
# after the first are listed. For tiny tables: up to two million ways.
friedman_exact_reference <- function(x, better) {
  # Doubled ranks are whole numbers, so that >= is exact.
  ranks <- 2 * rank_rows(lower_is_better(x, better))
  n <- nrow(ranks)
  a <- ncol(ranks)
  if (factorial(a)^(n - 1) > 2e6) {
    stop(n, " blocks x ", a, " algorithms have more than two million orders")
  }
  orders <- permutations(a)
  sums <- ranks[1, , drop = FALSE]
  for (block in 2:n) {
    shuffled <- matrix(ranks[block, ][orders], ncol = a)
    way <- expand.grid(sum = seq_len(nrow(sums)), order = seq_len(nrow(orders)))
    sums <- sums[way$sum, , drop = FALSE] + shuffled[way$order, , drop = FALSE]
  }
  observed <- sum(colSums(ranks)^2)
  list(p_value = mean(rowSums(sums^2) >= observed))
}

# Friedman's test with its exact p-value. Needs friedman.R.
friedman_with_exact_p_reference <- function(x, better, ties, level = 0.95) {
  found <- friedman_reference(x, better, ties, level)
  found$p_value <- friedman_exact_walk_reference(x, better)$p_value
  found
}

# The same for larger tables: states are sorted sums with their probability, since the
# statistic does not show their order; equal states are joined after each block.
friedman_exact_walk_reference <- function(x, better) {
  ranks <- 2 * rank_rows(lower_is_better(x, better))
  a <- ncol(ranks)
  orders <- permutations(a)
  states <- matrix(sort(ranks[1, ]), 1)
  chance <- 1
  for (block in seq_len(nrow(ranks))[-1]) {
    shuffled <- matrix(ranks[block, ][orders], ncol = a)
    state <- rep(seq_len(nrow(states)), each = nrow(orders))
    moved <- states[state, , drop = FALSE] +
      shuffled[rep(seq_len(nrow(orders)), nrow(states)), , drop = FALSE]
    moved <- matrix(moved[order(row(moved), moved)], ncol = a, byrow = TRUE)
    key <- do.call(paste, as.data.frame(moved))
    first <- !duplicated(key)
    chance <- tapply(chance[state] / nrow(orders), factor(key, key[first]), sum)
    states <- moved[first, , drop = FALSE]
  }
  observed <- sum(colSums(ranks)^2)
  list(p_value = sum(chance[rowSums(states^2) >= observed]))
}

# coin's permutation form, asymptotic; corrected for ties.
friedman_coin_reference <- function(x, better) {
  test <- coin::friedman_test(score ~ algorithm | block,
    data = long_ranks(rank_rows(lower_is_better(x, better)))
  )
  list(
    statistic = as.numeric(coin::statistic(test)),
    p_value = as.numeric(coin::pvalue(test))
  )
}
