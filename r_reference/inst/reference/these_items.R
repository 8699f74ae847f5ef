# New answers to these items: differences of pairs, and shares or means of algorithms for
# these items and for items like these; own derivation. Needs ranks.R, adjust.R; the
# means also need cluster_pairs.R.

# x: (items x runs) x algorithms, the runs of an item one after another, NA if an item has
# fewer answers; runs: the most answers to an item.
these_items_reference <- function(x, runs, alpha = 0.05, adjust = "holm", control = "",
                                  level = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  item <- rep(seq_len(nrow(x) / runs), each = runs)
  rows <- lapply(seq_len(nrow(pairs)), function(i) {
    these_items_test(unname(x[, pairs[i, ]]), item)
  })
  columns <- as.list(as.data.frame(do.call(rbind, rows)))
  of_pairs(with_decisions(columns, adjust, alpha, level), pairs, colnames(x))
}

# Of each algorithm: variance of each item's mean, number of its answers, its mean.
item_answers <- function(x, item) {
  of <- function(f) apply(x, 2, function(column) tapply(column, item, f))
  list(
    own = of(function(y) var(y, na.rm = TRUE) / sum(!is.na(y))),
    count = of(function(y) sum(!is.na(y))), mean = of(function(y) mean(y, na.rm = TRUE)),
    binary = all(x %in% c(0, 1, NA))
  )
}

these_items_test <- function(x, item) {
  answers <- item_answers(x, item)
  n <- nrow(answers$own)
  v <- rowSums(answers$own)
  d <- answers$mean[, 1] - answers$mean[, 2]
  runs <- 1 / mean(1 / answers$count)
  if (answers$binary) {
    error <- sqrt((n * mean(v) + 1 / (2 * runs)) / (n + 1) / n)
    df <- Inf
  } else {
    error <- sqrt(sum(v)) / n
    spread <- sum(v^2 / (apply(answers$count, 1, min) - 1))
    df <- if (spread > 0) sum(v)^2 / spread else Inf
  }
  t <- if (error > 0) mean(d) / error else NaN
  c(
    estimate = mean(d), std_error = error, statistic = t, df = df,
    p_value = 2 * pt(-abs(t), df), within = mean(v) * runs,
    between = max(var(d) - mean(v), 0)
  )
}

# Shares or means of each algorithm with limits for these items and for items like these.
# cluster: number of each item's cluster, or none.
item_means_reference <- function(x, runs, cluster, level) {
  item <- rep(seq_len(nrow(x) / runs), each = runs)
  found <- lapply(seq_len(ncol(x)), function(j) {
    item_mean(unname(x[, j, drop = FALSE]), item, cluster, level)
  })
  as.list(as.data.frame(do.call(rbind, found)))
}

item_mean <- function(x, item, cluster, level) {
  answers <- item_answers(x, item)
  y <- answers$mean[, 1]
  n <- length(y)
  runs <- 1 / mean(1 / answers$count)
  if (length(cluster) == 0) cluster <- seq_len(n)
  sizes <- as.numeric(table(cluster))
  df <- cluster_df(sizes)
  totals <- as.numeric(tapply(y, cluster, sum)) - sizes * mean(y)
  variance <- sum(totals^2 / (1 - sizes / n)) / n^2
  tail <- (1 - level) / 2
  t <- qt(tail, df, lower.tail = FALSE)
  several <- min(answers$count) > 1
  if (!answers$binary) {
    these <- c(NaN, NaN, NaN)
    if (several) {
      own <- answers$own[, 1]
      spread <- sum(own^2 / (answers$count[, 1] - 1))
      own_df <- if (spread > 0) sum(own)^2 / spread else Inf
      error <- sqrt(sum(own)) / n
      these <- c(error, mean(y) + c(-1, 1) * qt(tail, own_df, lower.tail = FALSE) * error)
    }
    like <- mean(y) + c(-1, 1) * t * sqrt(variance)
    return(item_mean_row(mean(y), these, sqrt(variance), like))
  }
  p <- mean(y)
  these <- c(NaN, NaN, NaN)
  if (several) {
    within <- (n * mean(answers$own) * runs + 1 / 4) / (n + 1)
    size <- n * runs * max(1, p * (1 - p) / within)
    these <- c(sqrt(p * (1 - p) / size), wilson_at(p, size, qnorm(tail)))
  }
  if (!several && length(sizes) == n) {
    like <- wilson_at(p, n, qnorm(tail))
    return(item_mean_row(p, these, sqrt(p * (1 - p) / n), like))
  }
  size <- if (variance > 0) p * (1 - p) / variance else length(sizes)
  size <- min(max(size, length(sizes)), n * runs)
  item_mean_row(p, these, sqrt(variance), wilson_at(p, size, t))
}

item_mean_row <- function(estimate, these, error, like) {
  c(
    estimate = estimate, error_these = these[1], low_these = these[2],
    high_these = these[3], error_like = error, low_like = like[1], high_like = like[2]
  )
}

wilson_at <- function(p, n, z) {
  centre <- (p + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- sqrt(p * (1 - p) * z^2 / n + z^4 / (4 * n^2)) / (1 + z^2 / n)
  c(if (p > 0) max(0, centre - half) else 0, if (p < 1) min(1, centre + half) else 1)
}
