# Runs within blocks: aov() with strata, anova(lm()), intervals of variance components.

# x: one row per cell, the algorithms of a block in a row, one column per run.
replicated_anova_reference <- function(x, algorithms, level = 0.95) {
  a <- algorithms
  b <- nrow(x) / a
  n <- ncol(x)
  cells <- data.frame(
    score = as.vector(x),
    algorithm = factor(rep(rep(seq_len(a), b), n)),
    block = factor(rep(rep(seq_len(b), each = a), n))
  )
  strata <- summary(aov(score ~ algorithm + Error(block / algorithm), data = cells))
  of_blocks <- strata[["Error: block"]][[1]]
  of_algorithms <- strata[["Error: block:algorithm"]][[1]]
  of_runs <- strata[["Error: Within"]][[1]]
  full <- anova(lm(score ~ algorithm * block, data = cells))
  df <- c(of_blocks[["Df"]][1], of_algorithms[["Df"]], of_runs[["Df"]][1])
  squares <- c(
    of_blocks[["Mean Sq"]][1], of_algorithms[["Mean Sq"]], of_runs[["Mean Sq"]][1]
  )
  between <- difference_limits(squares[1], squares[3], df[1], df[3], level) / (a * n)
  changing <- difference_limits(squares[3], squares[4], df[3], df[4], level) / n
  tails <- c(1 + level, 1 - level) / 2
  within <- df[4] * squares[4] / qchisq(tails, df[4])
  f <- full["algorithm:block", "F value"]
  list(
    df = df,
    sum_sq = c(
      of_blocks[["Sum Sq"]][1], of_algorithms[["Sum Sq"]], of_runs[["Sum Sq"]][1]
    ),
    mean_sq = squares,
    statistic = c(NaN, of_algorithms[["F value"]][1], f, NaN),
    p_value = c(
      NaN, of_algorithms[["Pr(>F)"]][1], full["algorithm:block", "Pr(>F)"], NaN
    ),
    components = c(
      (squares[1] - squares[3]) / (a * n), (squares[3] - squares[4]) / n, squares[4]
    ),
    conf_low = pmax(0, c(between[1], changing[1], within[1])),
    conf_high = pmax(0, c(between[2], changing[2], within[2])),
    std_dev = sqrt(pmax(0, c(
      (squares[1] - squares[3]) / (a * n), (squares[3] - squares[4]) / n, squares[4]
    ))),
    estimate = pmax(0, c(
      (squares[1] - squares[3]) / (a * n), (squares[3] - squares[4]) / n, squares[4]
    )),
    planned_error = planned_errors(squares, b, n),
    run_share = min(1, 1 / f),
    run_share_conf_low = min(1, qf(1 - tails[1], df[3], df[4]) / f),
    run_share_conf_high = min(1, qf(tails[1], df[3], df[4]) / f),
    std_error = sqrt(2 * squares[3] / (n * b)),
    means = as.vector(tapply(cells$score, cells$algorithm, mean))
  )
}

# Standard errors of a difference, with as many blocks and twice as many, of 1 run, of as
# many, 2 and 5 times as many, and infinitely many; components as estimated, at least 0.
planned_errors <- function(squares, b, n) {
  both <- max(0, (squares[3] - squares[4]) / n)
  runs <- unique(sort(c(1, n, 2 * n, 5 * n, Inf)))
  unlist(lapply(c(b, 2 * b), function(blocks) {
    sqrt(2 * (both + squares[4] / runs) / blocks)
  }))
}

# Limits for the difference of expectations of two mean squares: Ting et al. (1990),
# with the upper points of F as printed in Burdick and Graybill (1992), sec. 3.3.
difference_limits <- function(s1, s2, n1, n2, level) {
  p <- (1 - level) / 2
  upper <- function(p, m1, m2) qf(p, m1, m2, lower.tail = FALSE)
  g1 <- 1 - 1 / upper(p, n1, Inf)
  h2 <- 1 / upper(1 - p, n2, Inf) - 1
  f <- upper(p, n1, n2)
  g12 <- ((f - 1)^2 - g1^2 * f^2 - h2^2) / f
  h1 <- 1 / upper(1 - p, n1, Inf) - 1
  g2 <- 1 - 1 / upper(p, n2, Inf)
  f <- upper(1 - p, n1, n2)
  h12 <- ((1 - f)^2 - h1^2 * f^2 - g2^2) / f
  c(
    s1 - s2 - sqrt(max(0, g1^2 * s1^2 + h2^2 * s2^2 + g12 * s1 * s2)),
    s1 - s2 + sqrt(max(0, h1^2 * s1^2 + g2^2 * s2^2 + h12 * s1 * s2))
  )
}

# Second witness: components of variance by REML, and F of the algorithms, if no
# component is estimated at 0. x as above.
replicated_lme4_reference <- function(x, algorithms) {
  b <- nrow(x) / algorithms
  cells <- data.frame(
    score = as.vector(x),
    algorithm = factor(rep(rep(seq_len(algorithms), b), ncol(x))),
    block = factor(rep(rep(seq_len(b), each = algorithms), ncol(x)))
  )
  fit <- lme4::lmer(
    score ~ algorithm + (1 | block / algorithm),
    data = cells,
    control = lme4::lmerControl("bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))
  )
  parts <- as.data.frame(lme4::VarCorr(fit))
  component <- function(group) parts$vcov[parts$grp == group]
  list(
    components = c(
      component("block"), component("algorithm:block"), component("Residual")
    ),
    statistic = anova(fit)["algorithm", "F value"]
  )
}
