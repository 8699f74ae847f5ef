# Closed test of exchangeable algorithms by permutations within blocks: own derivation,
# base R. Needs ranks.R, adjust.R, sign_flips.R, max_t.R.

# permutations: number of random ones for a subset that has more. on: "ranks" or
# "scores".
closed_permutation_reference <- function(x, better, on, permutations, seed = NULL) {
  a <- ncol(x)
  pairs <- all_pairs(a)
  d <- block_differences(x, better, on, pairs)
  values <- if (on == "ranks") rank_rows(lower_is_better(x, better)) else x
  uniforms <- NULL
  if (!is.null(seed)) {
    set.seed(seed, "Mersenne-Twister")
    uniforms <- array(runif(a * nrow(x) * permutations), c(a, nrow(x), permutations))
  }
  p_of <- list()
  for (size in 2:a) {
    for (subset in utils::combn(a, size, simplify = FALSE)) {
      exact <- on == "ranks" && size == 2
      p_of[[toString(subset)]] <- if (exact) {
        sign_flip_p(2 * (values[, subset[1]] - values[, subset[2]]))
      } else {
        subset_p(values[, subset], subset, permutations, uniforms)
      }
    }
  }
  names <- apply(pairs, 1, toString)
  list(
    estimate = colMeans(d),
    std_error = not_zero(root_squares(d)) / nrow(d),
    statistic = colSums(d) / not_zero(root_squares(d)),
    p_value = unlist(p_of[names], use.names = FALSE),
    p_adjusted = closed_p(p_of, a, pairs)
  )
}

# Share of permutations of a subset's columns, block by block.
subset_p <- function(values, subset, permutations, uniforms) {
  n <- nrow(values)
  m <- ncol(values)
  observed <- largest_in(values)
  reached <- function(moved) largest_in(moved) >= observed - 1e-11
  if (factorial(m)^(n - 1) <= permutations) {
    # The first block keeps its order.
    orders <- subset_orders(m)
    every <- expand.grid(rep(list(seq_len(nrow(orders))), n - 1))
    counted <- apply(every, 1, function(chosen) {
      reached(moved_rows(values, orders[c(1, chosen), , drop = FALSE]))
    })
    return(mean(counted))
  }
  counted <- apply(uniforms[subset, , , drop = FALSE], 3, function(u) {
    reached(moved_rows(values, t(apply(u, 2, rank, ties.method = "first"))))
  })
  (1 + sum(counted)) / (1 + permutations)
}

# Each row of values in the order of the same row of orders.
moved_rows <- function(values, orders) {
  matrix(values[cbind(as.vector(row(orders)), as.vector(orders))], nrow(values))
}

# All orders of 1..m, one per row, the unchanged one first.
subset_orders <- function(m) {
  all <- as.matrix(expand.grid(rep(list(seq_len(m)), m)))[, m:1, drop = FALSE]
  all[apply(all, 1, function(order) !anyDuplicated(order)), , drop = FALSE]
}

# Largest |sum D| / sqrt(sum D^2) of the pairs of columns, 0 where two tie throughout.
largest_in <- function(values) {
  pairs <- utils::combn(ncol(values), 2)
  one <- values[, pairs[1, ], drop = FALSE]
  other <- values[, pairs[2, ], drop = FALSE]
  d <- one - other
  d[abs(d) <= tie_width * pmax(abs(one), abs(other))] <- 0
  max(studentised(d))
}

# The largest p of all partitions that keep a pair together.
closed_p <- function(p_of, a, pairs) {
  labels <- unclass(partitions::setparts(a))
  of_partition <- apply(labels, 2, function(label) {
    groups <- Filter(function(group) length(group) > 1, split(seq_len(a), label))
    together <- sum(lengths(groups))
    made <- vapply(groups, function(group) {
      power_tail(p_of[[toString(group)]], together / length(group))
    }, 0)
    min(1, made)
  })
  apply(pairs, 1, function(pair) {
    max(of_partition[labels[pair[1], ] == labels[pair[2], ]])
  })
}
