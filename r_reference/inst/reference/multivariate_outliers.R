# Distances of residuals by rrcov::CovMcd, the function of robustbase::covMcd. Needs
# responses.R and rrcov.

# y: one row per cell, its block as the row's name; algorithm, dataset: of each row.
multivariate_outliers_reference <- function(y, algorithm, blocked, dataset = NULL) {
  y <- sweep(y, 2, y[1, ])
  y <- sweep(y, 2, apply(abs(y), 2, max), "/")
  fit <- fit_responses(y, algorithm, blocked, dataset)
  cells <- fit$model
  e <- as.matrix(resid(fit))
  dimnames(e) <- NULL
  pairs <- nlevels(cells$algorithm) == 2
  if (blocked && pairs && nrow(y) == 2 * nlevels(cells$block)) {
    # Mirrored residuals: one of each two.
    e <- e[cells$algorithm == levels(cells$algorithm)[1], , drop = FALSE]
  }
  set.seed(1)
  mcd <- rrcov::CovMcd(e, alpha = 1 / 2, use.correction = FALSE, nsamp = 5000)
  list(
    distance = sqrt(mahalanobis(e, colMeans(e), cov(e))),
    robust_distance = sqrt(rrcov::getDistance(mcd)),
    limit = sqrt(qchisq(0.975, ncol(e))), half = mcd@quan
  )
}
