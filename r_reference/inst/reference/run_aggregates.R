# Aggregates of runs over fixed tasks, own derivation; the bootstrap draws the resamples
# of pycompare. Runs of an algorithm are lists, one vector of scores for each task; higher
# is better inside.

# x: (tasks x runs) x algorithms, the runs of a task one after another, NA if a task has
# fewer; gamma: NaN without an optimality gap. better: of normalised scores higher.
run_aggregates_reference <- function(x, runs, better, low, high, gamma, interval, level,
                                     draws, seed) {
  sign <- if (better == "higher") 1 else -1
  own <- task_runs(x, runs, sign, low, high)
  if (interval == "t") {
    rows <- lapply(own, linear_aggregates, gamma = sign * gamma, level = level)
  } else {
    resamples <- resampled_runs(own, draws, seed, interval == "bootstrap")
    rows <- lapply(seq_along(own), function(j) {
      of_one <- function(w) all_aggregates(own[[j]], w, sign * gamma)
      drawn <- apply(resamples[[j]], 1, of_one)
      estimates <- all_aggregates(own[[j]], NULL, sign * gamma)
      percentile_rows(estimates, drawn, level, are_still(own[[j]]))
    })
  }
  turned <- do.call(rbind, lapply(rows, in_unit, sign = sign))
  as.list(as.data.frame(turned, row.names = seq_len(nrow(turned))))
}

# low, high: the scores of each task that become 0 and 1; none: one scale already.
task_runs <- function(x, runs, sign, low, high) {
  task <- rep(seq_len(nrow(x) / runs), each = runs)
  if (length(low) > 0) x <- (x - low[task]) / (high - low)[task]
  lapply(seq_len(ncol(x)), function(j) {
    kept <- !is.na(x[, j])
    unname(split(sign * unname(x[kept, j]), task[kept]))
  })
}

run_weights <- function(own) {
  unlist(lapply(own, function(y) rep(1 / (length(own) * length(y)), length(y))))
}

# All aggregates of one algorithm at weights of its runs, task after task.
all_aggregates <- function(own, weights, gamma) {
  y <- unlist(own)
  w <- if (is.null(weights)) run_weights(own) else weights
  task <- rep(seq_along(own), lengths(own))
  values <- c(
    iqm = middle_mean(y, w), mean = sum(w * y),
    median = median(length(own) * rowsum(w * y, task)[, 1])
  )
  if (is.nan(gamma)) values else c(values, optimality_gap = sum(w * pmax(gamma - y, 0)))
}

# The mean of the middle half of the weight.
middle_mean <- function(y, w) {
  order_of <- order(y)
  above <- cumsum(w[order_of])
  below <- c(0, above[-length(above)])
  within <- pmax(pmin(above, 0.75) - pmax(below, 0.25), 0)
  sum(within * y[order_of]) / 0.5
}

# What each run adds to an aggregate, up to a constant.
linear_parts <- function(own, name, gamma) {
  if (name == "mean") return(own)
  if (name == "optimality_gap") return(lapply(own, function(y) pmax(gamma - y, 0)))
  y <- sort(unlist(own))
  above <- cumsum(run_weights(own)[order(unlist(own))])
  quartile <- function(share) {
    at <- c(which(above >= share - 1e-9)[1], which(above >= share + 1e-9)[1])
    mean(y[at])
  }
  limits <- c(quartile(0.25), quartile(0.75))
  lapply(own, function(own_task) pmin(pmax(own_task, limits[1]), limits[2]) / 0.5)
}

task_variances <- function(parts) {
  vapply(parts, function(y) var(y) / length(y), 0) / length(parts)^2
}

satterthwaite <- function(variances, df) {
  shares <- variances / sum(variances)
  if (sum(variances) > 0) 1 / sum(shares^2 / df) else Inf
}

t_row <- function(estimate, variances, df, level) {
  error <- sqrt(sum(variances))
  free <- satterthwaite(variances, df)
  half <- if (error > 0) qt((1 - level) / 2, free, lower.tail = FALSE) * error else NaN
  c(
    estimate = estimate, std_error = error, df = free, conf_low = estimate - half,
    conf_high = estimate + half
  )
}

linear_aggregates <- function(own, gamma, level) {
  estimates <- all_aggregates(own, NULL, gamma)
  names <- setdiff(names(estimates), "median")
  rows <- lapply(names, function(name) {
    variances <- task_variances(linear_parts(own, name, gamma))
    t_row(estimates[[name]], variances, lengths(own) - 1, level)
  })
  matrix(unlist(rows), ncol = 5, byrow = TRUE, dimnames = list(names, names(rows[[1]])))
}

# Weights of the runs of each algorithm, a row for each resample.
resampled_runs <- function(own, draws, seed, less) {
  taken <- lapply(own, function(tasks) lengths(tasks) - less)
  set.seed(seed, "Mersenne-Twister")
  u <- matrix(runif(draws * sum(unlist(taken))), nrow = draws, byrow = TRUE)
  ends <- cumsum(vapply(taken, sum, 0))
  lapply(seq_along(own), function(j) {
    n <- lengths(own[[j]])
    columns <- seq(to = ends[j], length.out = sum(taken[[j]]))
    start <- rep(cumsum(n) - n, taken[[j]])
    weight <- rep(1 / (length(n) * taken[[j]]), taken[[j]])
    many <- rep(n, taken[[j]])
    t(apply(u[, columns, drop = FALSE], 1, function(row) {
      run <- start + floor(row * many) + 1
      counted <- numeric(sum(n))
      for (k in seq_along(run)) counted[run[k]] <- counted[run[k]] + weight[k]
      counted
    }))
  })
}

# Whether the runs of an algorithm are the same within each task: what sums of their
# weights leave is rounding.
are_still <- function(own) all(vapply(own, function(y) all(y == y[1]), NA))

# drawn: a column for each resample.
percentile_rows <- function(estimates, drawn, level, still) {
  limits <- apply(drawn, 1, quantile, c((1 - level) / 2, (1 + level) / 2), names = FALSE)
  error <- if (still) 0 * estimates else apply(drawn, 1, sd)
  limits[, error == 0] <- NaN
  cbind(
    estimate = estimates, std_error = error, df = NaN, conf_low = limits[1, ],
    conf_high = limits[2, ]
  )
}

# Scores that are turned back change their sign and the order of their limits.
in_unit <- function(rows, sign) {
  kept <- c("optimality_gap", "probability_of_improvement")
  turn <- sign < 0 & !rownames(rows) %in% kept
  rows[turn, "estimate"] <- -rows[turn, "estimate"]
  rows[turn, c("conf_low", "conf_high")] <- -rows[turn, c("conf_high", "conf_low")]
  rows
}
