# Exact sign tests of all pairs of a table of wins by binom.test. Needs adjust.R.

# wins: row beats column, on so many of n_datasets data sets. ties: "split" equally and
# drop an odd one, or "drop". alternative: "two-sided" for the pairs (1, 2), (1, 3), ...,
# "greater" for all ordered pairs, row by row. control: only pairs with it, it second.
sign_grid_reference <- function(wins, n_datasets, ties, alternative, adjust,
                                level = 0.95, control = "") {
  wins <- as.matrix(wins)
  a <- nrow(wins)
  pairs <- expand.grid(second = seq_len(a), first = seq_len(a))
  pairs <- pairs[if (alternative == "greater") {
    pairs$first != pairs$second
  } else {
    pairs$first < pairs$second
  }, ]
  if (nzchar(control)) {
    at <- match(control, rownames(wins))
    pairs <- data.frame(second = at, first = setdiff(seq_len(a), at))
  }
  tests <- Map(function(i, j) {
    sign_of_counts(
      wins[i, j], wins[j, i], n_datasets, ties, alternative,
      1 - (1 - level) / nrow(pairs)
    )
  }, pairs$first, pairs$second)
  column <- function(name) vapply(tests, function(one) one[[name]], 0)
  p <- column("p_value")
  # All data sets that count on one side: the smallest p-value that there can be.
  smallest <- pmin(1, (if (alternative == "greater") 1 else 2) * 2^-column("n"))
  list(
    estimate = 1 - 2 * column("share"), statistic = column("above"),
    std_error = 0 * p + NaN, df = 0 * p + NaN,
    n_used = column("n"), p_value = p, p_adjusted = adjust_tested(p, adjust),
    p_smallest = adjust_tested(smallest, adjust),
    conf_low = 1 - 2 * column("high"), conf_high = 1 - 2 * column("low")
  )
}

sign_of_counts <- function(won, lost, n, ties, alternative, level) {
  each <- if (ties == "split") (n - won - lost) %/% 2 else 0
  above <- won + each
  used <- above + lost + each
  if (used == 0) {
    return(list(
      share = NaN, above = NaN, n = 0, p_value = NaN, low = NaN, high = NaN
    ))
  }
  test <- binom.test(above, used,
    alternative = if (alternative == "greater") "greater" else "two.sided",
    conf.level = level
  )
  list(
    share = above / used, above = above, n = used, p_value = test$p.value,
    low = test$conf.int[1], high = test$conf.int[2]
  )
}
