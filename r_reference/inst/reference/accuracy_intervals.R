# Shares of ones with Wilson's (prop.test), Jeffreys' (qbeta) or Clopper-Pearson's
# (binom.test) limits.

# x: cases x algorithms of 0 and 1.
accuracy_intervals_reference <- function(x, method, level) {
  n <- nrow(x)
  ones <- unname(colSums(x))
  limits <- vapply(ones, function(k) {
    switch(method,
      wilson = suppressWarnings(
        prop.test(k, n, conf.level = level, correct = FALSE)
      )$conf.int[1:2],
      jeffreys = jeffreys_limits(k, n, level),
      binom.test(k, n, conf.level = level)$conf.int[1:2]
    )
  }, numeric(2))
  list(ones = ones, estimate = ones / n, conf_low = limits[1, ], conf_high = limits[2, ])
}

jeffreys_limits <- function(k, n, level) {
  tail <- (1 - level) / 2
  c(
    if (k == 0) 0 else qbeta(tail, k + 0.5, n - k + 0.5),
    if (k == n) 1 else qbeta(tail, k + 0.5, n - k + 0.5, lower.tail = FALSE)
  )
}
