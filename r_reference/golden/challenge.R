# Writes challenge_*.json beside it: Rscript challenge.R, in this folder.
#
# Two tasks of challengeR's vignette, drawn anew from the distributions and seeds that its
# README names (50 cases of 5 algorithms): one with a clear order, one without any. The
# numbers are those of base R: rank, aggregate, wilcox.test, sample, cor.

source("json.R")

n <- 50
a <- 5

drawn <- function(seed, make) {
  set.seed(seed)
  x <- make()
  dimnames(x) <- list(NULL, paste0("A", seq_len(a)))
  x
}
random <- drawn(1, function() matrix(plogis(rnorm(a * n, 1.5, 1)), n))
ideal <- drawn(4, function() {
  runif(n, 0.9, 1) # a vector that the vignette draws first
  ends <- cbind(c(9, 8, 7, 6, 5), c(10, 8.9, 7.9, 6.9, 5.9)) / 10
  apply(ends, 1, function(end) runif(n, end[1], end[2]))
})

first_of_ties <- function(x) rank(x, ties.method = "min")
ranks_of <- function(x) {
  t(apply(x, 1, function(row) {
    r <- rank(-row, ties.method = "min", na.last = "keep")
    r[is.na(row)] <- max(r, na.rm = TRUE) + 1
    r
  }))
}
beaten <- function(x, adjust) {
  p <- matrix(NA, a, a)
  for (i in seq_len(a)) {
    for (j in seq_len(a)[-i]) {
      p[i, j] <- wilcox.test(x[, i], x[, j],
        paired = TRUE, exact = FALSE, alternative = "greater"
      )$p.value
    }
  }
  p[] <- p.adjust(p, adjust)
  rowSums(p <= 0.05, na.rm = TRUE) / (a - 1)
}
schemes <- function(x) {
  list(
    rank_mean = colMeans(ranks_of(x)), rank_median = apply(ranks_of(x), 2, median),
    mean = colMeans(x), median = apply(x, 2, median),
    tests = beaten(x, "none"), tests_holm = beaten(x, "holm")
  )
}
ranked <- function(found) {
  higher <- c("mean", "median", "tests", "tests_holm")
  Map(function(value, name) first_of_ties(if (name %in% higher) -value else value),
    found, names(found))
}
failed <- function() {
  set.seed(3)
  cell <- sample(a * n, 12)
  x <- random
  x[cell] <- NA
  zero <- x
  zero[cell] <- 0
  kept <- x[!apply(is.na(x), 1, any), ]
  list(
    cells = cell, rank_mean = colMeans(ranks_of(x)), mean = colMeans(zero),
    dropped_cells = colMeans(x, na.rm = TRUE),
    dropped = colMeans(kept), rank_dropped = colMeans(ranks_of(kept))
  )
}
resampled <- function(x, resamples = 40, seed = 5) {
  set.seed(seed)
  cases <- matrix(floor(n * runif(n * resamples)) + 1, n)
  ranks <- t(apply(cases, 2, function(rows) first_of_ties(colMeans(ranks_of(x[rows, ])))))
  whole <- first_of_ties(colMeans(ranks_of(x)))
  list(
    resamples = resamples, seed = seed, won = colMeans(ranks == 1),
    kendall = mean(apply(ranks, 1, cor, whole, method = "kendall"))
  )
}

write_golden <- function(name, note, x, more = list()) {
  found <- schemes(x)
  outputs <- c(
    list(
      values = list(call = "rank; mean, median; wilcox.test", value = found),
      ranks = list(call = "rank(ties.method = 'min')", value = ranked(found)),
      resampled = list(call = "rank of resampled cases; cor", value = resampled(x))
    ),
    more
  )
  file <- list(
    id = name, notes = note, generated_with = list(R = R.version.string),
    input = list(cases = n, x = as.vector(x)), outputs = outputs
  )
  writeLines(json(file), paste0(name, ".json"))
}

write_golden("challenge_random", "no algorithm differs, column by column", random,
  list(failed = list(call = "rank, mean with 0, without cases", value = failed())))
write_golden("challenge_ideal", "a clear order, column by column", ideal)
