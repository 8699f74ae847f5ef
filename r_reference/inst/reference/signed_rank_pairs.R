# Signed rank tests of pairs with Hodges-Lehmann estimates, p-values adjusted, and
# intervals at the level of the last step. Needs ranks.R, paired.R, wilcoxon.R, adjust.R.

# x: blocks x algorithms, NA if missing; control: name of an algorithm, or "" for all
# pairs; better: "higher" or "lower"; alpha: level of the decisions; level: that of each
# interval, NaN for levels that follow from the decisions in this table; scale: "ratio"
# for differences of logarithms, whose exp is returned. permutations, seed: of
# "step-down-flips" and "closed-permutation", which need joint_signed_ranks.R.
signed_rank_pairs_reference <- function(x, better, adjust = "none", control = "",
                                        alpha = 0.05, level = NaN,
                                        permutations = NULL, seed = 1,
                                        scale = "difference") {
  x <- on_scale(x, scale)
  pairs <- compared_pairs(colnames(x), control)
  differences <- lapply(seq_len(nrow(pairs)), function(i) {
    both <- x[, pairs[i, ], drop = FALSE]
    both[stats::complete.cases(both), , drop = FALSE]
  })
  tests <- do.call(rbind, lapply(differences, tested_difference, better))
  p <- tests[, "p_value"]
  if (is.null(permutations)) {
    p_adjusted <- adjust_tested(p, adjust)
    last <- if (is.nan(level)) last_step(p, p_adjusted, alpha) else 1 - level
    rejected <- p <= last
    last <- rep(last, length(p))
  } else {
    made <- joint_signed_ranks(
      x, pairs, differences, p, adjust, alpha, permutations, seed
    )
    p_adjusted <- made$p_adjusted
    last <- made$level
    rejected <- p_adjusted <= alpha
  }
  limits <- do.call(rbind, lapply(seq_along(differences), function(i) {
    agreeing_interval(differences[[i]], tests[i, "estimate"], rejected[i], last[i])
  }))
  nothing <- rep(NaN, nrow(pairs))
  columns <- not_null(list(
    estimate = from_scale(tests[, "estimate"], scale), std_error = nothing,
    statistic = tests[, "statistic"], df = nothing, p_value = p,
    p_adjusted = p_adjusted, conf_low = from_scale(limits[, 1], scale),
    conf_high = from_scale(limits[, 2], scale),
    conf_level = 1 - last,
    n_blocks = tests[, "n_blocks"], wins = tests[, "wins"], ties = tests[, "ties"],
    losses = tests[, "losses"]
  ))
  of_pairs(columns, pairs, colnames(x))
}

# One pair: the estimate, the signed rank sum, p (1 if the two contradict),
# counts.
tested_difference <- function(x, better) {
  if (nrow(x) == 0) {
    return(c(
      estimate = NaN, statistic = NaN, p_value = NaN, n_blocks = 0, wins = 0,
      ties = 0, losses = 0
    ))
  }
  d <- pair_differences(x)
  ranks <- signed_midranks(d, pair_noise(x), "wilcox")
  estimate <- walsh_interval(d, "two.sided", 0.5)$estimate
  total <- sum(ranks)
  p <- if (length(ranks) == 0 || estimate == 0 || sign(estimate) != sign(total)) {
    1
  } else {
    exact_signed_rank_p(ranks, "two.sided", "wilcox")
  }
  lower <- better == "lower"
  c(
    estimate = estimate, statistic = total, p_value = min(1, p), n_blocks = length(d),
    wins = sum(if (lower) d < 0 else d > 0), ties = sum(d == 0),
    losses = sum(if (lower) d > 0 else d < 0)
  )
}

# wilcox.test's interval, which holds 0 exactly when the test does not reject 0.
agreeing_interval <- function(x, estimate, rejected, last) {
  if (nrow(x) == 0) {
    return(c(NaN, NaN))
  }
  if (2 * 0.5^nrow(x) > last) {
    return(c(-Inf, Inf))
  }
  found <- walsh_interval(pair_differences(x), "two.sided", 1 - last)
  limits <- c(found$conf_low, found$conf_high)
  agreeing_with_0(limits, estimate, rejected)
}
