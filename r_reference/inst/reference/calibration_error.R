# Calibration error within bins: the unbiased square as a mean over pairs of cases, and
# limits by inversion of a gamma distribution of the squared gaps. Own derivation.

# score: cases x classifiers; truth: 0 and 1; bins "equal-width" or "equal-mass".
calibration_error_reference <- function(truth, score, bins, n_bins, level = 0.95) {
  score <- as.matrix(score)
  each <- lapply(seq_len(ncol(score)), function(j) {
    one_calibration(truth, score[, j], bins, n_bins, level)
  })
  tests <- do.call(rbind, lapply(each, `[[`, "row"))
  by_bin <- do.call(rbind, lapply(each, `[[`, "by_bin"))
  names(by_bin) <- paste0("bin_", names(by_bin))
  c(lapply(as.data.frame(tests), as.vector), by_bin)
}

one_calibration <- function(y, s, bins, n_bins, level) {
  n <- length(s)
  k <- seq_len(n_bins - 1)
  edges <- if (bins == "equal-width") k / n_bins else sort(s)[(k * n) %/% n_bins + 1]
  parts <- split(seq_len(n), findInterval(s, edges))
  parts <- parts[lengths(parts) > 1]
  kept <- as.integer(names(parts)) + 1
  m <- lengths(parts)
  w <- m / sum(m)
  d <- y - s
  gap <- vapply(parts, function(i) mean(d[i]), 0)
  pairs <- vapply(parts, function(i) {
    # sum over i != j of d_i d_j
    (sum(d[i])^2 - sum(d[i]^2)) / (length(i) * (length(i) - 1))
  }, 0)
  squared <- sum(w * pairs)
  q <- sum(w * gap^2)
  direction <- if (q > 0) {
    gap / sqrt(q)
  } else {
    vapply(parts, function(i) if (mean(s[i]) < 0.5) 1 else -1, 0)
  }
  # Cumulants of sum(w * X^2) for normal X with means error * direction.
  at <- function(error, lower) {
    v <- mapply(function(i, shift) {
      share <- min(max(mean(s[i]) + shift, 0), 1)
      max(share * (1 - share) - mean((s[i] - mean(s[i]))^2), 0)
    }, parts, error * direction) / m
    a <- w * v
    far <- w * (error * direction)^2
    cumulant <- function(r) 2^(r - 1) * factorial(r - 1) * sum(a^r + r * a^(r - 1) * far)
    if (cumulant(2) == 0) {
      near <- 64 * .Machine$double.eps
      reached <- if (lower) q >= error^2 * (1 - near) else q <= error^2 * (1 + near)
      return(as.numeric(reached))
    }
    skew <- cumulant(3) / cumulant(2)^1.5
    shape <- 4 / skew^2
    z <- (q - cumulant(1)) / sqrt(cumulant(2))
    pgamma(shape + z * sqrt(shape), shape, lower.tail = lower)
  }
  tail <- (1 - level) / 2
  solved <- function(lower, from, to) {
    uniroot(function(e) at(e, lower) - tail, c(from, to), tol = 1e-15, maxiter = 1e4)$root
  }
  low <- if (at(0, FALSE) < tail) solved(FALSE, 0, sqrt(q)) else 0
  high <- if (at(0, TRUE) < tail) {
    0
  } else if (at(1, TRUE) < tail) {
    solved(TRUE, 0, 1)
  } else {
    1
  }
  list(
    row = c(
      estimate = sqrt(max(squared, 0)), squared = squared, p_value = at(0, FALSE),
      conf_low = low, conf_high = high
    ),
    by_bin = data.frame(
      low = c(0, edges)[kept], high = c(edges, 1)[kept],
      mean_score = vapply(parts, function(i) mean(s[i]), 0),
      share = vapply(parts, function(i) mean(y[i]), 0), difference = gap
    )
  )
}
