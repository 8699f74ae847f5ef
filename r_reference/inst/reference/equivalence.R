# Equivalence and non-inferiority by t.test against the margins. Needs ranks.R, paired.R,
# paired_t.R.

# x: blocks x two algorithms; an infinite margin leaves its test out; rho: n_test /
# n_train of the correction, or 0; overlap: its factor in the variance.
equivalence_reference <- function(x, margin_low, margin_high, alpha = 0.05, rho = 0,
                                  overlap = 1) {
  rho <- overlap * rho
  d <- mean_differences(x)
  constant <- is_constant(x)
  side <- function(margin, alternative) {
    if (is.infinite(margin)) {
      NULL
    } else if (constant) {
      list(statistic = NaN, p_value = NaN) # no variance, no test against a margin
    } else if (rho == 0) {
      test <- t.test(d, mu = margin, alternative = alternative)
      list(statistic = unname(test$statistic), p_value = test$p.value)
    } else {
      corrected_t(d - margin, alternative, 0.95, rho)
    }
  }
  lower <- side(margin_low, "greater")
  upper <- side(margin_high, "less")
  sided <- if (is.null(upper)) "greater" else if (is.null(lower)) "less" else "two.sided"
  level <- if (sided == "two.sided") 1 - 2 * alpha else 1 - alpha
  mean <- if (constant) {
    list(estimate = mean(d), conf_low = NaN, conf_high = NaN, std_error = 0)
  } else if (rho == 0) {
    ordinary_t(d, sided, level)
  } else {
    corrected_t(d, sided, level, rho)
  }
  result <- list(
    p_value = max(lower$p_value, upper$p_value), estimate = mean$estimate,
    conf_low = mean$conf_low, conf_high = mean$conf_high, std_error = mean$std_error
  )
  # A test that was left out is not in the list.
  larger <- if (isTRUE(upper$p_value > lower$p_value)) upper else lower
  larger <- if (is.null(larger)) upper else larger
  result$statistic <- larger$statistic
  result$df <- length(d) - 1
  result$lower_statistic <- lower$statistic
  result$lower_p_value <- lower$p_value
  if (!is.null(lower)) result$lower_df <- result$df
  if (!is.null(upper)) result$upper_df <- result$df
  result$upper_statistic <- upper$statistic
  result$upper_p_value <- upper$p_value
  result
}
