# Differences of two algorithms, with ties decided. Needs ranks.R.

# First column minus second; 0 where the two tie up to rounding.
pair_differences <- function(x) {
  d <- x[, 1] - x[, 2]
  unname(ifelse(abs(d) <= tie_width * pair_noise(x), 0, d))
}

# Size of the scores behind each difference.
pair_noise <- function(x) unname(pmax(abs(x[, 1]), abs(x[, 2])))
