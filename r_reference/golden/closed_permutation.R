# Writes closed_permutation_*.json beside it: Rscript closed_permutation.R, in this
# folder. No package has this test: the numbers are of our own derivation in R,
# ../inst/reference/closed_permutation.R, with 99 permutations of runif after set.seed(5).

source("json.R")
for (file in c("ranks", "adjust", "sign_flips", "max_t", "closed_permutation")) {
  source(file.path("..", "inst", "reference", paste0(file, ".R")))
}

write_golden <- function(name, note, x) {
  dimnames(x) <- list(NULL, paste0("A", seq_len(ncol(x))))
  entry <- function(on) {
    list(
      call = paste0("closed_permutation_reference(x, 'higher', '", on, "', 99, 5)"),
      value = lapply(closed_permutation_reference(x, "higher", on, 99, 5), unname)
    )
  }
  found <- list(
    id = name,
    notes = note,
    generated_with = list(
      R = R.version.string,
      partitions = as.character(packageVersion("partitions"))
    ),
    input = list(blocks = nrow(x), x = as.vector(x)),
    outputs = list(ranks = entry("ranks"), scores = entry("scores"))
  )
  writeLines(json(found), paste0(name, ".json"))
}

set.seed(3)
write_golden("closed_permutation_8x4", "simulated, 0.6 apart, column by column",
  round(matrix(rnorm(32), 8) + rep(0.6 * (1:4), each = 8), 3))
write_golden("closed_permutation_9x5", "simulated, ties, column by column",
  matrix(sample(5, 45, TRUE) + rep(c(0, 0, 1, 2, 2), each = 9), 9))
