# Items one by one: share of wrong answers, difficulty by the mixed model, correlation of
# the models' shares on an item with those on all others. Needs ranks.R, item_logit.R.

# x, runs, own: as in item_logit.R; higher: whether 1 is right; fitted: whether there is a
# mixed model; related: whether models are enough for correlations.
item_table_reference <- function(x, runs, higher, fitted, own, related) {
  n <- nrow(x) / runs
  item <- rep(seq_len(n), each = runs)
  share <- unname(apply(x, 2, function(y) tapply(y, item, mean, na.rm = TRUE)))
  right <- if (higher) share else 1 - share
  difficulty <- rep(NaN, n)
  if (fitted) {
    effect <- item_effects(x, item, item_logit_reference(x, runs, own, 0.95))
    difficulty <- if (higher) -effect else effect
  }
  correlation <- rep(NaN, n)
  if (related) {
    correlation <- vapply(seq_len(n), function(i) {
      if (diff(range(right[i, ])) < 1e-9) NaN else cor(right[i, ], colMeans(right[-i, ]))
    }, 0)
  }
  list(
    wrong = 1 - rowMeans(right), difficulty = difficulty, rest_correlation = correlation,
    wrong_by_algorithm = as.vector(1 - right)
  )
}

# The most likely effect of each item, given the parameters.
item_effects <- function(x, item, model) {
  right <- unname(apply(x, 2, function(y) tapply(y, item, sum, na.rm = TRUE)))
  count <- unname(apply(!is.na(x), 2, function(y) tapply(y, item, sum)))
  key <- apply(cbind(right, count), 1, paste, collapse = " ")
  sd <- model$sd_item
  v <- item_logit_nodes(model$sd_own, max(count), model$reach, 1.5)
  log_weights <- if (model$sd_own > 0) dnorm(v / model$sd_own, log = TRUE) else 0
  mode_of <- function(i) {
    slope <- function(u) {
      rises <- vapply(seq_along(model$intercept), function(j) {
        at <- model$intercept[j] + u + v
        log_p <- plogis(c(at, -at), log.p = TRUE) # p may be 1 in doubles
        counts <- rep(c(right[i, j], count[i, j] - right[i, j]), each = length(at))
        log_given <- log_weights + rowSums(matrix(counts * log_p, length(at)))
        given <- exp(log_given - max(log_given))
        p <- plogis(at)
        sum(given * (right[i, j] - count[i, j] * p)) / sum(given)
      }, 0)
      sum(rises) - u / sd^2
    }
    uniroot(slope, c(-1, 1) * model$reach * sd, tol = 1e-13)$root
  }
  first <- match(unique(key), key)
  vapply(first, mode_of, 0)[match(key, unique(key))]
}
