# Pairs on items that all share their runs: the largest of three p-values. Mean squares of
# aov; Hillis (2007) for both. The largest of three is our own derivation. Needs ranks.R,
# paired.R, adjust.R, wilcoxon.R, signed_rank_pairs.R.

# x: (items x runs) x algorithms, the runs of an item one after another.
crossed_pairs_reference <- function(x, runs, alpha, adjust = "holm", control = "",
                                    level = NaN) {
  pairs <- compared_pairs(colnames(x), control)
  tests <- lapply(seq_len(nrow(pairs)), function(i) {
    crossed_tests(unname(x[, pairs[i, 1]] - x[, pairs[i, 2]]), runs)
  })
  columns <- as.data.frame(do.call(rbind, lapply(tests, crossed_row, runs)))
  p_adjusted <- adjust_tested(columns$p_value, adjust)
  last <- if (is.nan(level)) last_step(columns$p_value, p_adjusted, alpha) else 1 - level
  decided <- if (is.nan(level)) p_adjusted <= alpha else columns$p_value <= last
  limits <- vapply(seq_len(nrow(columns)), function(i) {
    each <- tests[[i]]
    critical <- ifelse(each$se == 0, 0, qt(last / 2, each$df, lower.tail = FALSE))
    half <- max(critical * each$se)
    if (half == 0) {
      return(c(NaN, NaN))
    }
    agreeing_with_0(each$mean + c(-half, half), each$mean, decided[i])
  }, c(0, 0))
  columns <- not_null(c(as.list(columns), list(
    p_adjusted = p_adjusted, conf_low = limits[1, ], conf_high = limits[2, ]
  )))
  of_pairs(columns, pairs, colnames(x))
}

crossed_tests <- function(d, runs) {
  items <- length(d) / runs
  item <- factor(rep(seq_len(items), each = runs))
  run <- factor(rep(seq_len(runs), items))
  ms <- summary(aov(d ~ item + run))[[1]][["Mean Sq"]]
  ms[ms <= 1e-24 * max(abs(d), 1e-300)^2] <- 0
  both <- ms[2] + max(ms[1] - ms[3], 0)
  list(
    mean = mean(d), se = sqrt(c(ms[1], ms[2], both) / length(d)),
    df = c(items - 1, runs - 1, if (ms[2] > 0) (runs - 1) * (both / ms[2])^2 else Inf)
  )
}

crossed_row <- function(test, runs) {
  t <- abs(test$mean) / test$se
  p <- if (test$mean == 0) c(1, 1, 1) else pmin(1, 2 * pt(-t, test$df))
  at <- order(p, test$se)[3]
  constant <- test$mean != 0 && all(test$se == 0)
  c(
    estimate = test$mean, std_error = test$se[at],
    statistic = if (test$mean == 0) 0 else test$mean / test$se[at], df = test$df[at],
    p_value = if (constant) 2^(1 - runs) else p[at],
    p_new_items = p[1], p_new_runs = p[2], p_new_both = p[3],
    error_new_items = test$se[1], error_new_runs = test$se[2],
    error_new_both = test$se[3], df_new_both = test$df[3]
  )
}
