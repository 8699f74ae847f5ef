# Step-down max-T by sign flips of whole blocks: own derivation, base R. Second witness:
# coin, with flips of its own. Needs ranks.R.

# flips: number of random flips, NULL to list all. seed: of runif, as in Python.
# on: "scores" or "ranks", or "sums" of ranks, which have no limits. control: name of an
# algorithm, or "" for all pairs.
# sizes: how many cases each row of x is the sum of, if rows are clusters of cases.
# stratum: the benchmark (1, 2, ...) of each row, if means are weighted; weights: theirs.
max_t_reference <- function(x, better, on, control = "", flips = NULL, seed = NULL,
                            level = 0.95, sizes = rep(1, nrow(x)),
                            stratum = rep(1, nrow(x)), weights = NULL) {
  pairs <- compared_pairs(colnames(x), control)
  d <- matrix(0, nrow(x), nrow(pairs))
  for (k in unique(stratum)) {
    own <- stratum == k
    d[own, ] <- block_differences(x[own, , drop = FALSE], better, on, pairs)
  }
  if (!is.null(weights)) {
    weighted <- weighted_rows(d, sizes, stratum, weights)
    d <- weighted$d
    sizes <- weighted$sizes
  }
  n <- nrow(d)
  signs <- if (is.null(flips)) {
    listed_signs(n)
  } else {
    drawn_signs(n, flips, seed, cbind(x, sizes, stratum))
  }
  observed <- studentised(d)
  flipped <- flipped_sums(signs, d)
  as_seen <- if (is.null(flips)) 0 else 1
  share <- function(reached) (as_seen + sum(reached)) / (as_seen + length(reached))
  found <- list(
    estimate = colSums(d) / sum(sizes),
    std_error = not_zero(root_squares(d)) / sum(sizes),
    statistic = colSums(d) / not_zero(root_squares(d)),
    df = rep(Inf, nrow(pairs)),
    p_value = vapply(seq_along(observed), function(e) {
      share(flipped[, e] >= observed[e] - 1e-11)
    }, 0),
    p_adjusted = step_down_max(observed, flipped, share)
  )
  limits <- if (on == "scores") {
    max_t_limits(d, signs, is.null(flips), level, sizes, stratum)
  } else {
    list(conf_low = rep(NaN, nrow(pairs)), conf_high = rep(NaN, nrow(pairs)))
  }
  tied <- all(is.na(found$statistic))
  c(of_pairs(c(found, limits), pairs, colnames(x)), list(
    largest = if (tied) NaN else max(abs(found$statistic), na.rm = TRUE),
    p_largest = if (tied) NaN else min(found$p_adjusted)
  ))
}

# Rows times w_k / n_k, whose sum is the weighted mean. sizes: how far each row moves if
# the weighted mean moves by 1 and the means of benchmarks move as least squares says.
weighted_rows <- function(d, sizes, stratum, weights) {
  moved <- weights / as.vector(tapply(sizes, stratum, sum))
  shares <- moved / sum(weights * moved)
  list(d = d * moved[stratum], sizes = sizes * (moved * shares)[stratum])
}

# Differences of ranks, or of scores in their own unit, as they are; equal in all blocks
# if only the rounding of the last digits is between them.
rounding_width <- 8 * .Machine$double.eps

block_differences <- function(x, better, on, pairs) {
  if (on == "ranks") {
    x <- rank_rows(lower_is_better(x, better))
  }
  d <- x[, pairs[, 1], drop = FALSE] - x[, pairs[, 2], drop = FALSE]
  noise <- pmax(abs(x[, pairs[, 1], drop = FALSE]), abs(x[, pairs[, 2], drop = FALSE]))
  for (pair in seq_len(ncol(d))) {
    width <- rounding_width * max(noise[, pair])
    mean <- mean(d[, pair])
    if (all(abs(d[, pair] - mean) <= width)) {
      d[, pair] <- if (abs(mean) <= width) 0 else mean
    }
  }
  d
}

# One column per flip; the first block keeps its sign in the list of all.
listed_signs <- function(n) {
  t(cbind(1, as.matrix(expand.grid(rep(list(c(1, -1)), n - 1)))))
}

# Of many blocks a function that returns the sums, since the signs fill the memory.
# rows: what blocks are, where the signs of equal ones may be drawn together.
drawn_signs <- function(n, flips, seed, rows = NULL) {
  if (n * flips > 1e8) {
    pattern <- if (!is.null(rows)) patterns_of(rows)
    if (!is.null(pattern)) {
      return(function(d) pattern_sums(d, pattern, flips, seed))
    }
    return(function(d) packed_sums(d, flips, seed))
  }
  set.seed(seed, "Mersenne-Twister")
  matrix(ifelse(runif(n * flips) < 0.5, -1, 1), n)
}

# The pattern of each row, in order of first appearance; NULL if more than one in 32.
patterns_of <- function(rows) {
  most <- nrow(rows) %/% 32
  code <- rep(1, nrow(rows))
  for (k in seq_len(ncol(rows))) {
    values <- unique(rows[, k])
    if (length(values) > most) {
      return(NULL)
    }
    code <- code * (length(values) + 1) + match(rows[, k], values)
    code <- match(code, unique(code))
    if (max(code) > most) {
      return(NULL)
    }
  }
  code
}

