# Exchange of the two ranks of each case, all 2^n listed. Needs roc.R.

# truth: 0 and 1 per case; score: cases x two classifiers, a dozen cases at most.
auc_exchange_reference <- function(truth, score, alternative = "two.sided") {
  ranks <- apply(score, 2, rank)
  n <- length(truth)
  doubled_wins <- function(x) {
    d <- outer(x[truth == 1], x[truth == 0], "-")
    sum(sign(d))
  }
  difference <- function(swap) {
    doubled_wins(ifelse(swap, ranks[, 2], ranks[, 1])) -
      doubled_wins(ifelse(swap, ranks[, 1], ranks[, 2]))
  }
  swaps <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), n)))
  all <- apply(swaps, 1, difference)
  data <- difference(rep(FALSE, n))
  far <- switch(alternative,
    two.sided = abs(all) >= abs(data),
    greater = all >= data,
    less = all <= data
  )
  area <- apply(score, 2, function(s) as.numeric(roc_of(truth, s)$auc))
  list(statistic = unname(area[1] - area[2]), p_value = mean(far))
}
