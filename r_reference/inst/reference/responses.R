# Several metrics as responses of one design: block + algorithm, or algorithm alone.

# y: one row per cell, one column per metric, its row names the blocks; algorithm,
# dataset: one entry per row. R rejects metrics that depend on each other, so y has
# independent ones.
fit_responses <- function(y, algorithm, blocked, dataset = NULL) {
  blocks <- rownames(y)
  cells <- list(
    y = unname(y),
    algorithm = factor(algorithm, levels = unique(algorithm)),
    block = factor(blocks, levels = unique(blocks))
  )
  terms <- if (blocked) c("block", "algorithm") else "algorithm"
  if (length(dataset) > 0) {
    cells$dataset <- factor(dataset, levels = unique(dataset))
    terms <- c("dataset", terms)
  }
  lm(reformulate(terms, "y"), data = cells)
}

# SSCP matrices of the algorithms, adjusted for what stands before them, and of error.
sscp_of <- function(fit) {
  full <- as.matrix(resid(fit))
  less <- as.matrix(resid(lm(update(formula(fit), . ~ . - algorithm), fit$model)))
  list(
    hypothesis = crossprod(less) - crossprod(full),
    error = crossprod(full),
    df = c(nlevels(fit$model$algorithm) - 1, fit$df.residual)
  )
}
