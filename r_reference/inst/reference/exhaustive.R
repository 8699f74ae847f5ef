# Sets of pair hypotheses that can all be true at once, by listing set partitions.
#
# A partition of the algorithms into groups of equals makes the pairs within groups
# true and all others false; the partition into single algorithms makes none true.

# Number of such sets for a algorithms (2 to 8), and the sizes that they can have.
exhaustive_reference <- function(a) {
  sizes <- apply(partitions::setparts(a), 2, function(group) {
    sum(choose(table(group), 2))
  })
  list(n_exhaustive_sets = sum(sizes > 0), possible_counts = sort(unique(sizes)))
}

# The sets themselves (needs adjust.R): each is the sum of 2^(m - i) over pairs i of m,
# by rising size and falling number; with p-values, the Bonferroni test of each.
exhaustive_sets_reference <- function(a, p = NULL, alpha = NULL) {
  sets <- exhaustive_sets(a)
  size <- colSums(sets)
  code <- colSums(sets * 2^rev(seq_len(nrow(sets)) - 1))
  order <- order(size, -code)
  listed <- list(code = code[order], n_pairs = size[order])
  if (!is.null(p)) {
    listed$smallest_p <- smallest_in(sets, p)[order]
    listed$bonferroni_p <- pmin(1, listed$n_pairs * listed$smallest_p)
    listed$accepted <- as.numeric(listed$bonferroni_p > alpha)
  }
  listed
}
