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
