# Strengths of models from battles; own derivation: the penalised likelihood maximised by
# optim(), variances over voters by loops over voters. Needs ranks.R, adjust.R.

# first, second, voter: positions; outcome: 1, 0.5, 0 for the first. ties: "davidson",
# "half" or "drop" (already dropped). position: whether being first has an effect.
battles_reference <- function(first, second, outcome, voter, models, ties, position,
                              control = "") {
  k <- length(models)
  tied <- as.numeric(outcome == 0.5)
  has_ties <- ties == "davidson" && any(tied == 1)
  if (!has_ties) tied <- 0 * tied
  size <- k - 1 + position + has_ties
  # Columns of s: strengths are counted from the last model, then centred.
  x <- matrix(0, length(first), size)
  for (b in seq_along(first)) {
    if (first[b] < k) x[b, first[b]] <- x[b, first[b]] + 1
    if (second[b] < k) x[b, second[b]] <- x[b, second[b]] - 1
  }
  if (position) x[, k] <- 1
  chances <- function(parameters) {
    s <- drop(x %*% parameters)
    tie <- if (has_ties) exp(parameters[size] + s / 2) else 0 * s
    total <- exp(s) + tie + 1
    cbind(exp(s) / total, tie / total, 1 / total)
  }
  information <- function(p) {
    mean_h <- p[, 1] + p[, 2] / 2
    hh <- p[, 1] + p[, 2] / 4 - mean_h^2
    both <- crossprod(x, x * hh)
    if (has_ties) {
      ht <- p[, 2] / 2 - mean_h * p[, 2]
      cross <- crossprod(x, ht)
      both[, size] <- both[, size] + cross
      both[size, ] <- both[size, ] + cross
      both[size, size] <- sum(p[, 2] * (1 - p[, 2]))
    }
    both
  }
  less <- function(parameters) {
    p <- chances(parameters)
    chosen <- ifelse(outcome == 1, p[, 1], p[, 3])
    of_ties <- if (has_ties) p[, 2] else sqrt(p[, 1] * p[, 3])
    chosen <- ifelse(outcome == 0.5, of_ties, chosen)
    -sum(log(chosen)) - determinant(information(p))$modulus / 2
  }
  at <- rep(0, size)
  for (run in 1:20) {
    step <- optim(at, less, method = "BFGS", control = list(reltol = 1e-15, maxit = 1000))
    if (max(abs(step$par - at)) < 1e-9) break
    at <- step$par
  }
  p <- chances(at)
  inverse <- solve(information(p))
  scores <- x * (outcome - p[, 1] - p[, 2] / 2)
  if (has_ties) scores[, size] <- scores[, size] + tied - p[, 2]
  of_voter <- rowsum(scores, voter)
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
  rows <- t(apply(pairs, 1, function(pair) {
    change <- q[, pair[1]] - q[, pair[2]]
    estimate <- theta[pair[1]] - theta[pair[2]]
    error <- sqrt(sum(change^2))
    df <- max(1, 3 * sum(change^2)^2 / sum(change^4) - 1)
    t <- estimate / error
    enough <- nrow(of_voter) >= 10
    c(estimate, error, t, df, if (enough) 2 * pt(-abs(t), df) else NaN, plogis(estimate))
  }))
  colnames(rows) <- c("estimate", "std_error", "statistic", "df", "p_value", "win_share")
  rownames(rows) <- pair_names(pairs, models)
  made <- lapply(setNames(nm = colnames(rows)), function(name) rows[, name])
  best <- order(-theta)
  made$strength <- theta[best]
  made$strength_error <- sqrt(colSums(q^2))[best]
  if (position) {
    made$order_effect <- at[k]
    made$order_error <- sqrt(sum(raw[, k]^2))
  }
  if (has_ties) made$log_nu <- at[size]
  made$fit_statistic <- fit_of_order(first, second, outcome, p)
  made
}

# Sum over pairs of models of (observed - expected)^2 / variance of the half wins of one.
fit_of_order <- function(first, second, outcome, p) {
  over <- ifelse(first < second, 1, -1) * (outcome - p[, 1] - p[, 2] / 2)
  variance <- p[, 1] + p[, 2] / 4 - (p[, 1] + p[, 2] / 2)^2
  met <- paste(pmin(first, second), pmax(first, second))
  sum(tapply(over, met, sum)^2 / tapply(variance, met, sum))
}
