# Interval of an average precision: own derivation in base R, case by
# case. Needs measures.R, auc_interval.R.

# truth: 0 and 1 per case; score: cases x one classifier.
average_precision_interval_reference <- function(truth, score, level = 0.95) {
  s <- score[, 1]
  area <- curve_areas_reference(truth, s)$average_precision
  v <- precision_variance(truth, s)
  n1 <- sum(truth)
  least <- n1 / sum(1 / seq_len(n1))
  spread <- area * (1 - area)
  n <- least
  if (isTRUE(v > 0 && spread > 0)) {
    w <- 1 / (1 + least * spread)^2
    n <- 1 / ((1 - w) * v / spread + w / least)
  }
  limits <- limits_at_size(area, n, level)
  list(
    estimate = area, std_error = sqrt(v), conf_low = limits[1], conf_high = limits[2]
  )
}

# The influence of each case: what the average precision gains if it counts more.
precision_variance <- function(truth, s) {
  at <- s[truth == 1]
  tp <- vapply(at, function(t) sum(truth[s >= t]), 0)
  fp <- vapply(at, function(t) sum(1 - truth[s >= t]), 0)
  of <- function(x, slope) vapply(x, function(one) sum(slope[at <= one]), 0)
  positive <- tp / (tp + fp) + of(at, fp / (tp + fp)^2)
  negative <- -of(s[truth == 0], tp / (tp + fp)^2)
  if (min(length(positive), length(negative)) < 2) {
    return(NaN)
  }
  (length(positive) * var(positive) + length(negative) * var(negative)) /
    length(positive)^2
}
