# Tails with relative accuracy under the names of R's own functions, for programs that
# compare to ten digits: R's ptukey and qtukey have absolute accuracy only, and pf(ncp =)
# and pt(ncp =) end their sums early. Without ncp, R's functions are called. Needs
# chi_points.R.

# P(range of a normal variables > q), q a vector.
range_tail <- function(q, a) {
  step <- 1 / 8
  z <- seq(-9, min(9 + max(q), 39), by = step)
  below <- pnorm(z, log.p = TRUE)
  share <- exp(pnorm(outer(z, q, `-`), log.p = TRUE) - below)
  inside <- -expm1((a - 1) * log1p(-pmin(share, 1)))
  step * a * colSums(dnorm(z) * exp((a - 1) * below) * inside)
}

ptukey <- function(q, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE) {
  tail_of <- function(q, a, df) {
    if (is.na(q)) return(NA_real_)
    if (q <= 0) return(1)
    by_points <- function(points) sum(points$weight * range_tail(q * points$s, a))
    p <- by_points(chi_points(df))
    # Far in the tail the smallest of s decide.
    if (p < 1e-28) p <- by_points(chi_points(df, least = 1e-290))
    min(1, p)
  }
  p <- mapply(tail_of, q, nmeans, df)
  attributes(p) <- attributes(q)
  p <- if (lower.tail) 1 - p else p
  if (log.p) log(p) else p
}

qtukey <- function(p, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE) {
  upper <- if (lower.tail) 1 - p else p
  mapply(function(p, a, df) {
    excess <- function(q) log(ptukey(q, a, df, lower.tail = FALSE)) - log(p)
    root <- stats::uniroot(excess, c(1e-3, 10), extendInt = "downX", tol = 1e-14)$root
    slope <- (excess(root + 1e-5) - excess(root - 1e-5)) / 2e-5
    root - excess(root) / slope
  }, upper, nmeans, df)
}

# A Poisson mixture of beta distributions.
pf <- function(q, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE) {
  if (missing(ncp)) {
    return(stats::pf(q, df1, df2, lower.tail = lower.tail, log.p = log.p))
  }
  p <- mapply(function(q, df1, df2, ncp) {
    middle <- ncp / 2
    width <- 12 * sqrt(middle) + 60
    j <- seq(max(0, floor(middle - width)), ceiling(middle + width))
    x <- df1 * q / (df1 * q + df2)
    sum(dpois(j, middle) * pbeta(x, df1 / 2 + j, df2 / 2, lower.tail = lower.tail))
  }, q, df1, df2, ncp)
  if (log.p) log(p) else p
}

# A mixture of normal distributions over s = sqrt(chi2 / df).
pt <- function(q, df, ncp, lower.tail = TRUE, log.p = FALSE) {
  if (missing(ncp)) {
    return(stats::pt(q, df, lower.tail = lower.tail, log.p = log.p))
  }
  p <- mapply(function(q, df, ncp) {
    points <- chi_points(df, q)
    sum(points$weight * pnorm(q * points$s - ncp, lower.tail = lower.tail))
  }, q, df, ncp)
  if (log.p) log(p) else p
}
