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

# First column minus second; 0 where the two tie up to rounding.
pair_differences <- function(x) {
  d <- x[, 1] - x[, 2]
  unname(ifelse(abs(d) <= tie_width * pair_noise(x), 0, d))
}

# Size of the scores behind each difference.
pair_noise <- function(x) unname(pmax(abs(x[, 1]), abs(x[, 2])))
