# DeLong's test of two curves from different cases by pROC; interval by qt. Needs roc.R.

# truth_1, truth_2: 0 and 1 per case; score_1, score_2: cases x one classifier.
delong_unpaired_reference <- function(truth_1, score_1, truth_2, score_2,
                                      alternative = "two.sided", level = 0.95) {
  first <- roc_of(truth_1, score_1[, 1])
  second <- roc_of(truth_2, score_2[, 1])
  test <- pROC::roc.test(
    first, second,
    method = "delong", paired = FALSE, alternative = alternative
  )
  estimate <- as.numeric(first$auc) - as.numeric(second$auc)
  variance <- function(curve) pROC::var(curve, method = "delong")
  error <- sqrt(variance(first) + variance(second))
  sides <- if (alternative == "two.sided") 2 else 1
  half <- qt((1 - level) / sides, test$parameter, lower.tail = FALSE) * error
  list(
    statistic = unname(test$statistic), df = unname(test$parameter),
    p_value = test$p.value, estimate = estimate, std_error = error,
    conf_low = if (alternative == "less") -Inf else unname(estimate - half),
    conf_high = if (alternative == "greater") Inf else unname(estimate + half),
    area_1 = as.numeric(first$auc), area_2 = as.numeric(second$auc)
  )
}
