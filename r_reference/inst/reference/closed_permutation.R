# Closed test of exchangeable algorithms by permutations within blocks: own derivation,
# base R. Needs ranks.R, adjust.R, sign_flips.R, max_t.R.

# permutations: number of random ones for a subset that has more. on: "ranks" or
# "scores". control: name of an algorithm, or "" for all pairs.
closed_permutation_reference <- function(x, better, on, permutations, seed = NULL,
                                         control = "") {
  a <- ncol(x)
  centre <- match(control, colnames(x))
  pairs <- if (is.na(centre)) all_pairs(a) else compared_pairs(colnames(x), control)
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
      if (!is.na(centre) && !(centre %in% subset)) next
      exact <- on == "ranks" && size == 2
      p_of[[toString(subset)]] <- if (exact) {
        sign_flip_p(2 * (values[, subset[1]] - values[, subset[2]]))
      } else {
        subset_p(values[, subset], subset, permutations, uniforms, centre)
      }
    }
  }
  names <- apply(pairs, 1, function(pair) toString(sort(pair)))
  columns <- list(
    estimate = colMeans(d),
    std_error = not_zero(root_squares(d)) / nrow(d),
    statistic = colSums(d) / not_zero(root_squares(d)),
    df = rep(Inf, nrow(pairs)),
    p_value = unlist(p_of[names], use.names = FALSE),
    p_adjusted = if (is.na(centre)) closed_p(p_of, a, pairs) else control_p(p_of, pairs),
    conf_low = rep(NaN, nrow(pairs)), conf_high = rep(NaN, nrow(pairs))
  )
  of_pairs(columns, pairs, colnames(x))
}

# Share of permutations of a subset's columns, block by block.
subset_p <- function(values, subset, permutations, uniforms, centre = NA) {
  n <- nrow(values)
  m <- ncol(values)
  among <- match(centre, subset)
  observed <- largest_in(lapply(seq_len(m), function(t) values[, t, drop = FALSE]), among)
  # The same permutation of all blocks only renames members: the first block keeps its
  # order, but for a control, which gets what any member has there.
  orders <- subset_orders(m)
  first <- 1
  if (!is.na(among) && m > 2) {
    others <- orders[, -among, drop = FALSE]
    first <- which(apply(others, 1, function(order) !is.unsorted(order)))
  }
  if (length(first) * factorial(m)^(n - 1) <= permutations) {
    every <- expand.grid(c(list(first), rep(list(seq_len(nrow(orders))), n - 1)))
    every <- t(as.matrix(every))
    places <- lapply(seq_len(m), function(t) matrix(orders[every, t], n))
    return(mean(largest_in(moved(values, places), among) >= observed - 1e-11))
  }
  drawn <- lapply(subset, function(u) matrix(uniforms[u, , ], n))
  reached <- largest_in(moved(values, ranks_among(drawn)), among) >= observed - 1e-11
  (1 + sum(reached)) / (1 + permutations)
}

# What each member gets: one matrix per member, one row per block, one column
# per permutation.
moved <- function(values, places) {
  n <- nrow(values)
  lapply(places, function(place) {
    found <- values[(place - 1) * n + seq_len(n)]
    dim(found) <- dim(place)
    found
  })
}

# Ranks of the members' numbers, cell by cell.
ranks_among <- function(drawn) {
  lapply(seq_along(drawn), function(t) {
    below <- lapply(seq_along(drawn), function(u) {
      if (u < t) drawn[[u]] <= drawn[[t]] else drawn[[u]] < drawn[[t]]
    })
    1 + Reduce(`+`, below)
  })
}

# All orders of 1..m, one per row, the unchanged one first.
subset_orders <- function(m) {
  orders <- matrix(1, 1, 1)
  for (size in seq_len(m)[-1]) {
    orders <- do.call(rbind, lapply(seq_len(size), function(first) {
      cbind(first, orders + (orders >= first), deparse.level = 0)
    }))
  }
  orders
}

# Largest |sum D| / sqrt(sum D^2) of the members' pairs, one number per permutation; 0
# if two tie in all blocks. Of the pairs with the control only, if it has a place.
largest_in <- function(members, control = NA) {
  pairs <- utils::combn(length(members), 2, simplify = FALSE)
  if (!is.na(control)) pairs <- Filter(function(pair) control %in% pair, pairs)
  sizes <- lapply(members, abs)
  found <- lapply(pairs, function(pair) {
    d <- members[[pair[1]]] - members[[pair[2]]]
    d[abs(d) <= rounding_width * pmax.int(sizes[[pair[1]]], sizes[[pair[2]]])] <- 0
    unit <- max(abs(d))
    if (unit == 0) {
      return(numeric(ncol(d)))
    }
    d <- d / unit
    length <- sqrt(colSums(d^2))
    share <- abs(colSums(d)) / length
    share[length == 0] <- 0
    share
  })
  do.call(pmax, found)
}

# The largest p of all sets that hold both algorithms of a pair with the control.
control_p <- function(p_of, pairs) {
  sets <- lapply(strsplit(names(p_of), ", "), as.integer)
  p <- unlist(p_of, use.names = FALSE)
  apply(pairs, 1, function(pair) {
    max(p[vapply(sets, function(set) all(pair %in% set), TRUE)])
  })
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
