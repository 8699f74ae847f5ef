# DeLong's tests by pROC; the test of all curves by the inverse of the covariance of
# differences, which pROC has not. Needs adjust.R, roc.R, signed_rank_pairs.R.

# truth: 0 and 1 per case; score: cases x classifiers; drawn_p: of pairs, NA for most.
# control: place of a classifier, or 0 for all pairs.
# alpha: of the decisions with which intervals agree; level: of each by itself instead.
delong_reference <- function(truth, score, adjust = "holm", alpha = 0.05, level = NaN,
                             drawn_p = NULL, control = 0) {
  curves <- lapply(seq_len(ncol(score)), function(j) roc_of(truth, score[, j]))
  area <- vapply(curves, function(curve) as.numeric(curve$auc), 0)
  covariance <- outer(seq_along(curves), seq_along(curves), Vectorize(function(i, j) {
    as.numeric(pROC::cov(curves[[i]], curves[[j]], method = "delong"))
  }))
  pairs <- curve_pairs(score, control)
  tests <- apply(pairs, 1, function(pair) {
    delong_pair(curves[[pair[1]]], curves[[pair[2]]], 0.95)
  })
  p <- with_drawn(tests["p_value", ], drawn_p)
  p_adjusted <- adjust_tested(p, adjust)
  limits <- delong_limits(tests["estimate", ], p, p_adjusted, alpha, level, function(at) {
    apply(pairs, 1, function(pair) {
      delong_pair(curves[[pair[1]]], curves[[pair[2]]], at)[c("conf_low", "conf_high")]
    })
  })
  all_equal <- equal_areas(area, covariance)
  list(
    area = area, covariance = as.vector(covariance),
    estimate = tests["estimate", ], std_error = tests["std_error", ],
    statistic = tests["statistic", ], p_value = p,
    df = rep(Inf, length(p)), p_adjusted = p_adjusted,
    conf_low = limits[1, ], conf_high = limits[2, ],
    omnibus_statistic = all_equal$statistic, omnibus_df = all_equal$df,
    omnibus_p_value = all_equal$p_value
  )
}

# All pairs of curves, or each with the control.
curve_pairs <- function(score, control) {
  if (control == 0) {
    return(t(combn(ncol(score), 2)))
  }
  cbind(setdiff(seq_len(ncol(score)), control), control)
}

# limits_at: from a level to the limits of all pairs, in two rows.
delong_limits <- function(estimate, p, p_adjusted, alpha, level, limits_at) {
  if (!is.nan(level)) {
    return(limits_at(level))
  }
  limits <- limits_at(1 - last_step(p, p_adjusted, alpha))
  for (i in which(!is.na(limits[1, ]))) {
    limits[, i] <- agreeing_with_0(limits[, i], estimate[i], p_adjusted[i] <= alpha)
  }
  limits
}

# pROC gives two curves without a difference of any variance z = 0 and p = 1.
delong_pair <- function(roc1, roc2, level) {
  test <- pROC::roc.test(
    roc1, roc2,
    method = "delong", paired = TRUE, conf.level = level
  )
  estimate <- unname(test$estimate[1] - test$estimate[2])
  parts <- c(
    estimate = estimate, std_error = diff(test$conf.int) / 2 / qnorm((1 + level) / 2),
    statistic = unname(test$statistic), p_value = test$p.value,
    conf_low = test$conf.int[1], conf_high = test$conf.int[2]
  )
  if (parts["std_error"] == 0) {
    parts[c("statistic", "p_value", "conf_low", "conf_high")] <- NaN
  }
  parts
}

# p-values with those that were drawn, of pairs without variance whose areas differ: the
# exchanges of another generator of random numbers cannot be repeated.
with_drawn <- function(p, drawn_p) {
  if (is.null(drawn_p)) p else ifelse(is.na(drawn_p), p, drawn_p)
}

# Chi-squared of neighbouring differences (AUC 1 - 2, 2 - 3, ...), generalised inverse.
equal_areas <- function(area, covariance) {
  contrasts <- diff(diag(length(area)))
  d <- contrasts %*% area
  v <- contrasts %*% covariance %*% t(contrasts)
  e <- eigen(v, symmetric = TRUE)
  used <- e$values > 1e-10 * max(diag(covariance))
  if (!any(used)) {
    return(list(statistic = NaN, df = 0, p_value = NaN))
  }
  z <- crossprod(e$vectors[, used, drop = FALSE], d) / sqrt(e$values[used])
  statistic <- sum(z^2)
  list(
    statistic = statistic, df = sum(used),
    p_value = pchisq(statistic, sum(used), lower.tail = FALSE)
  )
}
