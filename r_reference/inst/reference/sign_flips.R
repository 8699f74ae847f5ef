# Two-sided p-values of sums whose signs are fair coins: own derivation, base R.
# Second witness: coin's exact symmetry test. Needs ranks.R.

# d: whole numbers. All signs of up to 12 numbers are listed; of more, the chances of
# all sums are made number by number.
sign_flip_p <- function(d) {
  d <- d[d != 0]
  if (length(d) == 0) {
    return(1)
  }
  if (length(d) <= 12) {
    signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(d))))
    return(mean(abs(signs %*% d) >= abs(sum(d))))
  }
  total <- sum(abs(d))
  chance <- replace(numeric(2 * total + 1), total + 1, 1) # of -total, ..., total
  for (size in abs(d)) {
    up <- c(numeric(size), chance[seq_len(2 * total + 1 - size)])
    down <- c(chance[-seq_len(size)], numeric(size))
    chance <- (up + down) / 2
  }
  sum(chance[abs(seq(-total, total)) >= abs(sum(d))])
}

# The saddlepoint approximation of Lugannani and Rice (1980) on the lattice of the sum,
# with the second continuity correction of Daniels (1987).
sign_flip_saddlepoint_p <- function(d) {
  d <- abs(d)[d != 0] * sign(sum(d)) * sign(d[d != 0])
  observed <- sum(d)
  if (observed == 0) {
    return(1)
  }
  sizes <- abs(d)
  step <- Reduce(divisor, sizes)
  x <- observed / step - 1
  sizes <- sizes / step
  if (x == 0) {
    return(1)
  }
  if (x + 1 == sum(sizes)) {
    return(2 * 0.5^length(sizes))
  }
  slope <- function(t) sum(sizes * tanh(t * sizes)) - x
  end <- 1
  while (slope(end) <= 0) end <- 2 * end
  t <- uniroot(slope, c(0, end), tol = 1e-16)$root
  for (polish in 1:3) { # uniroot leaves some digits
    t <- t - slope(t) / sum((sizes / cosh(t * sizes))^2)
  }
  cumulant <- sum(log1p(2 * sinh(t * sizes / 2)^2)) # log cosh
  w <- sqrt(2 * (t * x - cumulant))
  u <- sinh(t) * sqrt(sum((sizes / cosh(t * sizes))^2))
  min(1, 2 * (pnorm(w, lower.tail = FALSE) + dnorm(w) * (1 / u - 1 / w)))
}

divisor <- function(a, b) if (b == 0) a else divisor(b, a %% b)

# coin: the two columns are exchanged within blocks.
sign_flip_coin_p <- function(d) {
  cells <- data.frame(
    score = c(pmax(d, 0), pmax(-d, 0)),
    side = factor(rep(1:2, each = length(d))),
    block = factor(rep(seq_along(d), 2))
  )
  test <- coin::symmetry_test(score ~ side | block, cells, distribution = "exact")
  as.numeric(coin::pvalue(test))
}
