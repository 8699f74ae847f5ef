# Ratios of predictive values and likelihood ratios of tests on the same cases, from the
# eight counts of two tests. Needs adjust.R.

# truth: 0 and 1 per case; score: cases x tests, 0 and 1. measures: names, in order.
diagnostic_pairs_reference <- function(truth, score, measures, adjust, level = 0.95) {
  pairs <- utils::combn(ncol(score), 2)
  rows <- lapply(measures, function(measure) {
    lapply(seq_len(ncol(pairs)), function(k) {
      test_ratio(truth, score[, pairs[1, k]], score[, pairs[2, k]], measure, level)
    })
  })
  rows <- do.call(c, rows)
  column <- function(name) vapply(rows, function(row) row[[name]], 0)
  p <- column("p_value")
  names <- c(
    "value_1", "value_2", "estimate", "std_error", "statistic", "p_value", "conf_low",
    "conf_high", "score_p_value"
  )
  columns <- lapply(stats::setNames(names, names), column)
  c(columns, list(p_adjusted = adjust_tested(p, adjust)))
}

# The counts decide: which result the measure is about, and which class stands above.
test_ratio <- function(truth, first, second, measure, level) {
  result <- if (measure %in% c("ppv", "lr_positive")) 1 else 0
  above <- if (measure == "npv") 0 else 1
  predictive <- measure %in% c("ppv", "npv")
  cells <- expand.grid(truth = 0:1, first = 0:1, second = 0:1)
  cells$n <- apply(cells, 1, function(cell) {
    sum(truth == cell[1] & first == cell[2] & second == cell[3])
  })
  total <- function(test, of) sum(cells$n[cells[[test]] == result & cells$truth %in% of])
  below <- if (predictive) 0:1 else 1 - above
  n <- c(sum(truth == above), sum(truth == 1 - above))
  value <- vapply(c("first", "second"), function(test) {
    quotient <- total(test, above) / total(test, below)
    if (predictive) quotient else quotient * n[2] / n[1]
  }, 0)
  slope <- function(test) {
    here <- cells[[test]] == result
    (here & cells$truth == above) / total(test, above) -
      (here & cells$truth %in% below) / total(test, below)
  }
  # The multinomial variance of a function of counts that a common factor leaves alone.
  used <- cells$n > 0
  error <- sqrt(sum((cells$n * (slope("first") - slope("second"))^2)[used]))
  ratio <- log(value[[1]]) - log(value[[2]])
  if (!is.finite(error) || !is.finite(ratio)) {
    ratio <- NaN
    error <- NaN
  }
  z <- if (is.finite(error) && error > 0) ratio / error else NaN
  half <- if (is.finite(error) && error > 0) qnorm((1 + level) / 2) * error else NaN
  list(
    value_1 = value[[1]], value_2 = value[[2]], estimate = exp(ratio),
    std_error = error, statistic = z, p_value = 2 * pnorm(-abs(z)),
    conf_low = exp(ratio - half), conf_high = exp(ratio + half),
    score_p_value = if (predictive) kosinski_p(cells, result, above) else NaN
  )
}

kosinski_p <- function(cells, result, above) {
  one <- cells$first == result
  two <- cells$second == result
  right <- cells$truth == above
  n1 <- sum(cells$n[one])
  n2 <- sum(cells$n[two])
  if (n1 == 0 || n2 == 0) {
    return(NaN)
  }
  value <- c(sum(cells$n[one & right]) / n1, sum(cells$n[two & right]) / n2)
  pooled <- (n1 * value[1] + n2 * value[2]) / (n1 + n2)
  shared <- (sum(cells$n[one & two & right]) * (1 - pooled)^2 +
    sum(cells$n[one & two & !right]) * pooled^2) / (n1 + n2)
  variance <- (pooled * (1 - pooled) - 2 * shared) * (1 / n1 + 1 / n2)
  if (!(variance > 0)) {
    return(NaN)
  }
  pchisq(diff(value)^2 / variance, 1, lower.tail = FALSE)
}
