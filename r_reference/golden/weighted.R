# Writes weighted_*.json beside it: Rscript weighted.R, in this folder.
#
# Means weighted over benchmarks. Two benchmarks: Welch's test of w1 * d1 against
# -w2 * d2, by t.test. Three benchmarks with clusters: estimate and standard error of a
# contrast of a linear model, by clubSandwich with CR2.

source("json.R")

pairs_of <- function(x) t(utils::combn(ncol(x), 2))

write_golden <- function(name, note, x, input, call, value) {
  versions <- list(
    R = R.version.string, clubSandwich = as.character(packageVersion("clubSandwich"))
  )
  found <- list(
    id = name, notes = note, generated_with = versions,
    input = c(list(cases = nrow(x), x = as.vector(x)), input),
    outputs = list(pairs = list(call = call, value = value))
  )
  writeLines(json(found), paste0(name, ".json"))
}

by_pair <- function(x, compute) {
  pairs <- pairs_of(x)
  rows <- lapply(seq_len(nrow(pairs)), function(i) {
    compute(x[, pairs[i, 1]] - x[, pairs[i, 2]])
  })
  as.list(as.data.frame(do.call(rbind, rows)))
}

set.seed(15)
x <- round(matrix(rnorm(4 * 33), 33) + rep(c(0, 0.3, 0.3, 0.9), each = 33), 3)
benchmark <- rep(1:2, c(12, 21))
weights <- c(0.7, 0.3)
welch <- by_pair(x, function(d) {
  part <- d * weights[benchmark]
  m <- nrow(pairs_of(x))
  test <- t.test(part[benchmark == 1], -part[benchmark == 2], conf.level = 1 - 0.05 / m)
  c(
    estimate = unname(test$estimate[1] - test$estimate[2]), std_error = test$stderr,
    statistic = unname(test$statistic), df = unname(test$parameter),
    p_value = test$p.value, conf_low = test$conf.int[1], conf_high = test$conf.int[2]
  )
})
welch$p_adjusted <- p.adjust(welch$p_value, "holm")
write_golden("weighted_two_33x4", "simulated, two benchmarks, column by column", x,
  list(benchmark = benchmark, weights = weights),
  "t.test(w1 * d1, -w2 * d2, conf.level = 1 - 0.05 / 6); p.adjust(p, 'holm')", welch)

cluster <- rep(1:15, c(2, 5, 3, 1, 4, 6, 2, 2, 3, 5, 4, 1, 7, 2, 3))
benchmark <- c(1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3)[cluster]
weights <- c(0.5, 0.2, 0.3)
right <- (rnorm(15)[cluster] + matrix(rnorm(3 * 50), 50) > rep(c(0, -0.2, -0.8),
  each = 50)) * 1
robust <- by_pair(right, function(d) {
  fit <- lm(d ~ 0 + factor(benchmark))
  v <- as.matrix(clubSandwich::vcovCR(fit, cluster = cluster, type = "CR2"))
  c(
    estimate = sum(weights * coef(fit)),
    std_error = sqrt(drop(weights %*% v %*% weights))
  )
})
write_golden("weighted_clusters_50x3", "simulated, three benchmarks of clusters",
  right, list(benchmark = benchmark, weights = weights, cluster = cluster),
  "vcovCR(lm(d ~ 0 + factor(benchmark)), cluster, 'CR2')", robust)