# Each number gives how many rows of a pattern have the sign -1.
pattern_sums <- function(d, pattern, flips, seed) {
  set.seed(seed, "Mersenne-Twister")
  counts <- tabulate(pattern)
  uniforms <- matrix(runif(length(counts) * flips), length(counts))
  signs <- counts - 2 * qbinom(uniforms, counts, 0.5)
  crossprod(signs, d[!duplicated(pattern), , drop = FALSE])
}

# Each number gives the signs of 32 blocks, by its bits, the lowest one first.
packed_sums <- function(d, flips, seed) {
  set.seed(seed, "Mersenne-Twister")
  n <- nrow(d)
  of_byte <- sapply(0:255, function(byte) 1 - 2 * (byte %/% 2^(0:7)) %% 2)
  sums <- vapply(seq_len(flips), function(flip) {
    words <- floor(2^32 * runif(ceiling(n / 32)))
    bytes <- rbind(words, words %/% 2^8, words %/% 2^16, words %/% 2^24) %% 2^8
    drop(of_byte[, bytes + 1][seq_len(n)] %*% d)
  }, numeric(ncol(d)))
  matrix(sums, ncol = ncol(d), byrow = TRUE)
}

not_zero <- function(x) ifelse(x == 0, NaN, x)

# Any unit: the largest number of a column is taken out of its squares.
root_squares <- function(d) {
  apply(d, 2, function(column) {
    largest <- max(abs(column))
    if (largest == 0) 0 else largest * sqrt(sum((column / largest)^2))
  })
}

studentised <- function(d) {
  length <- root_squares(d)
  ifelse(length == 0, 0, abs(colSums(d)) / length)
}

# One row per flip, one column per pair; signs do not change the sums of
# squares.
flipped_sums <- function(signs, d) {
  length <- root_squares(d)
  sums <- if (is.function(signs)) signs(d) else crossprod(signs, d)
  sweep(abs(sums), 2, ifelse(length == 0, Inf, length), "/")
}

# Hypothesis after hypothesis, from the largest statistic down: the largest of it and
# of those that are still to come.
step_down_max <- function(observed, flipped, share) {
  adjusted <- numeric(length(observed))
  before <- 0
  left <- seq_along(observed)
  while (length(left) > 0) {
    first <- left[which.max(observed[left])]
    largest <- do.call(pmax, lapply(left, function(e) flipped[, e]))
    before <- max(before, share(largest >= observed[first] - 1e-11))
    adjusted[first] <- before
    left <- setdiff(left, first)
  }
  adjusted
}

# t intervals with the critical value of the largest statistic of centred differences.
max_t_limits <- function(d, signs, all_listed, level, sizes, stratum) {
  n <- nrow(d)
  means <- colSums(d) / sum(sizes)
  centred <- d
  for (k in unique(stratum)) {
    own <- stratum == k
    part <- d[own, , drop = FALSE]
    each <- part / sizes[own]
    same <- apply(each, 2, function(e) diff(range(e)) <= 1e-14 * max(abs(e)))
    centred[own, ] <- part - outer(sizes[own], colSums(part) / sum(sizes[own]))
    centred[own, same] <- 0
  }
  largest <- apply(flipped_sums(signs, centred), 1, max)
  size <- length(largest) + !all_listed
  if (all_listed) {
    largest <- largest[-1] # no flip
  }
  least <- floor((1 - level) * size * (1 + 1e-12))
  critical <- if (least < 1) Inf else sort(largest, decreasing = TRUE)[least]
  if (any(sizes != 1)) {
    return(unequal_limits(centred, means, sizes, critical))
  }
  # From the statistic back to t on n - 1 degrees of freedom.
  t <- if (critical^2 < n) sqrt((n - 1) * critical^2 / (n - critical^2)) else Inf
  half <- t * root_squares(centred) / sqrt(n * (n - 1))
  list(conf_low = means - half, conf_high = means + half)
}

# Clusters: the means for which the statistic of D - size * mean is the critical value.
unequal_limits <- function(centred, means, sizes, critical) {
  c2 <- critical^2
  if (c2 * sum(sizes^2) >= sum(sizes)^2) {
    return(list(conf_low = rep(-Inf, length(means)), conf_high = rep(Inf, length(means))))
  }
  from_mean <- apply(centred, 2, function(e) {
    scale <- if (any(e != 0)) sqrt(sum(e^2)) else 1
    e <- e / scale
    roots <- polyroot(c(
      -c2 * sum(e^2), -2 * c2 * sum(e * sizes), sum(sizes)^2 - c2 * sum(sizes^2)
    ))
    scale * range(Re(roots))
  })
  list(conf_low = means - from_mean[2, ], conf_high = means - from_mean[1, ])
}

# coin: each pair is a response, blocks exchange its two sides, all pairs at once.
max_t_coin_reference <- function(x, better, on, control = "", resamples, seed) {
  d <- block_differences(x, better, on, compared_pairs(colnames(x), control))
  cells <- data.frame(
    rbind(d / 2, -d / 2),
    side = factor(rep(1:2, each = nrow(d))),
    block = factor(rep(seq_len(nrow(d)), 2))
  )
  names <- setdiff(names(cells), c("side", "block"))
  formula <- as.formula(paste(paste(names, collapse = " + "), "~ side | block"))
  set.seed(seed, "Mersenne-Twister")
  test <- coin::symmetry_test(formula, cells,
    distribution = coin::approximate(nresample = resamples)
  )
  list(
    statistic = abs(as.vector(coin::statistic(test, type = "standardized"))),
    p_adjusted = as.vector(coin::pvalue(test, method = "step-down"))
  )
}
