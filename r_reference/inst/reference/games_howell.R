# Means of independent samples with variances of their own: oneway.test, and Games and
# Howell's pairs by ptukey. For pairs needs studentized_range.R, mean_pairs.R.

# x: rows x algorithms, NA if missing; rows are no blocks here.
welch_anova_reference <- function(x) {
  cells <- own_samples(x)
  test <- oneway.test(score ~ algorithm, cells)
  list(
    statistic = test$statistic[[1]], df = unname(test$parameter),
    p_value = test$p.value
  )
}

games_howell_reference <- function(x, level = 0.95) {
  a <- ncol(x)
  contrast <- pair_contrasts(a)
  rows <- lapply(seq_len(nrow(contrast)), function(i) {
    one <- stats::na.omit(x[, contrast[i, ] == 1])
    two <- stats::na.omit(x[, contrast[i, ] == -1])
    test <- t.test(one, two)
    half <- studentized_range_quantile(1 - level, a, test$parameter) / sqrt(2)
    estimate <- mean(one) - mean(two)
    c(
      estimate = estimate, std_error = test$stderr, statistic = test$statistic[[1]],
      df = test$parameter[[1]], p_value = test$p.value,
      p_adjusted = ptukey(
        abs(test$statistic[[1]]) * sqrt(2), a, test$parameter, lower.tail = FALSE
      ),
      conf_low = estimate - half * test$stderr, conf_high = estimate + half * test$stderr
    )
  })
  table <- do.call(rbind, rows)
  labels <- apply(contrast, 1, function(one) {
    paste(colnames(x)[one == 1], "-", colnames(x)[one == -1])
  })
  lapply(as.data.frame(table), setNames, labels)
}

own_samples <- function(x) {
  x <- as.matrix(x)
  kept <- !is.na(as.vector(x))
  data.frame(
    score = as.vector(x)[kept],
    algorithm = factor(as.vector(col(x))[kept])
  )
}
