# Performance profiles of runs on fixed tasks with a band; own derivation. Needs
# run_aggregates.R.

run_profiles_reference <- function(x, runs, better, low, high, level, draws, seed) {
  sign <- if (better == "higher") 1 else -1
  own <- task_runs(x, runs, sign, low, high)
  resamples <- resampled_runs(own, draws, seed, TRUE)
  parts <- lapply(seq_along(own), function(j) {
    y <- unlist(own[[j]])
    at <- sort(unique(y))
    above <- outer(at, y, "<") + 0
    estimate <- drop(above %*% run_weights(own[[j]]))
    away <- apply(abs(above %*% t(resamples[[j]]) - estimate), 2, max)
    few <- qt((1 + level) / 2, sum(lengths(own[[j]]) - 1)) / qnorm((1 + level) / 2)
    half <- quantile(away, level, names = FALSE) * few
    if (are_still(own[[j]])) half <- NaN
    steps <- data.frame(
      score = sign * at, estimate = estimate, conf_low = pmax(estimate - half, 0),
      conf_high = pmin(estimate + half, 1)
    )
    list(steps = steps, half = half)
  })
  steps <- do.call(rbind, lapply(parts, function(part) part$steps))
  half <- vapply(parts, function(part) part$half, 0)
  c(as.list(steps), list(half_width = half))
}
