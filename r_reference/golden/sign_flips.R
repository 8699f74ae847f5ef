# Writes sign_flips_*.json beside it: Rscript sign_flips.R, in this folder.
#
# Exact p-values of pairs of Friedman ranks when the sign of each block's difference is a
# fair coin, by coin's exact symmetry test of the two columns of ranks.

source("json.R")

exchanged <- function(one, other) {
  cells <- data.frame(
    score = c(one, other),
    side = factor(rep(1:2, each = length(one))),
    block = factor(rep(seq_along(one), 2))
  )
  test <- coin::symmetry_test(score ~ side | block, cells, distribution = "exact")
  as.numeric(coin::pvalue(test))
}

write_golden <- function(name, note, x) {
  ranks <- t(apply(x, 1, rank))
  pairs <- t(utils::combn(ncol(x), 2))
  p <- apply(pairs, 1, function(pair) exchanged(ranks[, pair[1]], ranks[, pair[2]]))
  found <- list(
    id = name,
    notes = note,
    generated_with = list(
      R = R.version.string,
      coin = as.character(packageVersion("coin"))
    ),
    input = list(blocks = nrow(x), x = as.vector(x)),
    outputs = list(exact = list(
      call = "coin::symmetry_test(rank ~ algorithm | block, distribution = 'exact')",
      value = list(p_value = p)
    ))
  )
  writeLines(json(found), paste0(name, ".json"))
}

set.seed(1)
write_golden("sign_flips_11x4", "simulated whole scores with ties, column by column",
  matrix(sample(6, 44, TRUE), 11))
write_golden("sign_flips_25x5", "simulated, algorithms 0.3 apart, column by column",
  round(matrix(rnorm(125), 25) + rep(0.3 * (1:5), each = 25), 3))
