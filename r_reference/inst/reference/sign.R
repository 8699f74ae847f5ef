# Exact sign test by binom.test. Needs ranks.R, paired.R.

# x: blocks x two algorithms; ties: "drop", or "split" equally and drop an odd one.
sign_test_reference <- function(x, alternative = "two.sided", level = 0.95,
                                ties = "drop") {
  d <- pair_differences(x)
  each <- if (ties == "split") sum(d == 0) %/% 2 else 0
  share <- binomial_share(sum(d > 0) + each, sum(d < 0) + each, alternative, level)
  c(share, list(positive = sum(d > 0), negative = sum(d < 0)))
}

# Test of share 1/2, and the share with its interval; NaN without trials.
binomial_share <- function(above, below, alternative, level) {
  if (above + below == 0) {
    return(list(
      statistic = NaN, p_value = NaN, estimate = NaN, conf_low = NaN, conf_high = NaN,
      n_used = 0
    ))
  }
  test <- binom.test(above, above + below, alternative = alternative, conf.level = level)
  list(
    statistic = above, p_value = test$p.value, estimate = unname(test$estimate),
    conf_low = test$conf.int[1], conf_high = test$conf.int[2], n_used = above + below
  )
}
