# Net benefit of classifiers at risk thresholds, and t.test of the cases' differences.
# Needs adjust.R.

# truth: 0 and 1 per case; score: cases x classifiers, probabilities.
net_benefit_reference <- function(truth, score, threshold, adjust, level = 0.95) {
  k <- ncol(score)
  pairs <- if (k > 1) t(utils::combn(k, 2)) else matrix(0, 0, 2)
  pairs <- rbind(pairs, cbind(seq_len(k), k + 1), cbind(seq_len(k), k + 2))
  each <- lapply(threshold, function(at) {
    worth <- ifelse(truth == 1, 1, -at / (1 - at))
    benefit <- cbind(worth * (as.matrix(score) >= at), worth, 0)
    found <- lapply(seq_len(nrow(pairs)), function(i) {
      mean_test(benefit[, pairs[i, 1]] - benefit[, pairs[i, 2]], level)
    })
    list(
      tests = do.call(rbind, found), benefit = unname(colMeans(benefit)),
      treated = unname(c(colMeans(as.matrix(score) >= at), 1, 0))
    )
  })
  tests <- do.call(rbind, lapply(each, `[[`, "tests"))
  columns <- lapply(as.data.frame(tests), as.vector)
  c(columns, list(
    p_adjusted = adjust_tested(columns$p_value, adjust),
    net_benefit = unlist(lapply(each, `[[`, "benefit")),
    treated = unlist(lapply(each, `[[`, "treated"))
  ))
}

mean_test <- function(d, level) {
  if (sd(d) == 0) {
    return(c(
      estimate = mean(d), std_error = 0, statistic = NaN, df = length(d) - 1,
      p_value = NaN, conf_low = NaN, conf_high = NaN
    ))
  }
  test <- t.test(d, conf.level = level)
  c(
    estimate = test$estimate[[1]], std_error = test$stderr,
    statistic = test$statistic[[1]], df = test$parameter[[1]], p_value = test$p.value,
    conf_low = test$conf.int[1], conf_high = test$conf.int[2]
  )
}
