# Strengths of models from battles; own derivation: the penalised likelihood maximised by
# optim(), variances over voters by sums over voters. Needs ranks.R, adjust.R.

# first, second, voter: positions; outcome: 1, 0.5, 0 for the first. ties: "davidson",
# "half" or "drop" (already dropped). position: whether being first has an effect.
battles_reference <- function(first, second, outcome, voter, models, ties, position,
                              control = "", adjust = "") {
  k <- length(models)
  has_ties <- ties == "davidson" && any(outcome == 0.5)
  # Battles of the same models with the same outcome are one row, counted.
  key <- paste(first, second, outcome)
  one <- match(unique(key), key)
  count <- as.vector(table(factor(key, key[one])))
  row_of <- match(key, key[one])
  first_of <- first[one]
  second_of <- second[one]
  halves <- outcome[one]
  tied <- as.numeric(has_ties & halves == 0.5)
  size <- k - 1 + position + has_ties
  # Columns of s: strengths are counted from the last model, then centred.
  x <- matrix(0, length(one), size)
  for (b in seq_along(one)) {
    if (first_of[b] < k) x[b, first_of[b]] <- x[b, first_of[b]] + 1
    if (second_of[b] < k) x[b, second_of[b]] <- x[b, second_of[b]] - 1
  }
  if (position) x[, k] <- 1
  chances <- function(parameters) {
    s <- if (has_ties) {
      drop(x[, -size, drop = FALSE] %*% parameters[-size])
    } else {
      drop(x %*% parameters)
    }
    tie <- if (has_ties) exp(parameters[size] + s / 2) else 0 * s
    total <- exp(s) + tie + 1
    cbind(exp(s) / total, tie / total, 1 / total)
  }
  information <- function(p) {
    mean_h <- p[, 1] + p[, 2] / 2
    hh <- p[, 1] + p[, 2] / 4 - mean_h^2
    both <- crossprod(x, x * (count * hh))
    if (has_ties) {
      cross <- crossprod(x, count * (p[, 2] / 2 - mean_h * p[, 2]))
      both[, size] <- both[, size] + cross
      both[size, ] <- both[size, ] + cross
      both[size, size] <- sum(count * p[, 2] * (1 - p[, 2]))
    }
    both
  }
  penalty <- function(parameters) {
    as.numeric(determinant(information(chances(parameters)))$modulus) / 2
  }
  less <- function(parameters) {
    p <- chances(parameters)
    chosen <- ifelse(halves == 1, p[, 1], p[, 3])
    of_ties <- if (has_ties) p[, 2] else sqrt(p[, 1] * p[, 3])
    chosen <- ifelse(halves == 0.5, of_ties, chosen)
    -sum(count * log(chosen)) - penalty(parameters)
  }
  scores_of <- function(p) {
    scores <- x * (halves - p[, 1] - p[, 2] / 2)
    if (has_ties) scores[, size] <- scores[, size] + tied - p[, 2]
    scores
  }
  slope <- function(parameters) {
    colSums(count * scores_of(chances(parameters))) + slope_of(penalty, parameters)
  }
  at <- optim(
    rep(0, size), less, function(parameters) -slope(parameters), method = "BFGS",
    control = list(reltol = 1e-12, maxit = 1000)
  )$par
  # To the last digits, of which the likelihood itself has half.
  for (run in 1:50) {
    step <- drop(solve(information(chances(at)), slope(at)))
    at <- at + step
    if (max(abs(step)) < 1e-11) break
  }
  p <- chances(at)
  inverse <- solve(information(p))
  of_voter <- rowsum(scores_of(p)[row_of, , drop = FALSE], voter)
  share <- rowsum(rep(1, length(voter)), voter) / length(voter)
  q <- (of_voter / as.vector(1 - share)) %*% inverse
  raw <- q
  # Of all models, centred.
  full <- function(m) {
    m <- cbind(m[, seq_len(k - 1), drop = FALSE], 0)
    m - rowMeans(m)
  }
  theta <- drop(full(matrix(at, 1)))
  q <- full(q)
  pairs <- compared_pairs(models, control)
  of_model <- solve_centred(inverse, k)
  beyond <- beyond_voters(first_of, second_of, halves, of_model, k)
  rows <- t(apply(pairs, 1, function(pair) {
    change <- q[, pair[1]] - q[, pair[2]]
    estimate <- theta[pair[1]] - theta[pair[2]]
    a <- pair[1]
    b <- pair[2]
    error <- sqrt(sum(change^2) + beyond[a, a] + beyond[b, b] - 2 * beyond[a, b])
    df <- max(1, 3 * sum(change^2)^2 / sum(change^4) - 1)
    t <- estimate / error
    enough <- nrow(of_voter) >= 10
    c(estimate, error, t, df, if (enough) 2 * pt(-abs(t), df) else NaN, plogis(estimate))
  }))
  colnames(rows) <- c("estimate", "std_error", "statistic", "df", "p_value", "win_share")
  rownames(rows) <- pair_names(pairs, models)
  made <- lapply(setNames(nm = colnames(rows)), function(name) {
    setNames(rows[, name], rownames(rows))
  })
  if (adjust != "") {
    made$p_adjusted <- setNames(adjust_tested(made$p_value, adjust), rownames(rows))
  }
  best <- order(-theta)
  made$strength <- theta[best]
  made$elo <- 400 / log(10) * theta[best]
  made$strength_error <- sqrt(colSums(q^2) + diag(beyond))[best]
  if (position) {
    made$order_effect <- at[k]
    made$order_error <- sqrt(sum(raw[, k]^2))
    made$order_df <- max(1, 3 * sum(raw[, k]^2)^2 / sum(raw[, k]^4) - 1)
  }
  if (has_ties) made$log_nu <- at[size]
  made$effective_voters <- 1 / sum(share^2)
  made$busiest_share <- max(share)
  made$fit_statistic <- fit_of_order(first, second, outcome, p[row_of, , drop = FALSE])
  met <- length(unique(paste(pmin(first, second), pmax(first, second))))
  df <- met - (k - 1) - position
  made$fit_df <- df
  made$smallest_df <- min(made$df)
  if (df > 0) made$fit_p_value <- pchisq(made$fit_statistic, df, lower.tail = FALSE)
  made
}

