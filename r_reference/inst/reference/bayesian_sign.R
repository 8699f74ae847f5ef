# Bayesian sign test; own derivation by integrate() and qbeta(). Needs ranks.R, adjust.R,
# paired.R.

# x: blocks x algorithms; rope: differences of at most so much are equivalent; prior:
# weight of a prior observation without a difference.
bayesian_sign_reference <- function(x, better, rope, prior, level = 0.95,
                                    control = "", scale = "difference") {
  x <- on_scale(x, scale)
  rope <- if (scale == "ratio") log1p(rope) else rope
  pairs <- compared_pairs(colnames(x), control)
  turned <- lower_is_better(x, better)
  each <- lapply(seq_len(nrow(pairs)), function(i) {
    first <- turned[, pairs[i, 1]]
    second <- turned[, pairs[i, 2]]
    tie <- tie_width * pmax(abs(first), abs(second))
    counts <- c(sum(second - first > rope + tie), 0, sum(first - second > rope + tie))
    counts[2] <- length(first) - sum(counts) + prior
    if (rope == 0) {
      counts <- c(counts[1] + counts[2] / 2, 0, counts[3] + counts[2] / 2)
    }
    largest <- vapply(1:3, function(k) largest_share(counts, k), 0)
    tails <- c((1 - level) / 2, (1 + level) / 2)
    limits <- qbeta(tails, counts[1], sum(counts) - counts[1])
    c(counts[1] / sum(counts), limits, largest)
  })
  posterior_columns(do.call(rbind, each), pairs, colnames(x))
}

# Chance that a share of a Dirichlet distribution is the largest of all: shares are
# gamma variables over their sum.
largest_share <- function(counts, k) {
  others <- counts[-k]
  others <- others[others > 0]
  if (counts[k] == 0) {
    return(0)
  }
  density <- function(x) {
    below <- lapply(others, function(a) pgamma(x, a))
    Reduce(`*`, below, dgamma(x, counts[k]))
  }
  # Pieces, so that no peak falls between two points.
  ends <- unique(c(0, qgamma(c(1e-12, 0.01, 0.5, 0.99), counts[k]), Inf))
  pieces <- vapply(seq_len(length(ends) - 1), function(i) {
    integrate(density, ends[i], ends[i + 1], rel.tol = 1e-12, abs.tol = 0,
      subdivisions = 2000L, stop.on.error = FALSE
    )$value
  }, 0)
  sum(pieces)
}

# Estimates, limits and the three probabilities as one list, by pair.
posterior_columns <- function(rows, pairs, algorithms) {
  colnames(rows) <- c(
    "estimate", "credible_low", "credible_high", "probability_better",
    "probability_equivalent", "probability_worse"
  )
  rownames(rows) <- pair_names(pairs, algorithms)
  lapply(setNames(nm = colnames(rows)), function(name) rows[, name])
}
