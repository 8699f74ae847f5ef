# Right answers with normal effects of items and of models on items, logit: maximum
# likelihood by optim, both integrals by sums over a fine grid; own derivation. Needs
# ranks.R.

# x: (items x runs) x algorithms of 0 and 1, the runs of an item one after another, NA if
# an item has fewer answers; own: whether models have effects on items.
item_logit_reference <- function(x, runs, own, level) {
  item <- rep(seq_len(nrow(x) / runs), each = runs)
  right <- unname(apply(x, 2, function(y) tapply(y, item, sum, na.rm = TRUE)))
  count <- unname(apply(!is.na(x), 2, function(y) tapply(y, item, sum)))
  m <- ncol(x)
  loss_within <- function(reach, near = 1.5) {
    function(theta) {
      sd <- exp(pmin(theta[-(1:m)], 2)) # a line search may try any
      sd_own <- if (own) sd[2] else 0
      -item_logit_likelihood(right, count, theta[1:m], sd[1], sd_own, reach, near)
    }
  }
  start <- c(1.2 * qlogis((colSums(right) + 0.5) / (colSums(count) + 1)), 0, if (own) 0)
  control <- list(maxit = 500, reltol = 1e-13, ndeps = rep(1e-4, length(start)))
  reach <- 8
  repeat { # an item unlike all others lies far away
    rough <- optim(start, loss_within(reach, Inf), method = "BFGS", control = control)
    loss <- loss_within(reach)
    best <- optim(rough$par, loss, method = "BFGS", control = control)
    reach <- 1.5 * reach
    change <- abs(loss_within(reach)(best$par) - best$value)
    if (change <= 1e-6 * max(1, 1e-6 * abs(best$value))) break
  }
  information <- optimHess(best$par, loss, control = list(ndeps = control$ndeps))
  sd_item <- exp(best$par[m + 1])
  sd_own <- if (own) exp(best$par[m + 2]) else 0
  spread <- sqrt(sd_item^2 + sd_own^2)
  over <- function(f) integrate(function(z) f(z) * dnorm(z), -9, 9, rel.tol = 1e-11)$value
  b <- best$par[1:m]
  estimate <- vapply(b, function(bm) over(function(z) plogis(bm + spread * z)), 0)
  by_b <- vapply(b, function(bm) over(function(z) dlogis(bm + spread * z)), 0)
  by_s <- vapply(b, function(bm) over(function(z) z * dlogis(bm + spread * z)), 0)
  jacobian <- cbind(diag(by_b, m), by_s * sd_item^2 / spread)
  if (own) jacobian <- cbind(jacobian, by_s * sd_own^2 / spread)
  error <- sqrt(diag(jacobian %*% solve(information) %*% t(jacobian)))
  z <- qnorm((1 - level) / 2, lower.tail = FALSE)
  half <- z * error / (estimate * (1 - estimate)) # of the logit
  list(
    intercept = b, estimate = estimate, std_error = error,
    low = plogis(qlogis(estimate) - half), high = plogis(qlogis(estimate) + half),
    sd_item = sd_item, sd_own = sd_own, log_likelihood = -best$value, reach = reach
  )
}

# Nodes within so many SDs. The likelihood of n answers is 2 / sqrt(n) wide: two nodes are
# as near as near / sqrt(n).
item_logit_nodes <- function(sd, n, reach, near) {
  if (sd == 0) return(0)
  each <- ceiling(max(1 + 2 * sd, sd * sqrt(n) / near))
  sd * seq(-reach, reach, length.out = 1 + ceiling(2 * reach * each))
}

item_logit_likelihood <- function(right, count, b, sd_item, sd_own, reach, near) {
  weights <- function(x, sd) if (sd > 0) dnorm(x / sd) / sum(dnorm(x / sd)) else 1
  u <- item_logit_nodes(sd_item, max(rowSums(count)), reach, near)
  v <- item_logit_nodes(sd_own, max(count), reach, near)
  wv <- weights(v, sd_own)
  terms <- matrix(1, nrow(right), length(u))
  for (j in seq_along(b)) {
    at <- outer(b[j] + u, v, "+")
    up <- plogis(at, log.p = TRUE) # dbinom takes most of the time
    down <- up - at
    kinds <- unique(cbind(right[, j], count[, j]))
    given <- apply(kinds, 1, function(k) {
      exp(lchoose(k[2], k[1]) + k[1] * up + (k[2] - k[1]) * down) %*% wv
    })
    at <- match(paste(right[, j], count[, j]), paste(kinds[, 1], kinds[, 2]))
    terms <- terms * t(matrix(given, nrow = length(u)))[at, , drop = FALSE]
  }
  sum(log(terms %*% weights(u, sd_item)))
}
