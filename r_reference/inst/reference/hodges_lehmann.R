# Hodges-Lehmann differences of pairs of algorithms with intervals that hold together
# (Bonferroni), by wilcox.test(conf.int = TRUE). Needs ranks.R, paired.R, wilcoxon.R.

# x: blocks x algorithms, NA if cells are missing; control: name of an algorithm, or ""
# for all pairs.
hodges_lehmann_reference <- function(x, level = 0.95, control = "") {
  pairs <- compared_pairs(colnames(x), control)
  each <- 1 - (1 - level) / nrow(pairs)
  found <- lapply(seq_len(nrow(pairs)), function(i) {
    both <- x[, pairs[i, ], drop = FALSE]
    unlist(location_of_pair(both[stats::complete.cases(both), , drop = FALSE], each))
  })
  columns <- do.call(rbind, found)
  lapply(setNames(nm = colnames(columns)), function(name) columns[, name])
}

location_of_pair <- function(x, level) {
  n <- nrow(x)
  if (n == 0) {
    return(list(
      n_blocks = 0, estimate = NaN, conf_low = NaN, conf_high = NaN,
      achieved_level = NaN, rank_biserial = NaN
    ))
  }
  d <- pair_differences(x)
  signed <- signed_midranks(d, pair_noise(x), "wilcox")
  c(
    list(n_blocks = n), location_interval(d, level),
    list(rank_biserial = sum(signed) / sum(abs(signed)))
  )
}

# R's own interval if it is exact; with ties or zeros, which make it approximate, or
# many blocks, the same means of two differences are sorted here.
location_interval <- function(d, level) {
  ours <- walsh_interval(d, "two.sided", level)
  if (length(d) > 100 || anyDuplicated(abs(d)) || any(d == 0)) {
    return(ours)
  }
  # It warns if so few blocks cannot reach the level.
  test <- suppressWarnings(
    wilcox.test(d, exact = TRUE, conf.int = TRUE, conf.level = level)
  )
  list(
    estimate = unname(test$estimate), conf_low = test$conf.int[1],
    conf_high = test$conf.int[2], achieved_level = ours$achieved_level
  )
}
