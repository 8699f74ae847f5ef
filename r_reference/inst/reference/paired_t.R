# Paired t test by t.test, its correction for overlapping training sets by formula, and
# Cohen's d_z. Needs ranks.R, paired.R.

# x: blocks x two algorithms; rho: n_test / n_train of the correction, or 0; overlap: its
# factor in the variance, 1 as Nadeau and Bengio have it.
paired_t_reference <- function(x, alternative = "two.sided", level = 0.95, rho = 0,
                               overlap = 1) {
  rho <- overlap * rho
  d <- mean_differences(x)
  # A power of two keeps squares in the range of doubles and changes no digit.
  unit <- 2^round(log2(max(abs(d), .Machine$double.xmin)))
  d <- d / unit
  if (is_constant(x)) {
    return(constant_differences(d, alternative, unit, rho))
  }
  result <- if (rho == 0) {
    ordinary_t(d, alternative, level)
  } else {
    corrected_t(d, alternative, level, rho)
  }
  in_unit <- c("estimate", "conf_low", "conf_high", "std_error")
  result[in_unit] <- lapply(result[in_unit], function(value) value * unit)
  shift <- noncentrality_limits(result$statistic, length(d) - 1, level)
  scale <- sqrt(1 / length(d) + rho)
  c(result, list(
    effect = mean(d) / sd(d),
    effect_low = shift[1] * scale, effect_high = shift[2] * scale
  ))
}

ordinary_t <- function(d, alternative, level) {
  test <- t.test(d, alternative = alternative, conf.level = level)
  list(
    statistic = unname(test$statistic), df = unname(test$parameter),
    p_value = test$p.value, estimate = unname(test$estimate),
    conf_low = test$conf.int[1], conf_high = test$conf.int[2], std_error = test$stderr
  )
}

# Nadeau and Bengio: the variance of the mean is (1 / n + rho) times that of a block.
corrected_t <- function(d, alternative, level, rho) {
  df <- length(d) - 1
  se <- sqrt((1 / length(d) + rho) * var(d))
  t <- mean(d) / se
  p <- c(
    two.sided = 2 * pt(-abs(t), df), less = pt(t, df),
    greater = pt(t, df, lower.tail = FALSE)
  )
  tail <- if (alternative == "two.sided") (1 - level) / 2 else 1 - level
  half <- qt(tail, df, lower.tail = FALSE) * se
  list(
    statistic = t, df = df, p_value = p[[alternative]], estimate = mean(d),
    conf_low = if (alternative == "less") -Inf else mean(d) - half,
    conf_high = if (alternative == "greater") Inf else mean(d) + half,
    std_error = se
  )
}

# Equal differences: t is infinite, and all changes of sign give the p-value; none if
# folds share training data.
constant_differences <- function(d, alternative, unit, rho) {
  n <- length(d)
  sign <- sign(mean(d))
  p <- c(two.sided = 2^(1 - n), greater = if (sign > 0) 2^-n else 1)
  p["less"] <- if (sign < 0) 2^-n else 1
  list(
    statistic = if (sign == 0) NaN else sign * Inf, df = n - 1,
    p_value = if (sign == 0 || rho > 0) NaN else p[[alternative]],
    estimate = mean(d) * unit, conf_low = NaN, conf_high = NaN, std_error = 0,
    effect = if (sign == 0) NaN else sign * Inf, effect_low = NaN, effect_high = NaN
  )
}

# Limits of the noncentrality of a t statistic; the root of pt, which has 12 decimals.
noncentrality_limits <- function(t, df, level) {
  limit <- function(p) {
    excess <- function(shift) suppressWarnings(pt(abs(t), df, shift)) - p
    width <- 10 * sqrt(1 + t^2 / (2 * df))
    uniroot(
      excess, abs(t) + c(-1, 1) * width,
      tol = 1e-14, extendInt = "downX", maxiter = 10000
    )$root
  }
  tail <- (1 - level) / 2
  sizes <- c(limit(1 - tail), limit(tail))
  if (t >= 0) sizes else -rev(sizes)
}
