# DeLong's tests if cases are in clusters (Obuchowski 1997): own derivation in base R.
# pROC has no clusters. All pairs of cases are listed. Needs adjust.R, delong.R.

# truth: 0 and 1 per case; score: cases x classifiers; cluster: a number per case.
delong_clusters_reference <- function(truth, score, cluster, adjust = "holm",
                                      alpha = 0.05, level = NaN, drawn_p = NULL,
                                      control = 0) {
  pairs <- curve_pairs(score, control)
  score <- as.matrix(score)
  wins <- lapply(seq_len(ncol(score)), function(j) wins_of(truth, score[, j]))
  area <- vapply(wins, mean, 0)
  covariance <- cluster_covariance(wins, truth, cluster)
  # Wins are subtracted before they are summed: a variance of 0 is 0.
  variance <- apply(pairs, 1, function(pair) {
    drop(cluster_covariance(list(wins[[pair[1]]] - wins[[pair[2]]]), truth, cluster))
  })
  estimate <- apply(pairs, 1, function(pair) mean(wins[[pair[1]]] - wins[[pair[2]]]))
  se <- sqrt(variance)
  z <- ifelse(se > 0, estimate / se, NaN)
  p <- with_drawn(2 * pnorm(-abs(z)), drawn_p)
  p_adjusted <- adjust_tested(p, adjust)
  limits <- delong_limits(estimate, p, p_adjusted, alpha, level, function(at) {
    half <- ifelse(se > 0, qnorm((1 - at) / 2, lower.tail = FALSE) * se, NaN)
    rbind(estimate - half, estimate + half)
  })
  all_equal <- equal_areas(area, covariance)
  list(
    area = area, covariance = as.vector(covariance),
    estimate = estimate, std_error = se, statistic = z, p_value = p,
    df = rep(Inf, length(p)), p_adjusted = p_adjusted,
    conf_low = limits[1, ], conf_high = limits[2, ],
    omnibus_statistic = all_equal$statistic, omnibus_df = all_equal$df,
    omnibus_p_value = all_equal$p_value
  )
}

# Positive x negative cases: 1 if the positive one is higher, 1/2 if they tie.
wins_of <- function(truth, x) {
  outer(x[truth == 1], x[truth == 0], function(a, b) (a > b) + (a == b) / 2)
}

# Covariances of the means of wins: those of the sums over clusters of rows (positive
# cases) and of columns (negative cases), and of the one with the other.
cluster_covariance <- function(wins, truth, cluster) {
  sums <- function(values, of, n) {
    d <- vapply(values, function(v) v - mean(v), values[[1]])
    list(totals = rowsum(d, of) / length(of), factor = n / (n - 1))
  }
  positive <- cluster[truth == 1]
  negative <- cluster[truth == 0]
  s1 <- sums(lapply(wins, rowMeans), positive, length(unique(positive)))
  s0 <- sums(lapply(wins, colMeans), negative, length(unique(negative)))
  both <- intersect(rownames(s1$totals), rownames(s0$totals))
  n <- length(unique(cluster))
  cross <- crossprod(
    s1$totals[both, , drop = FALSE], s0$totals[both, , drop = FALSE]
  ) * n / (n - 1)
  s1$factor * crossprod(s1$totals) + s0$factor * crossprod(s0$totals) + cross + t(cross)
}

# Interval of one AUC at its effective size (needs auc_interval.R), normal or on the
# scale log(A / (1 - A)).
auc_interval_clusters_reference <- function(truth, score, cluster, method,
                                            level = 0.95) {
  wins <- wins_of(truth, as.matrix(score)[, 1])
  area <- mean(wins)
  sizes <- lapply(split(cluster, truth), table)
  error <- NaN
  if (min(lengths(sizes)) > 1) {
    error <- sqrt(drop(cluster_covariance(list(wins), truth, cluster)))
  }
  if (method == "effective-size") {
    least <- min(vapply(sizes, function(n) sum(n)^2 / sum(n^2), 0))
    limits <- limits_at_size(area, effective_size(area, error^2, least), level)
    return(interval_of(area, error, limits[1], limits[2]))
  }
  z <- c(-1, 1) * qnorm((1 + level) / 2) * error
  limits <- if (error == 0) {
    c(NaN, NaN)
  } else if (method == "delong-logit") {
    plogis(qlogis(area) + z / (area * (1 - area)))
  } else {
    pmin(pmax(area + z, 0), 1)
  }
  list(estimate = area, std_error = error, conf_low = limits[1], conf_high = limits[2])
}
