# Skillings and Mack's test for tables with missing cells. Needs ranks.R.
#
# No R package of Debian has it. The derivation follows Skillings & Mack (1981) step by
# step, with loops over blocks and a generalised inverse by eigenvalues.

# x: blocks x algorithms, NA if a score is missing.
skillings_mack_reference <- function(x, better, ties) {
  design <- skillings_mack_design(lower_is_better(x, better))
  a <- ncol(x)
  statistic <- skillings_mack_statistic(design, ties)
  list(
    statistic = statistic,
    df = a - 1,
    p_value = pchisq(statistic, a - 1, lower.tail = FALSE),
    mean_ranks = (a + 1) / 2 + skillings_mack_effects(design)
  )
}

# Adjusted rank sums, and their covariance under the null hypothesis for ranks without
# ties (information) and for the ranks as they are (covariance).
skillings_mack_design <- function(x) {
  a <- ncol(x)
  sums <- setNames(numeric(a), colnames(x))
  information <- covariance <- matrix(0, a, a)
  for (block in seq_len(nrow(x))) {
    there <- which(!is.na(x[block, ]))
    k <- length(there)
    if (k < 2) next # a single score compares nothing
    ranks <- midranks(x[block, there])
    scale <- sqrt(12 / (k + 1))
    sums[there] <- sums[there] + scale * (ranks - (k + 1) / 2)
    # Drawn without replacement: covariance of the k ranks is S^2 (I - 1/k).
    dealt <- diag(k) - 1 / k
    information[there, there] <- information[there, there] + k * dealt
    covariance[there, there] <- covariance[there, there] +
      scale^2 * var(ranks) * dealt
  }
  list(sums = sums, information = information, covariance = covariance)
}

skillings_mack_statistic <- function(design, ties) {
  covariance <- if (ties == "corrected") design$covariance else design$information
  if (all(covariance == 0)) {
    return(NaN) # all tied
  }
  sum(design$sums * (generalised_inverse(covariance) %*% design$sums))
}

# Least squares effects of the algorithms in mean ranks of complete blocks.
skillings_mack_effects <- function(design) {
  a <- length(design$sums)
  effects <- generalised_inverse(design$information) %*% design$sums
  setNames(as.vector(effects) * mean_rank_unit(a), names(design$sums))
}

# Covariance of these effects under the null hypothesis.
skillings_mack_effects_covariance <- function(design) {
  unit <- mean_rank_unit(length(design$sums))
  inverse <- generalised_inverse(design$information) * unit
  inverse %*% design$covariance %*% inverse
}

mean_rank_unit <- function(a) a * sqrt((a + 1) / 12)

# Moore-Penrose inverse of a covariance of sums that add up to zero.
generalised_inverse <- function(m) {
  parts <- eigen((m + t(m)) / 2, symmetric = TRUE)
  null <- parts$values < 1e-10 * parts$values[1]
  if (sum(null) != 1) {
    stop("no block with different scores connects some of the algorithms")
  }
  vectors <- parts$vectors[, !null, drop = FALSE]
  vectors %*% (t(vectors) / parts$values[!null])
}

# Positions of rank_pairs.R.
skillings_mack_positions <- function(x, std_error) {
  design <- skillings_mack_design(x)
  covariance <- skillings_mack_effects_covariance(design)
  own <- diag(covariance)
  variance <- outer(own, own, "+") - 2 * covariance
  # Algorithms that tie wherever they meet: zero, up to rounding.
  variance[variance < 1e-12 * max(variance)] <- 0
  list(sums = skillings_mack_effects(design), unit = 1, variance = variance)
}
