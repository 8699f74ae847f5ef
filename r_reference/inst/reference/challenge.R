# Rankings of the algorithms of a challenge, of all cases and of resampled ones: own
# derivation, base R. Needs ranks.R, max_t.R and case_ranks.R.

# x: cases x algorithms; failed: 1 where an algorithm failed (x then has the worst
# score, or NaN), NULL if none did. task, weights: the task of each case, their weights.
# unit: the case or cluster of each case; resampled_in: the set in which each unit is
# drawn. quantile: of the cases, NULL for their mean.
challenge_reference <- function(x, better, failed = NULL, task, weights, unit,
                                resampled_in, ranking, quantile = NULL, ties = "mean",
                                alpha = 0.05, holm = TRUE, resamples = 1000, seed = 0) {
  gaps <- x
  if (!is.null(failed)) gaps[failed == 1] <- NA
  cells <- list(
    x = x, oriented = lower_is_better(x, better), better = better, task = task,
    ranks = ranks_of_cases(gaps, better, ties), weights = weights,
    ties = ties, alpha = alpha, holm = holm
  )
  own <- list(ranking = ranking, quantile = quantile)
  once <- rep(1, nrow(x))
  each <- values_of_tasks(cells, own, once)
  ranks <- t(apply(each, 1, function(v) ranks_of_values(v, cells, own)))
  value <- drop(weights %*% each)
  rank <- ranks_of_values(value, cells, own)
  drawn <- resampled_ranks(cells, own, unit, resampled_in, resamples, seed)
  found <- list(
    value = value, rank = rank, mean_task_rank = colMeans(ranks),
    resampled_low = apply(drawn, 2, stats::quantile, 0.025, names = FALSE),
    resampled_high = apply(drawn, 2, stats::quantile, 0.975, names = FALSE),
    won = colMeans(drawn == apply(drawn, 1, min)),
    failures = colSums(is.na(gaps)),
    kendall = mean(apply(drawn, 1, tau_b, rank), na.rm = TRUE)
  )
  c(
    found, tasks_of_challenge(gaps, task, each, ranks),
    schemes_of_challenge(cells, own), shares_of_ranks(drawn),
    without_failures(cells, own, gaps)
  )
}

tasks_of_challenge <- function(gaps, task, each, ranks) {
  failures <- t(sapply(sort(unique(task)), function(k) {
    colSums(is.na(gaps[task == k, , drop = FALSE]))
  }))
  list(
    tasks_failures = as.vector(t(failures)), tasks_value = as.vector(t(each)),
    tasks_rank = as.vector(t(ranks))
  )
}

shares_of_ranks <- function(drawn) {
  shares <- apply(drawn, 2, function(r) table(r) / length(r), simplify = FALSE)
  list(
    resampled_rank = unlist(lapply(shares, function(s) as.numeric(names(s)))),
    resampled_share = unlist(lapply(shares, as.vector), use.names = FALSE)
  )
}

# By each scheme: the aggregates of ranks and of scores, then tests; the planned one last.
schemes_of_challenge <- function(cells, own) {
  forms <- list(list(ranking = "rank-then-aggregate"),
    list(ranking = "rank-then-aggregate", quantile = 0.5)
  )
  if (!anyNA(cells$x)) {
    forms <- c(forms, list(
      list(ranking = "aggregate-then-rank"),
      list(ranking = "aggregate-then-rank", quantile = 0.5),
      list(ranking = "test-then-rank")
    ))
  }
  known <- is.null(own$quantile) || own$quantile == 0.5
  if (!known) forms <- c(forms, list(own))
  once <- rep(1, nrow(cells$x))
  values <- lapply(forms, function(form) {
    drop(cells$weights %*% values_of_tasks(cells, form, once))
  })
  ranks <- Map(function(value, form) ranks_of_values(value, cells, form), values, forms)
  list(schemes_value = unlist(values), schemes_rank = unlist(ranks))
}

without_failures <- function(cells, own, gaps) {
  kept <- !apply(is.na(gaps), 1, any)
  lost <- !all(unique(cells$task) %in% cells$task[kept])
  if (all(kept) || lost) {
    return(list())
  }
  value <- drop(cells$weights %*% values_of_tasks(cells, own, as.numeric(kept)))
  list(
    without_failures_value = value,
    without_failures_rank = ranks_of_values(value, cells, own)
  )
}

