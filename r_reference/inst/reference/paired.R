# Differences of two algorithms, with ties decided. Needs ranks.R.

# Differences that lie this close to their mean, relative to the largest score, are
# equal: what rounding of the last digit can explain.
equal_width <- 8 * .Machine$double.eps

is_constant <- function(x) {
  d <- x[, 1] - x[, 2]
  all(abs(d - mean(d)) <= equal_width * max(pair_noise(x)))
}

# First column minus second; all 0 if they differ by rounding only.
mean_differences <- function(x) {
  d <- unname(x[, 1] - x[, 2])
  if (is_constant(x) && abs(mean(d)) <= equal_width * max(pair_noise(x))) 0 * d else d
}

# First column minus second; 0 if the two tie up to rounding.
pair_differences <- function(x) {
  d <- x[, 1] - x[, 2]
  unname(ifelse(abs(d) <= tie_width * pair_noise(x), 0, d))
}

# Scores, or logarithms that have no unit: a constant of each block, which no difference
# feels, makes the least of them 1.
on_scale <- function(x, scale) {
  if (scale != "ratio") {
    return(x)
  }
  1 + log(x / apply(x, 1, function(scores) min(scores, Inf, na.rm = TRUE)))
}

# Differences of logarithms as ratios; what is not 0 is not 1.
from_scale <- function(d, scale) {
  if (scale != "ratio") {
    return(d)
  }
  found <- exp(d)
  above <- !is.na(d) & d > 0
  below <- !is.na(d) & d < 0
  found[above] <- pmax(found[above], 1 + .Machine$double.eps)
  found[below] <- pmin(found[below], 1 - .Machine$double.neg.eps)
  found
}

# Size of the scores behind each difference.
pair_noise <- function(x) unname(pmax(abs(x[, 1]), abs(x[, 2])))
