# Difference of two curves on the same cases, with the band of given resamples.

# truth: 0 and 1; score: a column per classifier; drawn: the places of a resample's
# cases, a row each, or NULL for the difference alone; n_pairs: those of the family; at:
# places of the axis, by default all at which one of the curves turns.
curve_dominance_reference <- function(truth, score, drawn, kind, low, high, level,
                                      n_pairs = 1, at = NULL) {
  score <- as.matrix(score)
  curves <- lapply(1:2, function(j) dominance_curve(truth, score[, j], kind))
  if (is.null(at)) at <- sort(unique(c(low, high, curves[[1]]$x, curves[[2]]$x)))
  at <- at[at >= low & at <= high]
  apart <- function(places) {
    heights <- lapply(1:2, function(j) {
      dominance_heights(dominance_curve(truth[places], score[places, j], kind), at)
    })
    heights[[1]] - heights[[2]]
  }
  found <- apart(seq_along(truth))
  if (is.null(drawn)) return(list(at = at, difference = found))
  deviations <- t(apply(drawn, 1, function(places) apart(places) - found))
  variance <- colMeans(deviations^2)
  scale <- sqrt(variance + max(variance) / 10)
  largest <- apply(abs(deviations), 1, function(d) max(d / scale))
  most <- floor((1 - level) / n_pairs * (nrow(drawn) + 1) + 1e-9)
  half <- sort(largest)[nrow(drawn) - most + 1] * scale
  statistic <- max(abs(found) / scale)
  low <- pmax(found - half, -1)
  high <- pmin(found + half, 1)
  p_value <- (sum(largest >= statistic * (1 - 1e-12)) + 1) / (nrow(drawn) + 1)
  list(
    at = at, difference = found, band_low = low, band_high = high,
    statistic = statistic, p_value = p_value, p_adjusted = min(1, n_pairs * p_value),
    shortfall_1 = max(0, -min(low)), shortfall_2 = max(0, max(high))
  )
}

dominance_curve <- function(truth, score, kind) {
  falling <- order(-score)
  last <- !duplicated(score[falling], fromLast = TRUE)
  tp <- cumsum(truth[falling])[last]
  fp <- cumsum(1 - truth[falling])[last]
  if (kind == "roc") {
    return(list(x = c(0, fp) / sum(1 - truth), y = c(0, tp) / sum(truth)))
  }
  x <- y <- numeric()
  before <- c(0, 0)
  for (k in seq_along(tp)) {
    gained <- tp[k] - before[1]
    if (gained > 0) {
      i <- seq(0, gained)
      called <- before[1] + i + before[2] + (fp[k] - before[2]) / gained * i
      precision <- (before[1] + i) / called
      if (called[1] == 0) precision[1] <- precision[2]
      x <- c(x, (before[1] + i) / sum(truth))
      y <- c(y, precision)
    }
    before <- c(tp[k], fp[k])
  }
  list(x = x, y = y)
}

# Limits from the left.
dominance_heights <- function(curve, at) {
  vapply(at, function(place) {
    here <- which(curve$x == place)
    if (length(here) > 0) return(curve$y[min(here)])
    left <- max(which(curve$x < place))
    right <- min(which(curve$x > place))
    approx(curve$x[c(left, right)], curve$y[c(left, right)], place)$y
  }, 0)
}
