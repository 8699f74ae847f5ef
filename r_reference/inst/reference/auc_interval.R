# Confidence intervals of one AUC: DeLong by pROC, the others from their papers. Needs
# roc.R.

# truth: 0 and 1 per case; score: cases x one classifier.
auc_interval_reference <- function(truth, score, method, level = 0.95,
                                   threshold = NULL, fold = NULL) {
  s <- score[, 1]
  curve <- roc_of(truth, s)
  area <- as.numeric(curve$auc)
  interval <- switch(method,
    "effective-size" = effective_interval(curve, area, truth, level),
    "delong" = delong_interval(curve, area, level),
    "delong-logit" = logit_interval(curve, area, level),
    "hanley-mcneil" = hanley_mcneil_interval(area, truth, level),
    "cortes-mohri" = cortes_mohri_interval(area, truth, s >= threshold, level),
    "agarwal" = agarwal_interval(area, truth, level),
    "fold-t" = fold_interval(truth, s, fold, level)
  )
  interval$conf_low <- max(0, interval$conf_low)
  interval$conf_high <- min(1, interval$conf_high)
  interval
}

interval_of <- function(estimate, std_error, low, high) {
  list(estimate = estimate, std_error = std_error, conf_low = low, conf_high = high)
}

# pROC says 1 to 1 if the variance is 0.
delong_interval <- function(curve, area, level) {
  error <- sqrt(pROC::var(curve, method = "delong"))
  ci <- as.vector(pROC::ci.auc(curve, method = "delong", conf.level = level))
  if (error == 0) ci[] <- NaN
  interval_of(area, error, ci[1], ci[3])
}

# Own derivation: Clopper-Pearson at an effective number of cases, from DeLong's variance
# and the size of the smaller class.
effective_interval <- function(curve, area, truth, level) {
  least <- min(sum(truth == 1), sum(truth == 0))
  error <- if (least > 1) sqrt(pROC::var(curve, method = "delong")) else NaN
  limits <- limits_at_size(area, effective_size(area, error^2, least), level)
  interval_of(area, error, limits[1], limits[2])
}

effective_size <- function(area, variance, least) {
  spread <- area * (1 - area)
  if (!isTRUE(variance > 0 && spread > 0)) {
    return(least)
  }
  w <- 1 / (1 + least * spread)^2
  max(least, 1 / ((1 - w) * variance / spread + w / least))
}

# qbeta with a shape of 0 is 0 or 1.
limits_at_size <- function(area, n, level) {
  tail <- (1 - level) / 2
  x <- n * area
  y <- n * (1 - area)
  c(qbeta(tail, x, y + 1), qbeta(tail, x + 1, y, lower.tail = FALSE))
}

logit_interval <- function(curve, area, level) {
  error <- sqrt(pROC::var(curve, method = "delong"))
  limits <- plogis(qlogis(area) + c(-1, 1) * qnorm((1 + level) / 2) *
    error / (area * (1 - area)))
  interval_of(area, error, limits[1], limits[2])
}

hanley_mcneil_error <- function(area, truth) {
  n1 <- sum(truth == 1)
  n0 <- sum(truth == 0)
  q1 <- area / (2 - area)
  q2 <- 2 * area^2 / (1 + area)
  sqrt((area * (1 - area) + (n1 - 1) * (q1 - area^2) + (n0 - 1) * (q2 - area^2)) /
    (n1 * n0))
}

hanley_mcneil_interval <- function(area, truth, level) {
  error <- hanley_mcneil_error(area, truth)
  half <- if (error == 0) NaN else qnorm((1 + level) / 2) * error
  interval_of(area, error, area - half, area + half)
}

agarwal_interval <- function(area, truth, level) {
  rho <- mean(truth)
  half <- sqrt(log(2 / (1 - level)) / (2 * rho * (1 - rho) * length(truth)))
  interval_of(area, NaN, area - half, area + half)
}

fold_interval <- function(truth, s, fold, level) {
  areas <- vapply(split(seq_along(s), fold), function(i) {
    as.numeric(roc_of(truth[i], s[i])$auc)
  }, 0)
  test <- t.test(areas, conf.level = level)
  interval_of(unname(test$estimate), test$stderr, test$conf.int[1], test$conf.int[2])
}

cortes_mohri_interval <- function(area, truth, predicted, level) {
  m <- sum(truth == 1)
  n <- sum(truth == 0)
  errors <- sum(predicted != (truth == 1))
  part <- sqrt(level)
  share <- binom.test(errors, m + n, conf.level = part)$conf.int
  few <- cortes_mohri_moments(floor(share[1] * (m + n)), m, n)
  many <- cortes_mohri_moments(ceiling(share[2] * (m + n)), m, n)
  width <- 1 / sqrt(1 - part)
  interval_of(
    area, NaN,
    many$mean - width * many$sd, few$mean + width * few$sd
  )
}

# Weights by binomial coefficients; the number of pairs won by a random order of a
# positives and b negatives has the mean a b / 2 and the variance of wilcox.test.
cortes_mohri_moments <- function(k, m, n) {
  x <- max(0, k - m):min(k, n)
  a <- m - k + x
  b <- x
  c <- k - x
  d <- n - x
  log_weight <- lchoose(a + b, b) + lchoose(c + d, c)
  weight <- exp(log_weight - max(log_weight))
  weight <- weight / sum(weight)
  wins <- a * d + a * b / 2 + c * d / 2
  variance <- a * b * (a + b + 1) / 12 + c * d * (c + d + 1) / 12
  mean <- sum(weight * wins)
  # E of squares minus square of E, around the mean.
  sd <- sqrt(sum(weight * (variance + wins^2)) - mean^2)
  list(mean = mean / (m * n), sd = sd / (m * n))
}
