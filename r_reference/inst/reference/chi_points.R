# Points and weights of s = sqrt(chi2 / df): the trapezoidal rule in log s, whose error
# falls exponentially for such integrands. A tail at t * s rises within 1 / t of log s.
# Points whose density is below `least` times the largest are left out.
chi_points <- function(df, t = 0, least = 1e-45) {
  if (is.infinite(df)) {
    return(list(s = 1, weight = 1))
  }
  step <- min(0.06, 0.3 / sqrt(df + 1), 0.4 / sqrt(2 * df + t^2))
  low <- log(least) / df - 1.5 * sqrt(-log(least) / df)
  u <- seq(low, 0.5 * log1p(90 / df) + 9 / sqrt(df), by = step)
  log_density <- df * u - df * expm1(2 * u) / 2
  density <- exp(log_density - max(log_density))
  kept <- density > least
  list(s = exp(u[kept]), weight = density[kept] / sum(density[kept]))
}
