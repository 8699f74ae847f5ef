# A gate: is a candidate worse than a baseline by a margin, or not, on all items and on
# slices; own derivation. Needs ranks.R, paired.R, adjust.R, superiority.R,
# cluster_pairs.R, signed_rank_pairs.R, matched_shares.R, bounded_means.R,
# these_items.R.

# x: items x (baseline and candidate of each metric); member: items x members, 1 for the
# items of a member; metric: number of each member's metric; side: 1 if higher is better,
# -1 if lower, by metric; margin, width, test, runs (answers to each item): of each
# member; level: one-sided, of each test; cluster: number of each item's cluster, or
# none; answers: of the columns of x, a row for each item and run, for tests of these
# items and for missing answers; limits: lowest and highest score by metric, or none; if
# given, a missing answer has for each claim the score that makes it hardest.
gate_reference <- function(x, member, metric, side, margin, width, test, level, cluster,
                           runs, answers, limits) {
  member <- as.matrix(member)
  each <- lapply(seq_len(ncol(member)), function(k) {
    rows <- which(member[, k] == 1)
    columns <- 2 * metric[k] - 1:0
    codes <- if (length(cluster) > 0) cluster[rows] else cluster
    own <- x[rows, columns, drop = FALSE]
    of_runs <- if (length(answers) > 0) {
      per_item <- nrow(answers) / nrow(x)
      answers[rep(member[, k] == 1, each = per_item), columns, drop = FALSE]
    }
    tests <- function(own, of_runs) {
      gate_tests(
        own, side[metric[k]], margin[k], width[k], test[[k]], level, codes, runs[k],
        of_runs
      )
    }
    if (length(limits) == 0) {
      return(tests(own, of_runs))
    }
    of_gaps(own, of_runs, side[metric[k]], limits[2 * metric[k] - 1:0], tests)
  })
  column <- function(name) vapply(each, function(one) one[[name]], 0)
  p_worse_holm <- p.adjust(column("p_worse"), "holm")
  worse <- p_worse_holm <= level
  last <- level / max(1, length(each) - sum(worse))
  not_worse <- column("p_not_worse") <= level
  ends <- vapply(seq_along(each), function(k) {
    found <- each[[k]]$limits(level, last)
    c(
      agreeing_limit(found[1], -margin[k], not_worse[k], 1),
      agreeing_limit(found[2], -margin[k], worse[k], -1)
    )
  }, numeric(2))
  units <- apply(member, 2, function(rows) {
    sizes <- if (length(cluster) > 0) table(cluster[rows == 1]) else rep(1, sum(rows))
    sum(sizes)^2 / sum(sizes^2)
  })
  list(
    n_items = colSums(member), n_units = units,
    smallest_size = mapply(fewest_units, test, margin, width, level),
    baseline_mean = column("baseline_mean"), candidate_mean = column("candidate_mean"),
    difference = column("difference"), conf_low = ends[1, ],
    level_low = rep(1 - level, length(each)), conf_high = ends[2, ],
    level_high = rep(1 - last, length(each)), p_not_worse = column("p_not_worse"),
    p_worse = column("p_worse"),
    p_not_worse_holm = p.adjust(column("p_not_worse"), "holm"),
    p_worse_holm = p_worse_holm
  )
}

# Both claims, each with the scores of missing answers that make it hardest; means and
# their difference are midway.
of_gaps <- function(x, answers, side, limits, tests) {
  worst <- limits[if (side > 0) 1 else 2]
  best <- limits[if (side > 0) 2 else 1]
  both <- lapply(list(c(best, worst), c(worst, best)), function(ends) {
    fill <- function(y) {
      for (j in 1:2) y[is.na(y[, j]), j] <- ends[j]
      y
    }
    if (length(answers) == 0) {
      return(tests(fill(x), answers))
    }
    whole <- fill(answers)
    item <- rep(seq_len(nrow(x)), each = nrow(answers) / nrow(x))
    tests(apply(whole, 2, function(y) as.numeric(tapply(y, item, mean))), whole)
  })
  midway <- function(name) (both[[1]][[name]] + both[[2]][[name]]) / 2
  list(
    p_not_worse = both[[1]]$p_not_worse, p_worse = both[[2]]$p_worse,
    limits = function(low, high) {
      c(both[[1]]$limits(low, high)[1], both[[2]]$limits(low, high)[2])
    },
    baseline_mean = midway("baseline_mean"),
    candidate_mean = midway("candidate_mean"), difference = midway("difference")
  )
}

