# Wilcoxon's signed-rank test by wilcox.test; exact with ties or zeros by
# coin::wilcoxsign_test. Needs ranks.R, paired.R, adjust.R.

# x: blocks x two algorithms; zeros: "wilcox" drops zero differences before ranking,
# "pratt" after; p_value: "exact", "normal" or "normal-corrected"; of_estimate: p is 1
# unless the estimate favours whom the rank sum does, and the interval agrees with it.
wilcoxon_reference <- function(x, alternative = "two.sided", level = 0.95,
                               zeros = "wilcox", p_value = "exact",
                               scale = "difference", of_estimate = FALSE) {
  x <- on_scale(x, scale)
  d <- pair_differences(x)
  signed <- signed_midranks(d, pair_noise(x), zeros)
  ranks <- abs(signed)
  v <- sum(ranks[signed > 0])
  tested <- any(d != 0)
  p <- if (!tested) {
    NaN
  } else if (p_value == "exact") {
    exact_signed_rank_p(signed, alternative, zeros)
  } else {
    normal_signed_rank_p(signed, alternative, zeros, p_value == "normal-corrected")
  }
  found <- walsh_interval(d, alternative, level)
  biserial <- (v - sum(ranks[signed < 0])) / sum(ranks)
  if (of_estimate && tested && sign(found$estimate) != sign(biserial)) p <- 1
  if (of_estimate && found$achieved_level >= level) {
    limits <- c(found$conf_low, found$conf_high)
    limits <- agreeing_with_0(limits, found$estimate, isTRUE(p <= 1 - level))
    found[c("conf_low", "conf_high")] <- as.list(limits)
  }
  for (name in c("estimate", "conf_low", "conf_high")) {
    found[[name]] <- from_scale(found[[name]], scale)
  }
  c(
    list(statistic = if (tested) v else NaN, p_value = p),
    found,
    list(rank_biserial = biserial)
  )
}

# Ranks of |d| with the sign of d, ties decided; functions of R may rank them again.
signed_midranks <- function(d, noise, zeros) {
  kept <- if (zeros == "wilcox") d != 0 else rep(TRUE, length(d))
  noise <- ifelse(d == 0, 0, noise)
  sign(d[kept]) * midranks(abs(d[kept]), noise[kept])
}

exact_signed_rank_p <- function(signed, alternative, zeros) {
  if (!anyDuplicated(abs(signed)) && all(signed != 0)) {
    return(wilcox.test(signed, exact = TRUE, alternative = alternative)$p.value)
  }
  test <- coin::wilcoxsign_test(
    signed ~ rep(0, length(signed)),
    zero.method = if (zeros == "pratt") "Pratt" else "Wilcoxon",
    distribution = "exact", alternative = alternative
  )
  as.vector(coin::pvalue(test))
}

normal_signed_rank_p <- function(signed, alternative, zeros, correct) {
  if (zeros == "wilcox" || all(signed != 0)) {
    test <- wilcox.test(
      signed, exact = FALSE, correct = correct, alternative = alternative
    )
    return(test$p.value)
  }
  # Pratt: moments of the ranks that are left.
  ranks <- abs(signed[signed != 0])
  distance <- sum(signed[signed > 0]) - sum(ranks) / 2
  step <- if (!correct) 0 else {
    switch(alternative, two.sided = sign(distance), greater = 1, less = -1) / 2
  }
  z <- (distance - step) / sqrt(sum(ranks^2) / 4)
  switch(alternative,
    two.sided = 2 * min(pnorm(z), pnorm(z, lower.tail = FALSE)),
    greater = pnorm(z, lower.tail = FALSE), less = pnorm(z)
  )
}

# Median of the means of two differences, and the interval of wilcox.test between them.
walsh_interval <- function(d, alternative, level) {
  n <- length(d)
  means <- outer(d / 2, d / 2, "+")
  means <- sort(means[!lower.tri(means)])
  sides <- if (alternative == "two.sided") 2 else 1
  q <- max(1, qsignrank((1 - level) / sides, n))
  list(
    estimate = median(means),
    conf_low = if (alternative == "less") -Inf else means[q],
    conf_high = if (alternative == "greater") Inf else means[length(means) + 1 - q],
    achieved_level = 1 - sides * psignrank(q - 1, n)
  )
}
