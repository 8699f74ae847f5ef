# Prediction intervals of ranks on a new block, by trying every rank: own derivation.
# Needs ranks.R.

# A rank is possible if the share of blocks, the new one included, that are as far from
# the mean of all is above 1 - level.
rank_prediction_reference <- function(x, better = "lower", level = 0.95) {
  ranks <- rank_rows(lower_is_better(x, better))
  limits <- apply(ranks, 2, function(known) {
    tried <- seq(1, ncol(ranks), by = 0.5)
    range(tried[vapply(tried, function(new) is_possible(known, new, level), NA)])
  })
  list(
    mean_rank = unname(colMeans(ranks)),
    predicted_low = unname(limits[1, ]), predicted_high = unname(limits[2, ])
  )
}

is_possible <- function(known, new, level) {
  all <- c(known, new)
  far <- abs(all - mean(all))
  mean(far >= abs(new - mean(all)) - 1e-9) > 1 - level + 1e-12
}
