# Linear models of scores: block + algorithm, or algorithm alone.

# One row per cell that has a score. x: blocks x algorithms, NA if a score is missing;
# dataset: data set of each block, or nothing.
long_scores <- function(x, dataset = NULL) {
  cells <- data.frame(
    score = as.vector(x),
    algorithm = factor(as.vector(col(x))),
    block = factor(as.vector(row(x)))
  )
  if (length(dataset) > 0) {
    number <- match(dataset, unique(dataset))
    cells$dataset <- factor(number[as.vector(row(x))])
  }
  droplevels(cells[!is.na(cells$score), ])
}

# The model that pycompare names in `formula`.
fit_scores <- function(x, blocked, dataset = NULL) {
  cells <- long_scores(x, dataset)
  if (!blocked) {
    lm(score ~ algorithm, data = cells)
  } else if (is.null(cells$dataset)) {
    lm(score ~ block + algorithm, data = cells)
  } else {
    # The folds that a data set has not are aliased, and cost nothing.
    lm(score ~ dataset + block + algorithm, data = cells)
  }
}

# How many times the variance of a mean over folds becomes if folds of a data set are
# equally correlated: 1' V 1 / n. overlap: n_test / n_train of each fold; 1 without any.
variance_ratio <- function(overlap, dataset = NULL) {
  if (length(overlap) == 0) {
    return(1)
  }
  n <- length(overlap)
  same <- if (length(dataset) == 0) matrix(1, n, n) else outer(dataset, dataset, "==")
  sum(diag(n) + same * overlap) / n
}

# Means of the algorithms with blocks counting equally: what emmeans calls them.
adjusted_means <- function(fit) {
  cells <- model.frame(fit)
  means <- vapply(levels(cells$algorithm), function(level) {
    rows <- if (is.null(cells$block)) cells[1, ] else cells[!duplicated(cells$block), ]
    rows$algorithm <- factor(level, levels(cells$algorithm))
    # predict() warns if data sets alias blocks; the predictions are right.
    mean(suppressWarnings(predict(fit, rows)))
  }, 0)
  means[abs(means) <= score_noise(fit)] <- 0
  means
}

# Whether a model leaves no error: what is left of the scores is their rounding.
no_error <- function(fit) {
  deviance(fit) / df.residual(fit) <= score_noise(fit)^2
}

score_noise <- function(fit) {
  64 * .Machine$double.eps * max(abs(model.response(model.frame(fit))))
}

# The share of arrangements within complete blocks that leave no error either; y: scores
# of one metric, algorithm: one entry per score.
exact_p <- function(y, algorithm) {
  means <- tapply(y, algorithm, mean)
  blocks <- length(y) / length(means)
  same <- outer(means, means, function(a, b) abs(a - b) <= 1e-12 * max(abs(y)))
  alike <- prod(factorial(table(apply(same, 1, function(row) which(row)[1]))))
  (alike / factorial(length(means)))^(blocks - 1)
}
