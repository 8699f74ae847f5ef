# Davidson's model by psychotools: no order, no penalty. Strengths against the last model.
# Each pair of models and outcome is one subject with as many copies as battles.

davidson_psychotools <- function(first, second, wins, ties, losses) {
  k <- max(first, second)
  pairs <- t(utils::combn(k, 2))
  pairs <- pairs[order(pairs[, 2], pairs[, 1]), , drop = FALSE]
  turned <- first > second
  low <- pmin(first, second)
  high <- pmax(first, second)
  column <- match(low * k + high, pairs[, 1] * k + pairs[, 2])
  of_low <- cbind(ifelse(turned, losses, wins), ties, ifelse(turned, wins, losses))
  counts <- rowsum(of_low, column)
  at <- as.integer(rownames(counts))
  rows <- matrix(NA_integer_, 3 * length(at), nrow(pairs))
  rows[cbind(seq_len(nrow(rows)), rep(at, 3))] <- rep(c(1L, 0L, -1L), each = length(at))
  weights <- as.vector(counts)
  kept <- weights > 0
  compared <- psychotools::paircomp(
    rows[kept, , drop = FALSE], labels = as.character(seq_len(k)), mscale = -1:1
  )
  fit <- psychotools::btmodel(compared, weights[kept], undecided = TRUE)
  estimates <- unname(stats::coef(fit))
  list(
    strengths = estimates[-k],
    log_nu = estimates[k],
    errors = unname(sqrt(diag(stats::vcov(fit))))[-k],
    log_likelihood = as.numeric(stats::logLik(fit))
  )
}
