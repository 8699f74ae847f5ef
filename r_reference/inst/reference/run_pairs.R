# Pairs of algorithms over runs on fixed tasks: probability of improvement and differences
# of aggregates; own derivation. Needs ranks.R and run_aggregates.R.

run_pairs_reference <- function(x, runs, better, low, high, gamma, interval, level, draws,
                                seed, control) {
  sign <- if (better == "higher") 1 else -1
  own <- task_runs(x, runs, sign, low, high)
  pairs <- compared_pairs(colnames(x), control)
  resamples <- NULL
  if (interval != "t") {
    resamples <- resampled_runs(own, draws, seed, interval == "bootstrap")
  }
  rows <- lapply(seq_len(nrow(pairs)), function(i) {
    ends <- pairs[i, ]
    of_pair <- if (is.null(resamples)) {
      linear_pair(own[ends], sign * gamma, level)
    } else {
      drawn_pair(own[ends], resamples[ends], sign * gamma, level)
    }
    low_high <- of_pair["probability_of_improvement", c("conf_low", "conf_high")]
    of_pair["probability_of_improvement", c("conf_low", "conf_high")] <-
      pmin(pmax(low_high, 0), 1)
    in_unit(of_pair, sign)
  })
  turned <- do.call(rbind, rows)
  as.list(as.data.frame(turned, row.names = seq_len(nrow(turned))))
}

linear_pair <- function(both, gamma, level) {
  wins <- Map(function(x, y) (sign(outer(x, y, "-")) + 1) / 2, both[[1]], both[[2]])
  n <- length(wins)
  placements <- c(lapply(wins, rowMeans), lapply(wins, colMeans))
  variances <- vapply(placements, function(p) var(p) / length(p), 0) / n^2
  improvement <- t_row(
    mean(vapply(wins, mean, 0)), variances, lengths(placements) - 1, level
  )
  estimates <- lapply(both, all_aggregates, weights = NULL, gamma = gamma)
  names <- setdiff(names(estimates[[1]]), "median")
  df <- c(lengths(both[[1]]), lengths(both[[2]])) - 1
  rows <- lapply(names, function(name) {
    of_one <- function(own) task_variances(linear_parts(own, name, gamma))
    parts <- unlist(lapply(both, of_one))
    t_row(estimates[[1]][[name]] - estimates[[2]][[name]], parts, df, level)
  })
  rbind(
    probability_of_improvement = improvement,
    matrix(unlist(rows),
      ncol = 5, byrow = TRUE, dimnames = list(names, names(improvement))
    )
  )
}

drawn_pair <- function(both, resamples, gamma, level) {
  of <- function(w) {
    c(
      probability_of_improvement = weighted_improvement(both, w),
      all_aggregates(both[[1]], w[[1]], gamma) - all_aggregates(both[[2]], w[[2]], gamma)
    )
  }
  drawn <- vapply(
    seq_len(nrow(resamples[[1]])),
    function(b) of(list(resamples[[1]][b, ], resamples[[2]][b, ])),
    of(lapply(both, run_weights))
  )
  still <- all(vapply(both, are_still, NA))
  percentile_rows(of(lapply(both, run_weights)), drawn, level, still)
}

weighted_improvement <- function(both, weights) {
  n <- length(both[[1]])
  task <- lapply(both, function(own) rep(seq_len(n), lengths(own)))
  each <- vapply(seq_len(n), function(m) {
    wins <- (sign(outer(both[[1]][[m]], both[[2]][[m]], "-")) + 1) / 2
    drop(weights[[1]][task[[1]] == m] %*% wins %*% weights[[2]][task[[2]] == m])
  }, 0)
  n * sum(each)
}
