# Measures of two-class predictions. positive: 1 and 0; score: higher is more positive.

# Counts at one threshold: a case is called positive if its score >= threshold.
confusion_counts <- function(positive, score, threshold) {
  called <- factor(score >= threshold, levels = c(TRUE, FALSE))
  truth <- factor(positive == 1, levels = c(TRUE, FALSE))
  m <- table(called, truth)
  list(tp = m[1, 1], fp = m[1, 2], fn = m[2, 1], tn = m[2, 2])
}

# All rates at each of the thresholds, by their definitions; 0/0 is NaN.
confusion_reference <- function(positive, score, threshold) {
  at <- lapply(threshold, function(t) rates_at(positive, score, t))
  names <- names(at[[1]])
  setNames(lapply(names, function(n) vapply(at, function(r) r[[n]], 0)), names)
}

rates_at <- function(positive, score, threshold) {
  m <- lapply(confusion_counts(positive, score, threshold), as.numeric)
  called <- as.numeric(score >= threshold)
  n <- length(score)
  observed <- mean(called == positive)
  share <- mean(called) * mean(positive) + mean(1 - called) * mean(1 - positive)
  tpr <- mean(called[positive == 1])
  tnr <- mean(1 - called[positive == 0])
  precision <- mean(positive[called == 1])
  # The harmonic mean of precision and recall, 0 if no true positive is.
  f1 <- if (m$tp > 0) 2 / (1 / precision + 1 / tpr) else if (m$fp + m$fn > 0) 0 else NaN
  constant <- length(unique(called)) < 2 || length(unique(positive)) < 2
  list(
    tp = m$tp, fp = m$fp, fn = m$fn, tn = m$tn,
    tpr = tpr, fpr = mean(called[positive == 0]), tnr = tnr, fnr = 1 - tpr,
    precision = precision, npv = mean(1 - positive[called == 0]),
    error = mean(called != positive), accuracy = observed,
    balanced_accuracy = (tpr + tnr) / 2, f1 = f1,
    mcc = if (constant) NaN else cor(called, positive),
    kappa = if (share == 1) NaN else (observed - share) / (1 - share)
  )
}

# Cumulative counts at the distinct scores, falling.
curve_steps <- function(positive, score) {
  o <- order(score, decreasing = TRUE)
  last <- which(c(diff(score[o]) != 0, TRUE))
  list(
    score = score[o][last],
    tp = cumsum(positive[o])[last],
    fp = cumsum(1 - positive[o])[last]
  )
}

# How many negative cases each stands for, if the share of positive ones is another.
negative_weight <- function(positive, prevalence) {
  if (is.null(prevalence)) {
    return(1)
  }
  (1 - prevalence) / prevalence * sum(positive) / sum(1 - positive)
}

pr_curve_reference <- function(positive, score, prevalence = NULL) {
  s <- curve_steps(positive, score)
  s$fp <- s$fp * negative_weight(positive, prevalence)
  list(
    threshold = c(Inf, s$score),
    recall = c(0, s$tp / sum(positive)),
    precision = c(1, s$tp / (s$tp + s$fp))
  )
}

# The achievable curve: chull() finds the corners of the ROC curve's hull with the corner
# (all negatives, 0) below it; false positives between them by approx().
pr_hull_reference <- function(positive, score, prevalence = NULL) {
  s <- curve_steps(positive, score)
  below <- sum(1 - positive)
  x <- c(0, s$fp, below)
  y <- c(0, s$tp, 0)
  corners <- sort(chull(x, y))
  corners <- corners[x[corners] < below | y[corners] > 0]
  fp <- x[corners]
  tp <- y[corners]
  rising <- c(TRUE, diff(tp) > 0)
  caught <- 0:max(tp)
  wrong <- approx(tp[rising], fp[rising], caught)$y
  if (!all(rising)) {
    caught <- c(caught, max(tp))
    wrong <- c(wrong, max(fp))
  }
  weight <- negative_weight(positive, prevalence)
  precision <- caught / (caught + weight * wrong)
  precision[1] <- tp[2] / (tp[2] + weight * fp[2])
  list(fp = wrong, recall = caught / max(tp), precision = precision)
}

