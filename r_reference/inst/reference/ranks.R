# Ranks, with ties that the rounding of earlier arithmetic cannot split.
#
# rank() takes 0.3 and 0.1 + 0.2 for different numbers, and friedman.test() and
# quade.test() rank with it. Here two numbers tie when they differ by no more than 64
# units in the last place of the numbers that they were computed from. If no such noise
# is present these are the ranks of rank().

tie_width <- 64 * .Machine$double.eps

# Scores turned so that the smallest is the best.
lower_is_better <- function(x, better) {
  if (match.arg(better, c("higher", "lower")) == "higher") -x else x
}

# Ranks of one vector, smallest first, ties sharing their mean rank; NA stays NA.
# noise: size of the numbers behind x; a difference u - v carries the noise of u and v.
midranks <- function(x, noise = abs(x)) {
  present <- which(!is.na(x))
  sorted <- present[order(x[present])]
  width <- tie_width * pmax(noise[sorted][-1], noise[sorted][-length(sorted)])
  # Neighbours that tie share a group; rank() gives a group the mean of its ranks.
  group <- cumsum(c(0, diff(x[sorted]) > width))
  ranks <- rep(NA_real_, length(x))
  ranks[sorted] <- rank(group)
  ranks
}

# Ranks within the rows of a blocks x algorithms matrix.
rank_rows <- function(x) {
  ranks <- t(apply(x, 1, midranks))
  dimnames(ranks) <- dimnames(x)
  ranks
}

# Chance that all blocks rank like the first: one over the number of its orders, for
# each other block.
perfect_agreement_p <- function(ranks) {
  orders <- factorial(ncol(ranks)) / prod(factorial(table(ranks[1, ])))
  orders^(1 - nrow(ranks))
}

# Do all rows hold the same numbers?
rows_agree <- function(m) all(sweep(m, 2, m[1, ]) == 0)

# The pairs (1,2), (1,3), ..., (a-1,a) as a two-column matrix.
all_pairs <- function(a) t(utils::combn(a, 2))

# All pairs, or each other algorithm and the control; "" is no control.
compared_pairs <- function(algorithms, control) {
  at <- match(control, algorithms)
  if (is.na(at)) {
    return(all_pairs(length(algorithms)))
  }
  cbind(setdiff(seq_along(algorithms), at), at)
}

# Pairs as text, to label printed numbers.
pair_names <- function(pairs, algorithms) {
  paste(algorithms[pairs[, 1]], "-", algorithms[pairs[, 2]])
}

# Columns of pairs under their names, by which reproduce.R looks numbers up.
of_pairs <- function(columns, pairs, algorithms) {
  labels <- pair_names(pairs, algorithms)
  lapply(columns, function(one) {
    if (length(one) == length(labels)) setNames(as.vector(one), labels) else one
  })
}

# One row per cell, for functions that take a formula.
long_ranks <- function(ranks) {
  data.frame(
    score = as.vector(ranks),
    algorithm = factor(as.vector(col(ranks))),
    block = factor(as.vector(row(ranks)))
  )
}