# Rows are tasks. counts: how often each case counts.
values_of_tasks <- function(cells, form, counts) {
  t(sapply(sort(unique(cells$task)), function(k) {
    rows <- rep(which(cells$task == k), counts[cells$task == k])
    if (length(rows) == 0) {
      return(rep(NaN, ncol(cells$x)))
    }
    if (form$ranking == "test-then-rank") {
      return(shares_beaten(cells$oriented[rows, , drop = FALSE], cells$alpha, cells$holm))
    }
    by <- if (form$ranking == "rank-then-aggregate") cells$ranks else cells$x
    by <- by[rows, , drop = FALSE]
    if (is.null(form$quantile)) {
      return(colMeans(by))
    }
    apply(by, 2, stats::quantile, form$quantile, names = FALSE)
  }))
}

ranks_of_values <- function(value, cells, form) {
  higher <- form$ranking == "test-then-rank" ||
    (form$ranking == "aggregate-then-rank" && cells$better == "higher")
  ranked <- midranks(if (higher) -value else value)
  unname(if (cells$ties == "min") rank(ranked, ties.method = "min") else ranked)
}

# Whole units are drawn, set after set: floor(n * runif(n)) of the n units of a set.
resampled_ranks <- function(cells, own, unit, resampled_in, resamples, seed) {
  set.seed(seed, "Mersenne-Twister")
  counts <- matrix(0, resamples, length(resampled_in))
  for (set in sort(unique(resampled_in))) {
    units <- which(resampled_in == set)
    for (b in seq_len(resamples)) {
      drawn <- floor(length(units) * runif(length(units))) + 1
      counts[b, units] <- tabulate(drawn, length(units))
    }
  }
  ranks <- apply(counts, 1, function(count) {
    value <- drop(cells$weights %*% values_of_tasks(cells, own, count[unit]))
    if (anyNA(value)) rep(NA_real_, length(value)) else ranks_of_values(value, cells, own)
  })
  stats::na.omit(t(ranks))
}

tau_b <- function(x, y) {
  if (length(unique(x)) == 1 || length(unique(y)) == 1) {
    return(NA_real_)
  }
  stats::cor(x, y, method = "kendall")
}

# Lower is better. The share of rivals that each algorithm beats by one-sided tests.
shares_beaten <- function(x, alpha, holm) {
  a <- ncol(x)
  p <- matrix(NA_real_, a, a)
  for (i in seq_len(a)) {
    for (j in seq_len(a)[-i]) p[i, j] <- signed_rank_greater(x[, j], x[, i])
  }
  if (holm) p[] <- p.adjust(p, "holm")
  rowSums(p <= alpha, na.rm = TRUE) / (a - 1)
}

# wilcox.test(x, y, paired = TRUE, exact = FALSE, alternative = "greater"), if no two
# differences are equal but for rounding.
signed_rank_greater <- function(x, y) {
  d <- x - y
  noise <- pmax(abs(x), abs(y))
  kept <- abs(d) > 8 * .Machine$double.eps * noise
  d <- d[kept]
  n <- length(d)
  if (n == 0) {
    return(1)
  }
  ranks <- midranks(abs(d), noise[kept])
  tied <- table(ranks)
  variance <- n * (n + 1) * (2 * n + 1) / 24 - sum(tied^3 - tied) / 48
  z <- (sum(ranks[d > 0]) - n * (n + 1) / 4 - 0.5) / sqrt(variance)
  pnorm(z, lower.tail = FALSE)
}

# Second witness of the shares of rivals: stats::wilcox.test.
challenge_wilcox <- function(x, better, alpha, holm) {
  x <- lower_is_better(x, better)
  a <- ncol(x)
  p <- matrix(NA_real_, a, a)
  for (i in seq_len(a)) {
    for (j in seq_len(a)[-i]) {
      p[i, j] <- stats::wilcox.test(x[, j], x[, i],
        paired = TRUE, exact = FALSE, alternative = "greater"
      )$p.value
    }
  }
  if (holm) p[] <- p.adjust(p, "holm")
  list(value = rowSums(p <= alpha, na.rm = TRUE) / (a - 1))
}