# Independent units with which equal answers pass.
fewest_units <- function(test, margin, width, level) {
  least <- ceiling(log(level) / log1p(-margin / width))
  passes <- function(n) exact_share_p(0, 0, n, -margin, level / 1000) <= level
  if (test != "exact" || passes(least)) {
    return(least)
  }
  low <- least
  high <- 2 * least
  while (!passes(high)) {
    low <- high
    high <- 2 * high
  }
  while (high - low > 1) {
    middle <- floor((low + high) / 2)
    if (passes(middle)) high <- middle else low <- middle
  }
  high
}

# The items of a gate's members: all of them, then those of each slice, by metric.
slices_of <- function(ids, n_metrics) {
  each <- cbind(1, outer(ids, seq_len(max(ids)), "==") + 0)
  do.call(cbind, rep(list(each), n_metrics))
}

gate_tests <- function(x, side, margin, width, test, level, cluster, runs, answers) {
  d <- side * unname(x[, 2] - x[, 1])
  tests <- switch(test,
    exact = ,
    score = ,
    `effective-size` = gate_score_tests(d, margin, test, level / 1000, cluster, runs),
    bounded = gate_bounded_tests(d, margin, width, cluster),
    t = gate_mean_tests(mean(d), gate_t_error(d, cluster), margin),
    `these-items` = gate_mean_tests(
      mean(d), gate_items_error(answers, length(d), margin), margin
    )
  )
  c(tests, list(
    baseline_mean = mean(x[, 1]), candidate_mean = mean(x[, 2]), difference = mean(d)
  ))
}

gate_score_tests <- function(d, margin, test, gamma, cluster, runs) {
  n <- length(d)
  counts <- counts_of_differences(d, cluster, runs, test)
  both <- share_tests(counts, n, -margin, -margin, test, gamma)
  f <- counts$size / n
  list(
    p_not_worse = both[["p_lower"]], p_worse = both[["p_upper"]],
    limits = function(low, high) {
      at <- function(level) {
        critical <- max(0, qt(level, counts$df, lower.tail = FALSE))
        tango(f * counts$wins, f * counts$losses, counts$size, critical)
      }
      c(at(low)[1], at(high)[2])
    }
  )
}

gate_bounded_tests <- function(d, margin, width, cluster) {
  if (length(cluster) > 0) d <- as.numeric(tapply(d, cluster, mean))
  list(
    p_not_worse = bounded_p(d, -margin, width),
    p_worse = bounded_p(-d, margin, width),
    limits = function(low, high) {
      c(bounded_limit(d, width, low), -bounded_limit(-d, width, high))
    }
  )
}

gate_t_error <- function(d, cluster) {
  n <- length(d)
  if (length(cluster) == 0) {
    return(c(sd(d) / sqrt(n), n - 1))
  }
  sizes <- as.numeric(table(cluster))
  residual <- as.numeric(tapply(d, cluster, sum)) - sizes * mean(d)
  c(sqrt(sum(residual^2 / (1 - sizes / n))) / n, cluster_df(sizes))
}

# New answers to these items: their variance alone; z if answers are right or wrong.
gate_items_error <- function(answers, n, margin) {
  item <- rep(seq_len(n), each = nrow(answers) / n)
  test <- these_items_test(answers, item)
  error <- test[["std_error"]]
  if (all(answers %in% c(0, 1, NA))) {
    runs <- 1 / mean(1 / item_answers(answers, item)$count)
    error <- max(error, sqrt(margin * (1 - margin) / (n * runs)))
  }
  c(error, test[["df"]])
}

gate_mean_tests <- function(mean, error, margin) {
  z <- (mean + margin) / error[1]
  list(
    p_not_worse = pt(z, error[2], lower.tail = FALSE),
    p_worse = pt(-z, error[2], lower.tail = FALSE),
    limits = function(low, high) {
      mean + c(-1, 1) * qt(c(low, high), error[2], lower.tail = FALSE) * error[1]
    }
  )
}
