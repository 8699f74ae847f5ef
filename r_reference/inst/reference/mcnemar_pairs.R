# McNemar's tests of pairs, with the interval of the share of the discordant cases on
# which the first has 1, and of its odds. Needs ranks.R, paired.R, sign.R, mcnemar.R,
# adjust.R, wilcoxon.R, signed_rank_pairs.R.

# x: cases x algorithms of 0 and 1; p_value as in mcnemar.R; control: name of an
# algorithm, or "" for all pairs. Intervals have the level of the last step of the
# decisions at alpha; level: theirs, if the decisions are not made here.
mcnemar_pairs_reference <- function(x, p_value, alpha = 0.05, adjust = "none",
                                    control = "", level = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  counts <- lapply(seq_len(nrow(pairs)), function(i) {
    one <- x[, pairs[i, 1]]
    other <- x[, pairs[i, 2]]
    c(sum(one == 1 & other == 0), sum(one == 0 & other == 1))
  })
  p <- vapply(counts, function(n) {
    if (sum(n) == 0) 1 else mcnemar_reference(n[1], n[2], p_value)$p_value
  }, 0)
  p_adjusted <- adjust_tested(p, adjust)
  last <- if (is.nan(level)) last_step(p, p_adjusted, alpha) else 1 - level
  decided <- if (is.nan(level)) p_adjusted <= alpha else p <= last
  columns <- as.list(as.data.frame(do.call(rbind, lapply(seq_along(p), function(i) {
    unlist(mcnemar_pair(counts[[i]][1], counts[[i]][2], p_value, decided[i], last))
  }))))
  columns <- not_null(c(columns, list(p_value = p, p_adjusted = p_adjusted)))
  of_pairs(columns, pairs, colnames(x))
}

mcnemar_pair <- function(only_1, only_2, p_value, decided, last) {
  n <- only_1 + only_2
  share <- only_1 / n
  limits <- c(0, 1)
  if (n > 0) {
    test <- mcnemar_reference(only_1, only_2, p_value, level = 1 - last)
    limits <- c(test$conf_low, test$conf_high)
  }
  limits <- agreeing_with(limits, share - 0.5, decided, 0.5, 2^-54, 2^-53)
  list(
    estimate = share, std_error = sqrt(share * (1 - share) / n),
    statistic = (only_1 - only_2) / sqrt(n), df = Inf,
    conf_low = limits[1], conf_high = limits[2],
    only_1 = only_1, only_2 = only_2,
    odds_ratio = only_1 / only_2,
    odds_low = limits[1] / (1 - limits[1]), odds_high = limits[2] / (1 - limits[2])
  )
}
