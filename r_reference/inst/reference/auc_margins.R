# AUCs of pairs against a margin: estimates and errors of DeLong's tests by pROC, in
# clusters by the own derivation; z moved by the margins. Needs adjust.R, roc.R,
# signed_rank_pairs.R, matched_shares.R, delong.R, delong_clusters.R.

# truth: 0 and 1 per case; score: cases x classifiers; an infinite margin leaves its test
# out; control: place of a classifier, or 0 for all pairs; level: that of each interval,
# NaN for what follows from the decisions here.
auc_margins_reference <- function(truth, score, margin_low, margin_high, alpha,
                                  adjust = "holm", control = 0, level = NaN,
                                  cluster = NULL) {
  pairs <- curve_pairs(score, control)
  made <- auc_differences(truth, score, pairs, cluster)
  estimate <- made$estimate
  error <- made$std_error
  side <- function(end, sign) {
    z <- if (is.infinite(end)) {
      rep(NaN, length(error))
    } else {
      ifelse(error > 0, (estimate - end) / error, NaN)
    }
    list(z = z, p = pnorm(sign * z, lower.tail = FALSE))
  }
  lower <- side(margin_low, 1)
  upper <- side(margin_high, -1)
  p <- pmax(lower$p, upper$p, na.rm = TRUE)
  # A difference of 0 has equal tests at both ends, but for the rounding of its areas.
  as_large <- lower$p >= upper$p * (1 - 1e-12)
  first <- is.nan(upper$p) | (!is.nan(lower$p) & as_large)
  p_adjusted <- adjust_tested(p, adjust)
  last <- margin_step(p, p_adjusted, alpha, level, margin_low, margin_high)
  half <- ifelse(error > 0, qnorm(last, lower.tail = FALSE) * error, NaN)
  limit <- function(i, found, end, p, sign) {
    if (is.finite(end) && is.nan(p[i])) {
      return(NaN)
    }
    agreeing_limit(found[i], end, p[i] <= last, sign)
  }
  places <- seq_along(p)
  list(
    estimate = estimate, std_error = error,
    statistic = ifelse(first, lower$z, upper$z), df = rep(Inf, length(p)),
    p_lower = lower$p, p_upper = upper$p, p_value = p, p_adjusted = p_adjusted,
    conf_low = vapply(places, limit, 0, estimate - half, margin_low, lower$p, 1),
    conf_high = vapply(places, limit, 0, estimate + half, margin_high, upper$p, -1)
  )
}

# Differences of AUCs with their standard errors.
auc_differences <- function(truth, score, pairs, cluster = NULL) {
  if (is.null(cluster)) {
    curves <- lapply(seq_len(ncol(score)), function(j) roc_of(truth, score[, j]))
    tests <- apply(pairs, 1, function(pair) {
      delong_pair(curves[[pair[1]]], curves[[pair[2]]], 0.95)
    })
    return(list(estimate = tests["estimate", ], std_error = tests["std_error", ]))
  }
  score <- as.matrix(score)
  wins <- lapply(seq_len(ncol(score)), function(j) wins_of(truth, score[, j]))
  away <- apply(pairs, 1, function(pair) {
    list(wins[[pair[1]]] - wins[[pair[2]]])
  })
  list(
    estimate = vapply(away, function(one) mean(one[[1]]), 0),
    std_error = vapply(away, function(one) {
      sqrt(drop(cluster_covariance(one, truth, cluster)))
    }, 0)
  )
}
