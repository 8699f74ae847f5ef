# Interaction of algorithm and data set over folds within data sets. Needs linear.R.

# x: folds x algorithms, complete; dataset: the data set of each fold; overlap:
# n_test / n_train of each fold, or nothing.
dataset_interaction_reference <- function(x, dataset, overlap = NULL) {
  cells <- long_scores(x, dataset)
  alike <- lm(score ~ block + algorithm, data = cells)
  changing <- lm(score ~ block + algorithm + dataset:algorithm, data = cells)
  # One projection after another: the difference of two residual sums loses digits.
  table <- suppressWarnings(anova(changing))
  rows <- nrow(table) - 1:0
  # Sums of squares that are only rounding are 0.
  noise <- nrow(cells) * (64 * .Machine$double.eps * max(abs(cells$score)))^2
  squares <- table[["Sum Sq"]][rows]
  squares[squares <= noise] <- 0
  df <- table[["Df"]][rows]
  f <- squares[1] / df[1] / (squares[2] / df[2])
  if (length(overlap) > 0) {
    f <- whitened_f(cells, list(alike, changing), rep(overlap, ncol(x)))
  }
  list(
    statistic = f, df = df, p_value = pf(f, df[1], df[2], lower.tail = FALSE),
    sum_sq = squares[1], error_sum_sq = squares[2]
  )
}

# F of nested models by generalised least squares: the folds of an algorithm on a data
# set have covariance I + overlap 11', and its inverse root makes them independent.
whitened_f <- function(cells, models, overlap) {
  root <- diag(nrow(cells))
  for (rows in split(seq_len(nrow(cells)), list(cells$algorithm, cells$dataset))) {
    ends <- eigen(diag(length(rows)) + overlap[rows], symmetric = TRUE)
    root[rows, rows] <- ends$vectors %*% diag(1 / sqrt(ends$values)) %*% t(ends$vectors)
  }
  fits <- lapply(models, function(model) {
    lm.fit(root %*% model.matrix(model), root %*% cells$score)
  })
  # The columns of the smaller model come first, so the effects behind its rank are those
  # of the interaction: the difference of two residual sums would lose digits.
  more <- fits[[2]]$effects[(fits[[1]]$rank + 1):fits[[2]]$rank]
  mean(more^2) / (sum(fits[[2]]$residuals^2) / fits[[2]]$df.residual)
}

# Second witness, if n_test / n_train is the same on all data sets.
dataset_interaction_gls_reference <- function(x, dataset, overlap) {
  cells <- long_scores(x, dataset)
  alike <- list(score ~ block + algorithm, score ~ block + algorithm + dataset:algorithm)
  squares <- vapply(alike, function(formula) {
    columns <- model.matrix(formula, cells)
    cells$columns <- columns[, qr(columns)$pivot[seq_len(qr(columns)$rank)]]
    fit <- nlme::gls(score ~ columns - 1,
      data = cells, correlation = nlme::corCompSymm(
        overlap[1] / (1 + overlap[1]), ~ 1 | algorithm / dataset,
        fixed = TRUE
      )
    )
    c(fit$sigma^2 * (fit$dims$N - fit$dims$p), fit$dims$N - fit$dims$p)
  }, c(0, 0))
  f <- (squares[1, 1] - squares[1, 2]) / (squares[2, 1] - squares[2, 2]) /
    (squares[1, 2] / squares[2, 2])
  list(statistic = f)
}
