# Blocks and runs that all algorithms share: mean squares of aov(), quasi-F by definition.

# x: one row per cell, the algorithms of a block in a row, one column per run.
crossed_anova_reference <- function(x, algorithms, quasi_f, level = 0.95) {
  cells <- crossed_cells(x, algorithms)
  found <- summary(aov(score ~ algorithm * run * block, data = cells))[[1]]
  names <- trimws(rownames(found))
  terms <- c(
    "algorithm", "run", "block", "algorithm:run", "algorithm:block", "run:block",
    "algorithm:run:block"
  )
  at <- match(terms, names)
  df <- found[["Df"]][at]
  squares <- found[["Mean Sq"]][at]
  f <- crossed_quasi_f(squares, df, quasi_f)
  a <- algorithms
  b <- nrow(x) / a
  n <- ncol(x)
  weights <- rbind(
    c(1, 0, -1, 0, -1, 1) / (a * b), c(0, 1, 0, -1, -1, 1) / (a * n),
    c(0, 0, 1, 0, 0, -1) / b, c(0, 0, 0, 1, 0, -1) / n, c(0, 0, 0, 0, 1, -1) / a,
    c(0, 0, 0, 0, 0, 1)
  )
  limits <- apply(weights, 1, mls_limits, squares[-1], df[-1], level)
  tested <- squares[4:6] / squares[7]
  list(
    statistic = f$above / f$below, df = f$df,
    p_value = pf(f$above / f$below, f$df[1], f$df[2], lower.tail = FALSE),
    mean_square = f$above, error = f$below,
    table_df = df, table_sum_sq = found[["Sum Sq"]][at], table_mean_sq = squares,
    table_statistic = c(f$above / f$below, NaN, NaN, tested, NaN),
    table_p_value = c(
      pf(f$above / f$below, f$df[1], f$df[2], lower.tail = FALSE), NaN, NaN,
      pf(tested, df[4:6], df[7], lower.tail = FALSE), NaN
    ),
    components = as.vector(weights %*% squares[-1]),
    conf_low = pmax(0, limits[1, ]), conf_high = pmax(0, limits[2, ]),
    means = as.vector(tapply(cells$score, cells$algorithm, mean))
  )
}

crossed_cells <- function(x, algorithms) {
  b <- nrow(x) / algorithms
  n <- ncol(x)
  data.frame(
    score = as.vector(x),
    algorithm = factor(rep(rep(seq_len(algorithms), b), n)),
    block = factor(rep(rep(seq_len(b), each = algorithms), n)),
    run = factor(rep(seq_len(n), each = nrow(x)))
  )
}

# Mean squares of algorithm, run, block, their interactions of two, and of three.
crossed_quasi_f <- function(squares, df, quasi_f) {
  satterthwaite <- function(signs) {
    total <- sum(signs * squares)
    list(square = total, df = total^2 / sum((signs * squares)^2 / df))
  }
  own <- list(square = squares[1], df = df[1])
  run <- squares[4]
  block <- squares[5]
  rest <- squares[7]
  if (quasi_f == "sums") {
    own <- satterthwaite(c(1, 0, 0, 0, 0, 0, 1))
    error <- satterthwaite(c(0, 0, 0, 1, 1, 0, 0))
  } else if (quasi_f == "hillis") {
    square <- run + max(block - rest, 0)
    error <- list(square = square, df = square^2 / (run^2 / df[4]))
  } else {
    kept <- c(run > rest, block > rest)
    signs <- if (all(kept)) c(1, 1, -1) else if (kept[1]) c(1, 0, 0) else
      if (kept[2]) c(0, 1, 0) else c(0, 0, 1)
    error <- satterthwaite(c(0, 0, 0, signs[1:2], 0, signs[3]))
  }
  list(above = own$square, below = error$square, df = c(own$df, error$df))
}

# The components by REML, which are those of mean squares if none is negative.
crossed_lme4_reference <- function(x, algorithms) {
  cells <- crossed_cells(x, algorithms)
  fit <- lme4::lmer(
    score ~ algorithm + (1 | run) + (1 | block) + (1 | algorithm:run) +
      (1 | algorithm:block) + (1 | run:block),
    data = cells,
    control = lme4::lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9))
  )
  found <- as.data.frame(lme4::VarCorr(fit))
  places <- c(
    "run", "block", "algorithm:run", "algorithm:block", "run:block", "Residual"
  )
  list(components = found$vcov[match(places, found$grp)])
}
