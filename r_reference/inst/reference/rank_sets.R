# Confidence sets of ranks from decisions about all pairs: base R, own derivation.

# p_adjusted: square table of adjusted p-values, NA if none; positions: lower is better,
# NaN if unknown, by default 1 plus the number of algorithms that are better.
# A decision holds if p_adjusted <= alpha, in favour of the lower position. Up to 7
# algorithms all orders are listed, and those that break no decision kept; otherwise
# better algorithms are counted along all paths of decisions. better: square of 0 and 1
# if ranks count the algorithms that are better, pair by pair; then nothing follows from
# two decisions for a third pair.
rank_sets_reference <- function(p_adjusted, alpha, better = NULL, positions = NULL) {
  if (!is.null(better)) {
    decided <- !is.na(p_adjusted) & p_adjusted <= alpha & better == 1
    positions <- unname(1 + colSums(better))
    return(list(
      rank = positions, rank_low = unname(1 + colSums(decided)),
      rank_high = unname(length(positions) - rowSums(decided))
    ))
  }
  decided <- !is.na(p_adjusted) & p_adjusted <= alpha & outer(positions, positions, "<")
  a <- length(positions)
  limits <- if (a <= 7) ranks_of_orders(decided) else ranks_of_paths(decided)
  # Without positions (two algorithms that never differ) all share one rank.
  ranks <- if (anyNA(positions)) rep((a + 1) / 2, a) else rank(positions)
  list(rank = ranks, rank_low = limits[1, ], rank_high = limits[2, ])
}

ranks_of_orders <- function(decided) {
  a <- nrow(decided)
  # One row per order: the rank of each algorithm.
  orders <- as.matrix(expand.grid(rep(list(1:a), a)))
  orders <- orders[apply(orders, 1, function(row) !anyDuplicated(row)), , drop = FALSE]
  keeps <- apply(orders, 1, function(rank) all(!decided | outer(rank, rank, "<")))
  unname(apply(orders[keeps, , drop = FALSE], 2, range))
}

ranks_of_paths <- function(decided) {
  a <- nrow(decided)
  reach <- decided
  for (step in seq_len(a)) {
    reach <- reach | (reach %*% decided > 0)
  }
  rbind(1 + colSums(reach), a - rowSums(reach))
}