# auc: stats::wilcox.test; auc_pr: trapezoids; Davis-Goadrich: one point for each true
# positive, written out; average precision: a sum over the positive cases.
curve_areas_reference <- function(positive, score, prevalence = NULL) {
  x <- score[positive == 1]
  y <- score[positive == 0]
  u <- suppressWarnings(wilcox.test(x, y, exact = FALSE)$statistic)
  pr <- pr_curve_reference(positive, score, prevalence)
  dr <- diff(pr$recall)
  list(
    auc = as.numeric(u) / (length(x) * length(y)),
    auc_pr = sum(dr * (head(pr$precision, -1) + tail(pr$precision, -1)) / 2),
    auc_pr_davis_goadrich = davis_goadrich(positive, score, prevalence),
    average_precision = mean(vapply(x, function(t) {
      weights <- ifelse(positive == 1, 1, negative_weight(positive, prevalence))
      stats::weighted.mean(positive[score >= t], weights[score >= t])
    }, 0))
  )
}

davis_goadrich <- function(positive, score, prevalence = NULL) {
  s <- curve_steps(positive, score)
  s$fp <- s$fp * negative_weight(positive, prevalence)
  a <- c(0, 0)
  area <- 0
  for (k in seq_along(s$tp)) {
    b <- c(s$tp[k], s$fp[k])
    if (b[1] > a[1]) {
      gained <- seq(0, b[1] - a[1])
      tp <- a[1] + gained
      fp <- a[2] + (b[2] - a[2]) / (b[1] - a[1]) * gained
      p <- tp / (tp + fp)
      if (is.nan(p[1])) p[1] <- p[2]
      area <- area + sum((head(p, -1) + tail(p, -1)) / 2)
    }
    a <- b
  }
  area / sum(positive)
}

# Area under the ROC curve over false positive rates from low to high: the curve by
# approx(), integrated exactly between its corners.
partial_auc_reference <- function(positive, score, low, high) {
  s <- curve_steps(positive, score)
  fpr <- c(0, s$fp / sum(1 - positive))
  tpr <- c(0, s$tp / sum(positive))
  corners <- sort(unique(c(low, high, fpr[fpr > low & fpr < high])))
  middle <- (head(corners, -1) + tail(corners, -1)) / 2
  # At a vertical part approx() would average; the middles are never there.
  top <- !duplicated(fpr, fromLast = TRUE)
  foot <- !duplicated(fpr)
  height <- vapply(middle, function(at) {
    left <- max(which(fpr[top] < at))
    right <- min(which(fpr[foot] > at))
    approx(c(fpr[top][left], fpr[foot][right]), c(tpr[top][left], tpr[foot][right]), at)$y
  }, 0)
  list(partial_auc = sum(diff(corners) * height))
}

# Precision where it equals recall, and the largest distance of the distribution of
# negative scores above that of positive ones.
rank_measures_reference <- function(positive, score) {
  x <- ecdf(score[positive == 1])(score)
  y <- ecdf(score[positive == 0])(score)
  list(
    break_even = positives_among(positive, score, sum(positive)) / sum(positive),
    ks = max(y - x)
  )
}

# Expected positive cases among so many with the highest scores, ties in random order:
# each case is among them with its own probability.
positives_among <- function(positive, score, called) {
  among <- vapply(score, function(s) {
    (called - sum(score > s)) / sum(score == s)
  }, 0)
  sum(positive * pmin(1, pmax(0, among)))
}

lift_reference <- function(positive, score, share) {
  called <- share * length(score)
  list(lift = positives_among(positive, score, called) / called / mean(positive))
}

probability_scores_reference <- function(positive, score) {
  bin <- findInterval(score, 0:10 / 10, rightmost.closed = TRUE)
  of_bins <- function(x) tapply(x, bin, mean)
  apart <- abs(of_bins(score) - of_bins(positive))
  list(
    brier = mean((score - positive)^2),
    log_loss = -mean(dbinom(positive, 1, score, log = TRUE)),
    ece = weighted.mean(apart, table(bin))
  )
}

# Caruana and Niculescu-Mizil's mean of accuracy, AUC and 1 - root mean squared error.
sar_reference <- function(positive, score, threshold) {
  accuracy <- vapply(threshold, function(t) mean((score >= t) == positive), 0)
  area <- curve_areas_reference(positive, score)$auc
  distance <- sqrt(probability_scores_reference(positive, score)$brier)
  list(sar = (accuracy + area + 1 - distance) / 3)
}

# costs: true positive, false positive, false negative, true negative.
risk_reference <- function(positive, score, threshold, costs) {
  m <- confusion_counts(positive, score, threshold)
  total <- sum(costs * unlist(m))
  list(total_loss = total, mean_loss = total / length(score))
}
