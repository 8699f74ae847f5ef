# Friedman's test, Iman and Davenport's F, Kendall's W. Needs ranks.R.
#
# stats::friedman.test corrects for ties; the uncorrected form of the papers (Demsar
# 2006) is not in R's packages as such and is written out.

# x: blocks x algorithms. better: "higher" or "lower". ties: "corrected" or
# "uncorrected". level: confidence level of the interval for W.
friedman_reference <- function(x, better, ties, level = 0.95) {
  ranks <- rank_rows(lower_is_better(x, better))
  n <- nrow(ranks)
  a <- ncol(ranks)
  corrected <- ties == "corrected"
  chi2 <- if (corrected) {
    stats::friedman.test(ranks)$statistic[[1]]
  } else {
    chi2_uncorrected(ranks)
  }
  f <- iman_davenport(ranks, chi2, corrected)
  interval <- kendall_w_interval(ranks, corrected, level)
  list(
    statistic = chi2,
    df = a - 1,
    p_value = pchisq(chi2, a - 1, lower.tail = FALSE),
    iman_davenport = f$statistic,
    iman_davenport_df = c(a - 1, (a - 1) * (n - 1)),
    iman_davenport_p_value = f$p_value,
    mean_ranks = colMeans(ranks),
    kendall_w = chi2 / (n * (a - 1)),
    kendall_w_conf_low = interval[1],
    kendall_w_conf_high = interval[2]
  )
}

# 12 / (n a (a + 1)) times the sum of squared centred rank sums.
chi2_uncorrected <- function(ranks) {
  n <- nrow(ranks)
  a <- ncol(ranks)
  12 / (n * a * (a + 1)) * sum((colSums(ranks) - n * (a + 1) / 2)^2)
}

# The same, over the mean variance that the ranks have relative to ranks without ties:
# the statistic of friedman.test, which is too slow to be called once for each block.
chi2_corrected <- function(ranks) {
  a <- ncol(ranks)
  share <- mean(rowSums((ranks - (a + 1) / 2)^2)) / (a * (a^2 - 1) / 12)
  chi2_uncorrected(ranks) / share
}

# F made from chi2. With chi2 at its maximum n (a - 1), F is infinite and its tail 0:
# the exact p-value is given instead.
iman_davenport <- function(ranks, chi2, corrected) {
  n <- nrow(ranks)
  a <- ncol(ranks)
  untied <- all(apply(ranks, 1, anyDuplicated) == 0)
  if (!is.nan(chi2) && rows_agree(ranks) && (corrected || untied)) {
    return(list(statistic = Inf, p_value = perfect_agreement_p(ranks)))
  }
  f <- (n - 1) * chi2 / (n * (a - 1) - chi2)
  list(
    statistic = f,
    p_value = pf(f, a - 1, (a - 1) * (n - 1), lower.tail = FALSE)
  )
}

# Jackknife interval for W: leave out one block at a time, on the scale of the mean
# rank correlation of two blocks, r = (n W - 1) / (n - 1), by way of Fisher's z.
kendall_w_interval <- function(ranks, corrected, level) {
  n <- nrow(ranks)
  correlation <- function(some) {
    chi2 <- if (corrected) chi2_corrected(some) else chi2_uncorrected(some)
    (chi2 / (ncol(some) - 1) - 1) / (nrow(some) - 1)
  }
  without <- vapply(
    seq_len(n), function(block) correlation(ranks[-block, , drop = FALSE]), 0
  )
  r <- correlation(ranks)
  if (n < 3 || ncol(ranks) < 3 || !all(is.finite(c(r, without))) || r >= 1 - 1e-12) {
    return(c(NaN, NaN))
  }
  pseudovalues <- n * r - (n - 1) * without
  spread <- sd(pseudovalues) / sqrt(n)
  if (spread <= 1e-9) { # every block agrees as much with the others: no error to see
    return(c(NaN, NaN))
  }
  half <- qt((1 - level) / 2, n - 1, lower.tail = FALSE) * spread
  # Delta method: the standard error of atanh(r) is that of r over 1 - r^2.
  limits <- tanh(atanh(r) + c(-half, half) / (1 - r^2))
  pmax(0, (1 + (n - 1) * limits) / n)
}
