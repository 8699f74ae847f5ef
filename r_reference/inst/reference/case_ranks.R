# Ranks of the cases of a challenge, failed ones last, and max-T by flips of their sums:
# own derivation, base R. Needs ranks.R and max_t.R.

# x: cases x algorithms, NA where an algorithm failed; ties: "mean" or "min".
ranks_of_cases <- function(x, better, ties = "mean") {
  x <- lower_is_better(x, better)
  ranks <- t(apply(x, 1, function(row) {
    known <- !is.na(row)
    ranked <- midranks(row[known])
    found <- rep(NaN, length(row))
    found[known] <- if (ties == "min") rank(ranked, ties.method = "min") else ranked
    failed <- sum(!known)
    behind <- if (ties == "min") 1 else (failed + 1) / 2
    found[!known] <- sum(known) + behind
    found
  }))
  dimnames(ranks) <- dimnames(x)
  ranks
}

# cluster: that of each case (1, 2, ...), whole clusters are flipped; stratum: the task
# (1, 2, ...) of each case, with weights, one per task.
max_t_of_ranks_reference <- function(x, better, ties = "mean", cluster = NULL,
                                     stratum = NULL, weights = NULL, control = "",
                                     flips = NULL, seed = NULL, level = 0.95) {
  sizes <- rep(1, nrow(x))
  if (!is.null(weights)) sizes <- (weights / tabulate(stratum))[stratum]
  sums <- ranks_of_cases(x, better, ties) * sizes
  if (!is.null(cluster)) {
    sums <- rowsum(sums, cluster)
    sizes <- as.vector(rowsum(sizes, cluster))
  }
  max_t_reference(sums, "lower", "sums", control, flips, seed, level, sizes)
}
