# Signed rank tests of all pairs, adjusted by one test of all of them: own derivation,
# base R. Needs ranks.R, paired.R, wilcoxon.R, adjust.R, max_t.R, closed_permutation.R,
# signed_rank_pairs.R.

# Adjusted p-values and the level of each interval, by "step-down-flips" or
# "closed-permutation"; p: of the pairs, 1 if test and estimate contradict.
joint_signed_ranks <- function(x, pairs, differences, p, adjust, alpha, permutations,
                               seed) {
  signed <- lapply(differences, function(both) {
    d <- pair_differences(both)
    signed_places(d, pair_noise(both))
  })
  if (adjust == "step-down-flips") {
    flipped_signed_ranks(x, pairs, signed, p, alpha, permutations, seed)
  } else {
    closed_signed_ranks(x, pairs, signed, p, alpha, permutations, seed)
  }
}

# Signed midranks of all differences, 0 for zeros.
signed_places <- function(d, noise) {
  found <- numeric(length(d))
  found[d != 0] <- signed_midranks(d, noise, "wilcox")
  found
}

# Westfall and Young's step-down of |W| / sqrt(sum r^2), the signs of a block together.
flipped_signed_ranks <- function(x, pairs, signed, p, alpha, flips, seed) {
  n <- nrow(x)
  z <- vapply(seq_len(nrow(pairs)), function(e) {
    found <- numeric(n)
    found[stats::complete.cases(x[, pairs[e, ]])] <- signed[[e]]
    found
  }, numeric(n))
  all_listed <- n - 1 < 62 && 2^(n - 1) <= flips
  signs <- if (all_listed) listed_signs(n) else drawn_signs(n, flips, seed)
  as_seen <- if (all_listed) 0 else 1
  share <- function(reached) (as_seen + sum(reached)) / (as_seen + length(reached))
  observed <- studentised(z)
  flipped <- flipped_sums(signs, z)
  adjusted <- step_down_max(observed, flipped, share)
  left <- which(adjusted > alpha)
  if (length(left) == 0) left <- which.min(observed)
  largest <- apply(flipped[, left, drop = FALSE], 1, max)
  size <- length(largest) + !all_listed
  if (all_listed) largest <- largest[-1]
  least <- floor(alpha * size * (1 + 1e-12))
  limit <- if (least < 1) Inf else sort(largest, decreasing = TRUE)[least]
  level <- pmin(apply(abs(z), 2, level_at, limit), alpha)
  list(p_adjusted = pmax(adjusted, p), level = level)
}

# The largest p-value of a pair whose standardised signed rank sum is above the limit.
level_at <- function(ranks, limit) {
  ranks <- ranks[ranks != 0]
  total <- sum(ranks)
  above <- (total + limit * sqrt(sum(ranks^2))) / 2
  step <- if (all(ranks == round(ranks))) 1 else 0.5
  above <- (floor(above / step + 1e-9) + 1) * step
  if (above > total) {
    return(0)
  }
  sums <- 0
  for (rank in ranks) sums <- c(sums, sums + rank)
  min(1, 2 * mean(sums >= above - 1e-9))
}

# The closed test: sums of W^2 / sum r^2 over the pairs of permuted groups.
closed_signed_ranks <- function(x, pairs, signed, p, alpha, permutations, seed) {
  a <- ncol(x)
  set.seed(seed, "Mersenne-Twister")
  uniforms <- array(runif(a * nrow(x) * permutations), c(a, nrow(x), permutations))
  alone <- vapply(signed, function(ranks) {
    ranks <- ranks[ranks != 0]
    if (length(ranks) == 0) 1 else exact_signed_rank_p(ranks, "two.sided", "wilcox")
  }, 0)
  codes <- size_codes(x, pairs, signed)
  keys <- apply(pairs, 1, function(pair) toString(sort(pair)))
  p_of <- as.list(stats::setNames(pmin(1, alone), keys))
  for (size in seq_len(a)[-(1:2)]) {
    for (subset in utils::combn(a, size, simplify = FALSE)) {
      p_of[[toString(subset)]] <- signed_subset_p(codes, list(subset), permutations,
                                                 uniforms)
    }
  }
  adjusted <- if (a <= 5) {
    joint_closed_p(codes, p_of, a, pairs, permutations, uniforms)
  } else {
    closed_p(p_of, a, pairs)
  }
  list(p_adjusted = pmax(adjusted, p), level = alpha * p / pmax(adjusted, p))
}