# The covariance of k centred strengths from that of k - 1 against the last one.
solve_centred <- function(inverse, k) {
  centred <- (diag(k) - 1 / k)[, seq_len(k - 1), drop = FALSE]
  centred %*% inverse[seq_len(k - 1), seq_len(k - 1), drop = FALSE] %*% t(centred)
}

# Groups of models that took points from each other, directly or by others; of all but
# the largest group the variance by the information, against models of the largest.
beyond_voters <- function(first, second, halves, covariance, k) {
  step <- diag(k)
  step[cbind(first, second)[halves > 0, , drop = FALSE]] <- 1
  step[cbind(second, first)[halves < 1, , drop = FALSE]] <- 1
  for (run in seq_len(k)) step <- ((step %*% step) > 0) + 0
  both <- step > 0 & t(step) > 0
  group <- apply(both, 1, function(row) which(row)[1])
  sizes <- table(group)
  largest <- as.integer(names(sizes)[sizes == max(sizes)])
  # Of groups of one size the one whose number is the smallest, as in Python.
  main <- group == largest[1]
  added <- matrix(0, k, k)
  for (g in setdiff(unique(group), largest[1])) {
    own <- which(group == g)
    cells <- expand.grid(i = own, j = which(main))
    added[own, own] <- max(apply(cells, 1, function(at) {
      covariance[at[1], at[1]] + covariance[at[2], at[2]] - 2 * covariance[at[1], at[2]]
    }))
  }
  centred <- diag(k) - 1 / k
  centred %*% added %*% centred
}

# The slope of a function, by central differences of two sizes (Richardson).
slope_of <- function(f, at) {
  by <- function(i, h) {
    step <- replace(numeric(length(at)), i, h)
    (f(at + step) - f(at - step)) / (2 * h)
  }
  vapply(seq_along(at), function(i) (4 * by(i, 5e-4) - by(i, 1e-3)) / 3, 0)
}

# Sum over pairs of models of (observed - expected)^2 / variance of the half wins of one.
fit_of_order <- function(first, second, outcome, p) {
  over <- ifelse(first < second, 1, -1) * (outcome - p[, 1] - p[, 2] / 2)
  variance <- p[, 1] + p[, 2] / 4 - (p[, 1] + p[, 2] / 2)^2
  met <- paste(pmin(first, second), pmax(first, second))
  sum(tapply(over, met, sum)^2 / tapply(variance, met, sum))
}
