# Hanley and McNeil (1983) from cor(), approx() and the printed table. Needs roc.R,
# auc_interval.R.

# truth: 0 and 1 per case; score: cases x two classifiers; r: the correlation of the
# areas, NULL: from the table.
hanley_mcneil_reference <- function(truth, score, correlation = "pearson", r = NULL,
                                    alternative = "two.sided", level = 0.95) {
  area <- apply(score, 2, function(s) as.numeric(roc_of(truth, s)$auc))
  error <- vapply(area, hanley_mcneil_error, 0, truth = truth)
  among <- c(NaN, NaN)
  if (is.null(r)) {
    among <- vapply(c(1, 0), function(side) {
      cor(score[truth == side, 1], score[truth == side, 2], method = correlation)
    }, 0)
    r <- printed_correlation(mean(among), mean(area))
  }
  estimate <- unname(area[1] - area[2])
  both <- sqrt(error[1]^2 + error[2]^2 - 2 * r * error[1] * error[2])
  z <- estimate / unname(both)
  p <- c(less = pnorm(z), greater = pnorm(z, lower.tail = FALSE))
  sides <- if (alternative == "two.sided") 2 else 1
  half <- unname(qnorm((1 - level) / sides, lower.tail = FALSE) * both)
  list(
    statistic = z, estimate = estimate, std_error = unname(both),
    p_value = if (sides == 2) 2 * min(p) else p[[alternative]],
    conf_low = if (alternative == "less") -Inf else estimate - half,
    conf_high = if (alternative == "greater") Inf else estimate + half,
    std_error_1 = unname(error[1]), std_error_2 = unname(error[2]),
    correlation_positive = among[1], correlation_negative = among[2], r = r
  )
}

# First along the areas, then along the correlations; the end columns serve beyond.
printed_correlation <- function(correlation, area) {
  in_column <- apply(hanley_mcneil_table, 1, function(row) {
    approx(seq(0.7, 0.975, by = 0.025), row, xout = area, rule = 2)$y
  })
  approx(seq(0, 0.9, by = 0.02), c(0, in_column), xout = correlation)$y
}

# Rows: mean correlation .02 to .90; columns: mean area .700 to .975.
hanley_mcneil_table <- matrix(c(
    2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1,
    4, 4, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2,
    5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 3, 2,
    7, 7, 7, 7, 7, 6, 6, 6, 6, 5, 4, 3,
    9, 9, 9, 9, 8, 8, 8, 7, 7, 6, 6, 4,
    11, 11, 11, 10, 10, 10, 9, 9, 8, 8, 7, 5,
    13, 12, 12, 12, 12, 11, 11, 11, 10, 9, 8, 6,
    14, 14, 14, 14, 13, 13, 13, 12, 11, 11, 9, 7,
    16, 16, 16, 16, 15, 15, 14, 14, 13, 12, 11, 9,
    18, 18, 18, 17, 17, 17, 16, 15, 15, 14, 12, 10,
    20, 20, 19, 19, 19, 18, 18, 17, 16, 15, 14, 11,
    22, 22, 21, 21, 21, 20, 19, 19, 18, 17, 15, 12,
    24, 23, 23, 23, 22, 22, 21, 20, 19, 18, 16, 13,
    26, 25, 25, 25, 24, 24, 23, 22, 21, 20, 18, 15,
    27, 27, 27, 26, 26, 25, 25, 24, 23, 21, 19, 16,
    29, 29, 29, 28, 28, 27, 26, 26, 24, 23, 21, 18,
    31, 31, 31, 30, 30, 29, 28, 27, 26, 25, 23, 19,
    33, 33, 32, 32, 31, 31, 30, 29, 28, 26, 24, 21,
    35, 35, 34, 34, 33, 33, 32, 31, 30, 28, 26, 22,
    37, 37, 36, 36, 35, 35, 34, 33, 32, 30, 28, 24,
    39, 39, 38, 38, 37, 36, 36, 35, 33, 32, 29, 25,
    41, 40, 40, 40, 39, 38, 38, 37, 35, 34, 31, 27,
    43, 42, 42, 42, 41, 40, 39, 38, 37, 35, 33, 29,
    45, 44, 44, 43, 43, 42, 41, 40, 39, 37, 35, 30,
    47, 46, 46, 45, 45, 44, 43, 42, 41, 39, 37, 32,
    49, 48, 48, 47, 47, 46, 45, 44, 43, 41, 39, 34,
    51, 50, 50, 49, 49, 48, 47, 46, 45, 43, 41, 36,
    53, 52, 52, 51, 51, 50, 49, 48, 47, 45, 43, 38,
    55, 54, 54, 53, 53, 52, 51, 50, 49, 47, 45, 40,
    57, 56, 56, 55, 55, 54, 53, 52, 51, 49, 47, 42,
    59, 58, 58, 57, 57, 56, 55, 54, 53, 51, 49, 45,
    61, 60, 60, 59, 59, 58, 58, 57, 55, 54, 51, 47,
    63, 62, 62, 62, 61, 60, 60, 59, 57, 56, 53, 49,
    65, 64, 64, 64, 63, 62, 62, 61, 60, 58, 56, 51,
    67, 66, 66, 66, 65, 65, 64, 63, 62, 60, 58, 54,
    69, 69, 68, 68, 67, 67, 66, 65, 64, 63, 60, 56,
    71, 71, 70, 70, 69, 69, 68, 67, 66, 65, 63, 59,
    73, 73, 72, 72, 72, 71, 71, 70, 69, 67, 65, 61,
    75, 75, 75, 74, 74, 73, 73, 72, 71, 70, 68, 64,
    77, 77, 77, 76, 76, 76, 75, 74, 73, 72, 70, 67,
    79, 79, 79, 79, 78, 78, 77, 77, 76, 75, 73, 70,
    82, 81, 81, 81, 81, 80, 80, 79, 78, 77, 76, 73,
    84, 84, 83, 83, 83, 82, 82, 81, 81, 80, 78, 75,
    86, 86, 86, 85, 85, 85, 84, 84, 83, 82, 81, 79,
    88, 88, 88, 88, 87, 87, 87, 86, 86, 85, 84, 82
), ncol = 12, byrow = TRUE) / 100