# Signed places of the sizes of all differences among all sizes, blocks x a x a.
size_codes <- function(x, pairs, signed) {
  d <- vapply(seq_len(nrow(pairs)), function(e) pair_differences(x[, pairs[e, ]]),
    numeric(nrow(x))
  )
  noise <- vapply(seq_len(nrow(pairs)), function(e) pair_noise(x[, pairs[e, ]]),
    numeric(nrow(x))
  )
  sizes <- midranks(abs(as.vector(d)), ifelse(as.vector(d) == 0, 0, as.vector(noise)))
  codes <- array(0, c(nrow(x), ncol(x), ncol(x)))
  for (e in seq_len(nrow(pairs))) {
    own <- sign(d[, e]) * matrix(sizes, nrow(x))[, e]
    codes[, pairs[e, 1], pairs[e, 2]] <- own
    codes[, pairs[e, 2], pairs[e, 1]] <- -own
  }
  codes
}

# p of groups of algorithms, each permuted block by block; listed for one small group.
signed_subset_p <- function(codes, groups, permutations, uniforms) {
  n <- dim(codes)[1]
  statistic <- function(places_of) {
    Reduce(`+`, lapply(seq_along(groups), function(g) {
      sum_of_squares(codes, groups[[g]], places_of[[g]])
    }))
  }
  observed <- statistic(lapply(groups, function(group) {
    lapply(seq_along(group), function(t) matrix(t, n, 1))
  })) * (1 - 1e-12)
  m <- length(groups[[1]])
  if (length(groups) == 1 && factorial(m)^(n - 1) <= permutations) {
    orders <- subset_orders(m)
    choices <- c(list(1), rep(list(seq_len(nrow(orders))), n - 1))
    every <- t(as.matrix(expand.grid(choices)))
    places <- lapply(seq_len(m), function(t) matrix(orders[every, t], n))
    return(mean(statistic(list(places)) >= observed))
  }
  places_of <- lapply(groups, function(group) {
    ranks_among(lapply(group, function(u) matrix(uniforms[u, , ], n)))
  })
  (1 + sum(statistic(places_of) >= observed)) / (1 + permutations)
}

# Sum of W^2 / sum r^2 over the pairs of a group, one number per permutation.
sum_of_squares <- function(codes, group, places) {
  n <- dim(codes)[1]
  a <- dim(codes)[2]
  total <- 0
  for (pair in utils::combn(length(group), 2, simplify = FALSE)) {
    u <- group[as.vector(places[[pair[1]]])]
    v <- group[as.vector(places[[pair[2]]])]
    moved <- matrix(codes[cbind(rep(seq_len(n), length.out = length(u)), u, v)], n)
    total <- total + apply(moved, 2, function(column) {
      kept <- column[column != 0]
      if (length(kept) == 0) {
        return(0)
      }
      ranks <- rank(abs(kept))
      sum(sign(kept) * ranks)^2 / sum(ranks^2)
    })
  }
  total
}

# The largest p of all partitions that keep a pair together, groups permuted at once.
joint_closed_p <- function(codes, p_of, a, pairs, permutations, uniforms) {
  labels <- unclass(partitions::setparts(a))
  of_partition <- apply(labels, 2, function(label) {
    groups <- unname(Filter(function(g) length(g) > 1, split(seq_len(a), label)))
    if (length(groups) == 0) {
      1
    } else if (length(groups) == 1) {
      p_of[[toString(groups[[1]])]]
    } else {
      signed_subset_p(codes, groups, permutations, uniforms)
    }
  })
  apply(pairs, 1, function(pair) {
    max(of_partition[labels[pair[1], ] == labels[pair[2], ]])
  })
}
