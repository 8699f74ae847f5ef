# Linear models of scores: block + algorithm, or algorithm alone.

# One row per cell that has a score. x: blocks x algorithms, NA where a score is missing;
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

# How many times the variance of a mean over folds becomes where folds of a data set are
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
  vapply(levels(cells$algorithm), function(level) {
    rows <- if (is.null(cells$block)) cells[1, ] else cells[!duplicated(cells$block), ]
    rows$algorithm <- factor(level, levels(cells$algorithm))
    # predict() warns where data sets alias blocks; the predictions are right.
    mean(suppressWarnings(predict(fit, rows)))
  }, 0)
}
